/** The letters that have been typed to jump to a name, and the time of the last one. */
export type TypedPrefix = { readonly text: string; readonly atMs: number }

export const noTypedPrefix: TypedPrefix = { text: '', atMs: 0 }

/** Letters that are typed within this time of each other belong to one name. */
export const typeAheadMs = 800

/** Returns the prefix after one more key. `Backspace` removes the last letter. */
export function prefixAfterKey(typed: TypedPrefix, key: string, nowMs: number): TypedPrefix {
  const text = nowMs - typed.atMs > typeAheadMs ? '' : typed.text
  return { text: key === 'Backspace' ? text.slice(0, -1) : text + key, atMs: nowMs }
}

/** Removes accents and lower-cases a name, for comparing it with typed letters. */
export const foldName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export type NameSearch = {
  readonly text: string
  /** The index of the focused row, or -1. */
  readonly from: number
  readonly count: number
  readonly nameAt: (index: number) => string
}

/**
 * Returns the next row whose name starts with the text, or -1. The search begins at the focused row and continues at
 * the first row after the last one. A single letter, also when it is repeated, goes from name to name.
 */
export function rowStartingWith({ text, from, count, nameAt }: NameSearch): number {
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

/** Compares ASCII names, which most names are, without Unicode normalisation, because that is slow. */
const startsWith = (name: string, prefix: string): boolean =>
  /^[\0-\x7f]*$/.test(name)
    ? name.slice(0, prefix.length).toLowerCase() === prefix
    : foldName(name).startsWith(prefix)
