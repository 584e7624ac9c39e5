import { UsageError } from './usage-error.ts'
import { optionNamed, type Option } from './option.ts'

/**
 * The words and flags of a command line. `flags` holds the texts by option name; of a flag given twice, the last text
 * counts.
 */
export type Arguments = { readonly words: readonly string[]; readonly flags: ReadonlyMap<string, string> }

/**
 * Parses a command line. A flag is written `--name value`, `--name=value`, `-n value` or `-nvalue`, and `--` ends the
 * flags. When two options share a short name, the first option gets the flag. Throws `UsageError` for unknown flags and
 * missing values.
 */
export function parseArguments(argv: readonly string[], options: readonly Option[]): Arguments {
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

/** One use of a flag. `value` is undefined when the word itself contains none. */
type FlagUse = { readonly option: Option; readonly value: string | undefined }

/** Returns the flags in a word, or null when the word is no flag. */
function flagsOf(word: string, options: readonly Option[]): readonly FlagUse[] | null {
  if (word.startsWith('--')) return [longFlag(word.slice(2), options)]
  if (word.startsWith('-') && word.length > 1) return shortFlags(word.slice(1), options)
  return null
}

function longFlag(text: string, options: readonly Option[]): FlagUse {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const option = optionNamed(options, name)
  if (!option) throw new UsageError(`unknown flag --${printable(name)}`)
  return { option, value: at < 0 ? undefined : text.slice(at + 1) }
}

/**
 * Reads the letters behind a single dash. Several switches may share one dash; after any other flag, the rest of the
 * word is its value.
 */
function shortFlags(text: string, options: readonly Option[]): readonly FlagUse[] {
  const uses: FlagUse[] = []
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
 * Takes the value of a flag from the words behind it. A switch takes the next word only when that word is `true` or
 * `false`.
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
 * Parses the text of an option. `from` names the place of the text for the error message. Throws `UsageError` when the
 * text is not valid.
 */
export function valueOf<T>(option: Option<T>, text: string, from: string): T {
  const { parse, wrongPart, expects } = option.kind
  const value = parse(text)
  if (value !== undefined) return value
  throw new UsageError(`${from}: "${printable(wrongPart?.(text) ?? text)}" is not ${expects}`)
}
