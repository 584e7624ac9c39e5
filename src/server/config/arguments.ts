import { UsageError } from './usage-error.ts'
import { optionNamed, type Option } from './option.ts'

/**
 * A parsed command line: the positional arguments (`words`), and the values of flags by option name. When a flag is
 * repeated, its last value is used.
 */
export type ParsedArguments = {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, string>
}

/**
 * Parses a command line. A flag is written `--name value`, `--name=value`, `-n value` or `-nvalue`, and `--` ends the
 * flags. When two options share a short name, the first option gets the flag. Throws `UsageError` for unknown flags and
 * missing values.
 */
export function parseArguments(argv: readonly string[], options: readonly Option[]): ParsedArguments {
  const words: string[] = []
  const flags = new Map<string, string>()
  const rest = [...argv]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest)
      break
    }
    const uses = flagsOf(word, options)
    if (uses === null) words.push(word)
    for (const { option, value } of uses ?? []) flags.set(option.name, value ?? valueAfterFlag(option, rest))
  }
  return { words, flags }
}

/** A flag of the command line. `value` is undefined when the flag's value, if any, is in the next argument. */
type ParsedFlag = { readonly option: Option; readonly value: string | undefined }

/** Returns the flags in one argument, or null when the argument is not a flag. */
function flagsOf(word: string, options: readonly Option[]): readonly ParsedFlag[] | null {
  if (word.startsWith('--')) return [longFlag(word.slice(2), options)]
  if (word.startsWith('-') && word.length > 1) return shortFlags(word.slice(1), options)
  return null
}

function longFlag(text: string, options: readonly Option[]): ParsedFlag {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const option = optionNamed(options, name)
  if (!option) throw new UsageError(`unknown flag --${printable(name)}`)
  return { option, value: at < 0 ? undefined : text.slice(at + 1) }
}

/**
 * Parses the letters after a single dash. Several switches may share one dash. When a letter is a flag with a value,
 * the rest of the argument is that value.
 */
function shortFlags(text: string, options: readonly Option[]): readonly ParsedFlag[] {
  const uses: ParsedFlag[] = []
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at)
    const option = options.find(({ short }) => short === letter)
    if (!option) throw new UsageError(`unknown flag -${printable(letter)}`)
    const rest = text.slice(at + 1)
    if (rest !== '' && (!option.kind.isSwitch || rest.startsWith('='))) {
      return [...uses, { option, value: rest.replace(/^=/, '') }]
    }
    uses.push({ option, value: undefined })
  }
  return uses
}

/**
 * Removes the value of a flag from the remaining arguments and returns it. A switch takes the next argument only when
 * that is `true` or `false`.
 */
function valueAfterFlag(option: Option, rest: string[]): string {
  if (option.kind.isSwitch)
    return rest[0] === 'true' || rest[0] === 'false' ? (rest.shift() ?? 'true') : 'true'
  const value = rest.shift()
  if (value === undefined) throw new UsageError(`--${option.name} needs a value: ${option.kind.expects}`)
  return value
}

/**
 * Shortens a text to 100 characters and replaces control characters, so that it fits on one line of an error message.
 */
const printable = (text: string): string => text.slice(0, 100).replaceAll(/[\u0000-\u001f\u007f]/g, '?')

/**
 * Parses the text of an option. Throws `UsageError` when the text is not valid. The error message contains `from`,
 * which names the source of the text.
 */
export function valueOf<T>(option: Option<T>, text: string, from: string): T {
  const { parse, wrongPart, expects } = option.kind
  const value = parse(text)
  if (value !== undefined) return value
  throw new UsageError(`${from}: "${printable(wrongPart?.(text) ?? text)}" is not ${expects}`)
}
