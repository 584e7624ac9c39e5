/**
 * True when a shell reads any of the words of a line as a script. In that case no value may be inserted into the words.
 * The shell need not be the first word, and its options may have any order and spelling. In doubtful cases the result
 * is true: a value that is not inserted is still available in the environment, while a value that runs as part of a
 * script can do harm.
 */
export const isReadByShell = (words: readonly string[]): boolean =>
  words.some((word, at) => holdsScript(word) || readsScript(words, at))

const shell =
  '(?:sh|r?bash|dash|ash|hush|r?ksh|[mlo]ksh|loksh|pdksh|r?zsh|yash|posh|osh|ysh|mrsh|fish|t?csh|elvish|xonsh|pwsh|execlineb)' +
  '(?:[-.]?[0-9][0-9a-z.+]*)?(?:-static|-preview)?(?:\\.exe)?'
const isShell = new RegExp(`^${shell}$`)

/**
 * Matches a call of a shell inside of a single word, as in `ExecStart=/bin/sh -c …`, because the called program may
 * split the word again.
 */
const shellCall = new RegExp(`(?:^|[^\\w.-])${shell}\\s+[-+]`, 'i')
const holdsScript = (word: string): boolean => word.includes('$') && shellCall.test(word)

/** Matches the option before a script: `-c`, also combined with other letters, or a long name, also abbreviated. */
const scriptOption =
  /^[-+]\w*c|^--(?:c(?:om?m?a?n?d?s?)?|cmd[a-z]*|ini[a-z]*(?:-c[a-z]*)?|se(?:ss[a-z-]*)?)(?:=|$)/i

/** Programs that are not shells and pass the argument of an option to a shell, with a pattern for that option. */
const scriptOptions: ReadonlyMap<string, RegExp> = new Map([
  ['su', scriptOption],
  ['runuser', scriptOption],
  ['script', /^-\w*c|^--(?:c(?:om?m?a?n?d?)?)?(?:=|$)/i],
  // Only these exact spellings are options of flock: they are usually followed by another program, whose `-c` has a
  // different meaning.
  ['flock', /^(?:-c|--command)$/],
  // env runs no shell, but it splits the text into words again, and one of these words may be a shell.
  ['env', /^-[0iv]*S|^--s(?:p[a-z-]*)?(?:=|$)/],
])

/** Programs that pass all of their arguments to a shell, on this machine or on another machine. */
const programsWithShell: ReadonlySet<string> = new Set(
  'ssh autossh dbclient mosh rsh remsh slogin pdsh clush sg watch parallel eval tmux cmd powershell nu nix-shell adb'.split(
    ' ',
  ),
)

function readsScript(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const program = programOf(word)
  if (isShell.test(program)) return at === 0 || someAfter(words, at, scriptOption)
  if (word.startsWith('-') || isArgumentOnly(words, at)) return false
  if (programsWithShell.has(program)) return someAfter(words, at, /\$/)
  const option = scriptOptions.get(program)
  return option !== undefined && someAfter(words, at, option)
}

/**
 * Returns the name of the program that a word calls, in lower case. It also finds the program in words such as
 * `--entrypoint=/bin/sh`.
 */
const programOf = (word: string): string => {
  const name = word.split(/[\\/=]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.exe$/, '')
}

const someAfter = (words: readonly string[], at: number, pattern: RegExp): boolean =>
  words.slice(at + 1).some((word) => pattern.test(word))

/**
 * True when a word is the name of a program that can call a shell, but no script is passed to it. In `rsync -e ssh`,
 * `ssh` is only the program for the connection, and `runuser -u` runs a program instead of a script.
 */
function isArgumentOnly(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? ''
  if (programOf(words[at] ?? '') === 'runuser') return /^(?:-u|--user)/.test(words[at + 1] ?? '')
  if (before === '--rsh') return true
  return (
    /^-(?:[a-zA-Z]*e|S)$/.test(before) && words.slice(0, at).some((word) => copyPrograms.has(programOf(word)))
  )
}

const copyPrograms: ReadonlySet<string> = new Set(['rsync', 'scp', 'sftp'])
