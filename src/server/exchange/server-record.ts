import type { TakeoverMessage } from '../../shared/domain/takeover/takeover-notes.ts'
import { duration, mode, toggle } from '../config/option-kinds.ts'
import { optionNamed, type Option } from '../config/option.ts'
import { servingOptionList } from '../config/serving-options.ts'
import type { StoredServingOptions } from '../records/settings.ts'
import type { RecordReader } from './record-reader.ts'

/** Maps the name of each string option of File Browser to the name of the corresponding option here. */
const texts = {
  root: 'root',
  baseURL: 'baseURL',
  socket: 'socket',
  tlsKey: 'key',
  tlsCert: 'cert',
  port: 'port',
  address: 'address',
  log: 'log',
  tokenExpirationTime: 'tokenExpirationTime',
} as const

/**
 * The switches of File Browser. Each has the name of the corresponding option, and true when the switch has the same
 * meaning as the option, or false when it has the opposite meaning.
 */
const switches = {
  enableThumbnails: ['disableThumbnails', false],
  resizePreview: ['disablePreviewResize', false],
  enableExec: ['disableExec', false],
  typeDetectionByHeader: ['disableTypeDetectionByHeader', false],
  imageResolutionCalculation: ['disableImageResolutionCalc', false],
  followExternalSymlinks: ['followExternalSymlinks', true],
} as const

const modes = ['fileMode', 'dirMode'] as const
const usualTexts: Readonly<Record<string, string>> = { tokenExpirationTime: '2h' }
const longestTime = '87600h'

const known: ReadonlySet<string> = new Set([
  ...Object.values(texts),
  ...Object.values(switches).map(([name]) => name),
  ...modes,
])

/**
 * Returns the stored options in the format of File Browser's exports: the member `server`, the permission bits that the
 * original has in its settings, and the options that only Stowage has.
 */
export function recordOfServer(stored: StoredServingOptions) {
  const isOn = (name: string) => toggle.parse(stored[name] ?? '') ?? optionOf(name).default === true
  return {
    server: {
      ...mapped(texts, (name) => stored[name] ?? usualTexts[name] ?? String(optionOf(name).default)),
      ...mapped(switches, ([name, isSame]) => isOn(name) === isSame),
    },
    modes: Object.fromEntries(
      modes.map((name) => [name, mode.parse(stored[name] ?? '') ?? Number(optionOf(name).default)]),
    ),
    options: Object.fromEntries(Object.entries(stored).filter(([name]) => !known.has(name))),
  }
}

const mapped = <T, U>(
  table: Readonly<Record<string, T>>,
  made: (value: T) => U,
): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, made(value)]))

function optionOf(name: string): Option {
  const option = optionNamed(servingOptionList, name)
  if (!option) throw new Error(`no option ${name}`)
  return option
}

export type ImportedServerOptions = {
  readonly record: StoredServingOptions
  readonly notes: readonly TakeoverMessage[]
}

/**
 * Reads the options from an export. Options with their default value are not stored. In files of File Browser's first
 * generation, which lack the lifetime of a login, the switches are ignored (contract 15.3).
 */
export function serverOfRecord(content: RecordReader): ImportedServerOptions {
  const [server, settings] = [content.members('server'), content.members('settings')]
  const isOfFirstGeneration = !server.has('tokenExpirationTime')
  const said = [
    ...Object.entries(texts).flatMap(([key, name]) =>
      server.has(key) ? [[name, textOf(server, key)] as const] : [],
    ),
    ...(isOfFirstGeneration ? [] : switchesOf(server)),
    ...modes.map((name) => [name, modeOf(settings.number(name, 0))] as const),
    ...content.members('stowage').members('options').entries(),
  ]
  const read = said.map(([name, text]) => readOption(name, String(text)))
  return {
    record: Object.fromEntries(read.flatMap(({ kept }) => (kept ? [kept] : []))),
    notes: [
      ...read.flatMap(({ note }) => (note === undefined ? [] : [note])),
      // The early versions wrote every switch as off, whatever it was.
      ...(isOfFirstGeneration ? [{ code: 'options-early', values: {} } as const] : []),
    ],
  }
}

function switchesOf(server: RecordReader): readonly (readonly [string, string])[] {
  return Object.entries(switches).flatMap(([key, [name, isSame]]) => {
    const written = key === 'imageResolutionCalculation' && !server.has(key) ? 'imageResolutionCal' : key
    return server.has(written) ? [[name, String(server.toggle(written) === isSame)] as const] : []
  })
}

/**
 * Returns the text of an option. A port is a text in exports, but may be a number in files that were written by hand.
 */
const textOf = (server: RecordReader, key: string): string =>
  key === 'port' ? server.textOrNumber(key) : server.text(key)

/** Returns permission bits as octal text. For 0, which means that no value is set, the text is empty. */
const modeOf = (bits: number): string => (bits === 0 ? '' : `0${bits.toString(8)}`)

type ImportedOption = { readonly kept?: readonly [string, string]; readonly note?: TakeoverMessage }

function readOption(name: string, text: string): ImportedOption {
  const option = optionNamed(servingOptionList, name)
  if (!option || option.isUnstored) return { note: { code: 'option-unknown', values: { option: name } } }
  const value = option.kind.parse(text)
  if (value !== undefined)
    return JSON.stringify(value) === JSON.stringify(option.default) ? {} : { kept: [option.name, text] }
  if (text === '') return {}
  if (option.kind === duration && /^\d{6,}h/.test(text))
    return {
      kept: [option.name, longestTime],
      note: { code: 'option-shortened', values: { option: name, value: text, longest: longestTime } },
    }
  const values = { option: name, value: text, expected: option.kind.expects }
  return { note: { code: 'option-invalid', values } }
}
