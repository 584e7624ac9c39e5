import { foldName } from '../../../shared/domain/fold-name.ts'

/** The letters that the user has typed to jump to a name, and the time of the last letter. */
export type TypedPrefix = { readonly text: string; readonly atMs: number }

export const noTypedPrefix: TypedPrefix = { text: '', atMs: 0 }

/**
 * A letter that is typed within this time of the previous letter continues the same prefix; after a longer pause a new
 * prefix begins.
 */
export const typeAheadMs = 800

/** Returns the prefix after one more key. `Backspace` removes the last letter. */
export function prefixAfterKey(typed: TypedPrefix, key: string, nowMs: number): TypedPrefix {
  const text = nowMs - typed.atMs > typeAheadMs ? '' : typed.text
  return { text: key === 'Backspace' ? text.slice(0, -1) : text + key, atMs: nowMs }
}

export type NameSearchOptions = {
  readonly text: string
  /** The index of the focused row, or -1 when no row has the focus. */
  readonly from: number
  readonly count: number
  readonly nameAt: (index: number) => string
}

/**
 * Returns the next row whose name starts with the text, or -1. The search begins at the focused row and wraps around at
 * the last row. Each press of the same single letter moves to the next matching name.
 */
export function rowStartingWith({ text, from, count, nameAt }: NameSearchOptions): number {
  const folded = foldName(text)
  if (folded === '' || count === 0) return -1
  const isRepeated = folded === folded.slice(0, 1).repeat(folded.length)
  const prefix = isRepeated ? (folded[0] ?? '') : folded
  const begin = isRepeated || folded.length === 1 ? from + 1 : Math.max(from, 0)
  for (let step = 0; step < count; step += 1) {
    const index = (begin + step) % count
    if (startsWith(nameAt(index), prefix)) return index
  }
  return -1
}

/**
 * Returns true when a name starts with a prefix. ASCII names, the common case, are compared without Unicode
 * normalisation, because normalising is slow.
 */
const startsWith = (name: string, prefix: string): boolean =>
  /^[\0-\x7f]*$/.test(name)
    ? name.slice(0, prefix.length).toLowerCase() === prefix
    : foldName(name).startsWith(prefix)
