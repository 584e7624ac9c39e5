import { AppError } from '../../shared/domain/failure.ts'

/**
 * Reads the members of an object in an imported file. Names are compared without regard to case. Each function may
 * throw `bad-request`.
 */
export type RecordReader = {
  readonly has: (name: string) => boolean
  /** Returns a text, or the fallback for a missing member and for null. */
  readonly text: (name: string, fallback?: string) => string
  /** Returns a text, or a number as its text. */
  readonly textOrNumber: (name: string) => string
  readonly toggle: (name: string, fallback?: boolean) => boolean
  readonly number: (name: string, fallback: number) => number
  readonly texts: (name: string) => readonly string[]
  /** Returns a reader of a nested object. A missing member and null count as an object without members. */
  readonly members: (name: string) => RecordReader
  readonly list: (name: string) => readonly RecordReader[]
  readonly entries: () => readonly (readonly [string, unknown])[]
}

/** Creates a reader of an object. `where` is the name of the object in the reason of an error. */
export function createRecordReader(value: unknown, where: string): RecordReader {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, 'no object')
  const entries = Object.entries(value) as [string, unknown][]
  const found = new Map(entries.map(([key, member]) => [key.toLowerCase(), member]))
  const given = (name: string): unknown => found.get(name.toLowerCase()) ?? null
  const read =
    <T>(isIt: (member: unknown) => member is T, kind: string) =>
    (name: string, fallback: T): T => {
      const member = given(name)
      if (member === null) return fallback
      if (!isIt(member)) throw wrong(`${where}.${name}`, kind)
      return member
    }
  const [text, toggle, number] = [
    read(isText, 'no text'),
    read(isToggle, 'not true or false'),
    read(isWhole, 'no whole number'),
  ]
  return {
    has: (name) => given(name) !== null,
    text: (name, fallback = '') => text(name, fallback),
    textOrNumber: (name) => (isWhole(given(name)) ? String(given(name)) : text(name, '')),
    toggle: (name, fallback = false) => toggle(name, fallback),
    number,
    texts: (name) => textsOf(given(name), `${where}.${name}`),
    members: (name) => createRecordReader(given(name) ?? {}, `${where}.${name}`),
    list: (name) =>
      listOf(given(name), `${where}.${name}`).map((member, at) =>
        createRecordReader(member, `${where}.${name}[${at}]`),
      ),
    entries: () => entries,
  }
}

/** Returns a list of texts. A missing value counts as an empty list. */
export function textsOf(value: unknown, where: string): readonly string[] {
  return listOf(value, where).map((member) => {
    if (!isText(member)) throw wrong(where, 'no list of texts')
    return member
  })
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw wrong(where, 'no list')
  return value as readonly unknown[]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()
const isToggle = (value: unknown): value is boolean => typeof value === 'boolean'
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const wrong = (where: string, kind: string): AppError =>
  new AppError('bad-request', { reason: `${where} is ${kind}` })
