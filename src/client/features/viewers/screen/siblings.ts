import type { FileType } from '../../../../shared/domain/file-types.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'

/** The other files of the folder that the arrows and keys of an open file lead to. */
export type Siblings = {
  /** The position of the open file among the files of its kind in the folder, from 1. 0 when it is none of them. */
  readonly position: number
  readonly total: number
  readonly previous: ListedEntry | null
  readonly next: ListedEntry | null
  readonly first: ListedEntry | null
  readonly last: ListedEntry | null
  /** Returns the files before and after another file of the folder. */
  readonly around: (name: string) => Siblings
  /** The files of these types in the folder, in the order of the listing. Empty while the listing is loaded. */
  readonly entriesOf: (types: ReadonlySet<FileType>) => readonly ListedEntry[]
  /** The pictures and films of the folder. */
  readonly pictures: () => PictureSequence
}

/** The pictures and films of a folder in the order of the listing. Only those that are asked for become entries. */
export type PictureSequence = {
  readonly total: number
  /** The index of the open file, or -1 when it is none of them. */
  readonly openIndex: number
  readonly entryAt: (index: number) => ListedEntry | null
}

/** The rows of a folder in the order of its listing. */
export type SiblingRows = {
  readonly summary: { readonly total: number }
  readonly entryAt: (index: number) => ListedEntry | undefined
  readonly typeAt: (index: number) => FileType
  /** Returns -1 for a name that the folder does not have. */
  readonly indexOfName: (name: string) => number
}

/** Returns the files before and after the file of a name. `isSibling` decides by the type of a row whether it is one of them. */
export function siblingsIn(
  rows: SiblingRows,
  name: string,
  isSibling: (type: FileType) => boolean,
): Siblings {
  const { total: count } = rows.summary
  const own = rows.indexOfName(name)
  let [position, total, previous, next, first, last] = [0, 0, -1, -1, -1, -1]
  for (let index = 0; index < count; index += 1) {
    if (!isSibling(rows.typeAt(index))) continue
    total += 1
    if (first === -1) first = index
    last = index
    if (index < own) previous = index
    else if (index === own) position = total
    else if (next === -1 && own !== -1) next = index
  }
  const entryAt = (index: number): ListedEntry | null => (index === -1 ? null : (rows.entryAt(index) ?? null))
  return {
    position,
    total,
    previous: entryAt(previous),
    next: entryAt(next),
    first: entryAt(first),
    last: entryAt(last),
    around: (other) => siblingsIn(rows, other, isSibling),
    entriesOf: (types) =>
      Array.from({ length: count }, (_, index) => index).flatMap((index) =>
        types.has(rows.typeAt(index)) ? (entryAt(index) ?? []) : [],
      ),
    pictures: () => picturesIn(rows, own),
  }
}

function picturesIn(rows: SiblingRows, own: number): PictureSequence {
  const at: number[] = []
  for (let index = 0; index < rows.summary.total; index += 1)
    if (['image', 'video'].includes(rows.typeAt(index))) at.push(index)
  return {
    total: at.length,
    openIndex: at.indexOf(own),
    entryAt: (index) => rows.entryAt(at[index] ?? -1) ?? null,
  }
}
