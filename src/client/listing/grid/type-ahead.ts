/** What has been typed to jump to a name, and when. */
export type Typed = { readonly text: string; readonly atMs: number }

export const nothingTyped: Typed = { text: '', atMs: 0 }

/** How long typed letters belong together. */
export const typeAheadMs = 800

/** The text after one more key; `Backspace` takes the last letter away. */
export function typedAfter(typed: Typed, key: string, nowMs: number): Typed {
  const text = nowMs - typed.atMs > typeAheadMs ? '' : typed.text
  return { text: key === 'Backspace' ? text.slice(0, -1) : text + key, atMs: nowMs }
}

/** Names as they are compared while typing: without regard to case and accents. */
export const foldName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export type NameSearch = {
  readonly text: string
  /** The row with the focus; -1 when none has it. */
  readonly from: number
  readonly count: number
  readonly nameAt: (index: number) => string
}

/**
 * The next row whose name starts with the text, from the focused one on and around the end; -1 when there is none. One letter
 * repeated goes from name to name.
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

/** Plain letters need no folding but that of case, which is most names of most folders. */
const startsWith = (name: string, prefix: string): boolean =>
  /^[\0-\x7f]*$/.test(name)
    ? name.slice(0, prefix.length).toLowerCase() === prefix
    : foldName(name).startsWith(prefix)
