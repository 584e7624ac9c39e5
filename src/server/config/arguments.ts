import { CallError } from './call-error.ts'
import { optionNamed, type Option } from './option.ts'

/** What stands on a command line: words, and the texts of flags by their option's name. Of a flag given twice the last counts. */
export type Arguments = { readonly words: readonly string[]; readonly flags: ReadonlyMap<string, string> }

/** Reads `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the flags. Of options with one short name the first is meant. */
export function parseArguments(argv: readonly string[], options: readonly Option[]): Arguments {
  const words: string[] = []
  const flags = new Map<string, string>()
  const rest = [...argv]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest)
      break
    }
    const given = flagsOf(word, options)
    if (given === null) words.push(word)
    for (const { option, value } of given ?? []) flags.set(option.name, value ?? valueBehind(option, rest))
  }
  return { words, flags }
}

type Given = { readonly option: Option; readonly value: string | undefined }

/** Null for a word that is no flag. */
function flagsOf(word: string, options: readonly Option[]): readonly Given[] | null {
  if (word.startsWith('--')) return [longFlag(word.slice(2), options)]
  if (word.startsWith('-') && word.length > 1) return shortFlags(word.slice(1), options)
  return null
}

function longFlag(written: string, options: readonly Option[]): Given {
  const at = written.indexOf('=')
  const name = at < 0 ? written : written.slice(0, at)
  const option = optionNamed(options, name)
  if (!option) throw new CallError(`unknown flag --${printable(name)}`)
  return { option, value: at < 0 ? undefined : written.slice(at + 1) }
}

/** Switches may share one dash; what follows any other is its value. */
function shortFlags(written: string, options: readonly Option[]): readonly Given[] {
  const given: Given[] = []
  for (let at = 0; at < written.length; at += 1) {
    const letter = written.charAt(at)
    const option = options.find(({ short }) => short === letter)
    if (!option) throw new CallError(`unknown flag -${printable(letter)}`)
    const rest = written.slice(at + 1)
    if (rest !== '' && (!option.kind.isSwitch || rest.startsWith('='))) {
      return [...given, { option, value: rest.replace(/^=/, '') }]
    }
    given.push({ option, value: undefined })
  }
  return given
}

/** Takes the value from the words behind a flag. Behind a switch only `true` and `false` are one. */
function valueBehind(option: Option, rest: string[]): string {
  if (option.kind.isSwitch)
    return rest[0] === 'true' || rest[0] === 'false' ? (rest.shift() ?? 'true') : 'true'
  const value = rest.shift()
  if (value === undefined) throw new CallError(`--${option.name} needs a value: ${option.kind.expects}`)
  return value
}

const printable = (text: string): string => text.slice(0, 100).replaceAll(/[\u0000-\u001f\u007f]/g, '?')

/** The value of an option's text. `from` says where the text stood. */
export function valueOf<T>(option: Option<T>, text: string, from: string): T {
  const { parse, wrongPart, expects } = option.kind
  const value = parse(text)
  if (value !== undefined) return value
  throw new CallError(`${from}: "${printable(wrongPart?.(text) ?? text)}" is not ${expects}`)
}
