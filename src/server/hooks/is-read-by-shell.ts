/**
 * Whether a shell reads some of the words of a line as a script: then no value may be put into any of them. It need not be the
 * first word, nor have its options in one order or spelling. In doubt it is one: a value that is missing in a word is still in the
 * environment, and one that is run as a script cannot be taken back.
 */
export const isReadByShell = (words: readonly string[]): boolean =>
  words.some((word, at) => holdsScript(word) || readsScript(words, at))

const shell =
  '(?:sh|r?bash|dash|ash|hush|r?ksh|[mlo]ksh|loksh|pdksh|r?zsh|yash|posh|osh|ysh|mrsh|fish|t?csh|elvish|xonsh|pwsh|execlineb)' +
  '(?:[-.]?[0-9][0-9a-z.+]*)?(?:-static|-preview)?(?:\\.exe)?'
const isShell = new RegExp(`^${shell}$`)

/** A call of a shell within a single word, for whichever program takes it apart (`ExecStart=/bin/sh -c …`). */
const shellCall = new RegExp(`(?:^|[^\\w.-])${shell}\\s+[-+]`, 'i')
const holdsScript = (word: string): boolean => word.includes('$') && shellCall.test(word)

/** What begins a script: `-c` among other letters, or a long name as far as it is written out. */
const scriptOption =
  /^[-+]\w*c|^--(?:c(?:om?m?a?n?d?s?)?|cmd[a-z]*|ini[a-z]*(?:-c[a-z]*)?|se(?:ss[a-z-]*)?)(?:=|$)/i

/** Programs that are no shells, and hand one what is behind an option. */
const textOptions: ReadonlyMap<string, RegExp> = new Map([
  ['su', scriptOption],
  ['runuser', scriptOption],
  ['script', /^-\w*c|^--(?:c(?:om?m?a?n?d?)?)?(?:=|$)/i],
  // Only these are its own: what follows is mostly another program, with a `-c` that means something else.
  ['flock', /^(?:-c|--command)$/],
  // No shell, but it cuts the text into words once more, one of which may be one.
  ['env', /^-[0iv]*S|^--s(?:p[a-z-]*)?(?:=|$)/],
])

/** Programs that hand a shell, here or elsewhere, all that is behind them. */
const takesAll: ReadonlySet<string> = new Set(
  'ssh autossh dbclient mosh rsh remsh slogin pdsh clush sg watch parallel eval tmux cmd powershell nu nix-shell adb'.split(
    ' ',
  ),
)

function readsScript(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  const program = programOf(word)
  if (isShell.test(program)) return at === 0 || someBehind(words, at, scriptOption)
  if (word.startsWith('-') || isNoCall(words, at)) return false
  if (takesAll.has(program)) return someBehind(words, at, /\$/)
  const option = textOptions.get(program)
  return option !== undefined && someBehind(words, at, option)
}

/** Also of `--entrypoint=/bin/sh`, and on systems where case does not count. */
const programOf = (word: string): string => {
  const name = word.split(/[\\/=]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.exe$/, '')
}

const someBehind = (words: readonly string[], at: number, pattern: RegExp): boolean =>
  words.slice(at + 1).some((word) => pattern.test(word))

/** `rsync -e ssh` only names what it connects with; `runuser -u` is the one that takes a program and no script. */
function isNoCall(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? ''
  if (programOf(words[at] ?? '') === 'runuser') return /^(?:-u|--user)/.test(words[at + 1] ?? '')
  if (before === '--rsh') return true
  return /^-(?:[a-zA-Z]*e|S)$/.test(before) && words.slice(0, at).some((word) => copiers.has(programOf(word)))
}

const copiers: ReadonlySet<string> = new Set(['rsync', 'scp', 'sftp'])
