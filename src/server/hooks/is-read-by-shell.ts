/**
 * True when a shell reads any of the words of a line as a script. In that case no value may be inserted into the words.
 * The shell need not be the first word, and its options may have any order and spelling. When in doubt the answer is
 * true: a value that is not inserted is still in the environment, while a value that was run as part of a script has
 * done its harm.
 */
export const isReadByShell = (words: readonly string[]): boolean =>
  words.some((word, at) => holdsScript(word) || readsScript(words, at))

const shell =
  '(?:sh|r?bash|dash|ash|hush|r?ksh|[mlo]ksh|loksh|pdksh|r?zsh|yash|posh|osh|ysh|mrsh|fish|t?csh|elvish|xonsh|pwsh|execlineb)' +
  '(?:[-.]?[0-9][0-9a-z.+]*)?(?:-static|-preview)?(?:\\.exe)?'
const isShell = new RegExp(`^${shell}$`)

/** Matches a call of a shell inside of a single word, which another program splits again (`ExecStart=/bin/sh -c …`). */
const shellCall = new RegExp(`(?:^|[^\\w.-])${shell}\\s+[-+]`, 'i')
const holdsScript = (word: string): boolean => word.includes('$') && shellCall.test(word)

/** Matches the option before a script: `-c`, also among other letters, or a long name, also when it is abbreviated. */
const scriptOption =
  /^[-+]\w*c|^--(?:c(?:om?m?a?n?d?s?)?|cmd[a-z]*|ini[a-z]*(?:-c[a-z]*)?|se(?:ss[a-z-]*)?)(?:=|$)/i

/** Programs that are no shells themselves and pass the argument of an option to a shell. */
const scriptOptions: ReadonlyMap<string, RegExp> = new Map([
  ['su', scriptOption],
  ['runuser', scriptOption],
  ['script', /^-\w*c|^--(?:c(?:om?m?a?n?d?)?)?(?:=|$)/i],
  // Only these exact spellings belong to flock: what follows is usually another program, whose `-c` means something
  // else.
  ['flock', /^(?:-c|--command)$/],
  // env runs no shell, but it splits the text into words again, and one of these words may be a shell.
  ['env', /^-[0iv]*S|^--s(?:p[a-z-]*)?(?:=|$)/],
])

/** Programs that pass all of their arguments to a shell, on this machine or on another. */
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
 * Returns the name of the program that a word calls, in lower case. Also finds the program in words such as
 * `--entrypoint=/bin/sh`.
 */
const programOf = (word: string): string => {
  const name = word.split(/[\\/=]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.exe$/, '')
}

const someAfter = (words: readonly string[], at: number, pattern: RegExp): boolean =>
  words.slice(at + 1).some((word) => pattern.test(word))

/**
 * True when a word that looks like a program with a shell passes no script: in `rsync -e ssh`, `ssh` is only the
 * program to connect with, and `runuser -u` takes a program instead of a script.
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
