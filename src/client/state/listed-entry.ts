import type { ListingRow } from '../../shared/contract/resources.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { FileType } from '../../shared/domain/file-types.ts'

/** A row of an open folder. The object is created on demand from the columns. */
export type ListedEntry = {
  readonly name: string
  /** The folder that contains the entry. Only results of a search have it, because they may be in several folders. */
  readonly folder?: Path
  readonly isFolder: boolean
  readonly isLink: boolean
  readonly isBroken: boolean
  /** True when the server cannot read what the entry is: it may not, or the disk behind the entry does not respond. */
  readonly isUnreachable?: true
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly type: FileType
}

/** Entries, and the folder that contains those of them that do not name a folder of their own. */
export type EntriesOfFolder = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/** Returns the key of an entry among the entries of all folders. `shown` is the folder of an entry that names none. */
export const keyOfEntry = ({ name, folder }: ListedEntry, shown: Path | null): string =>
  `${folder ?? shown}/${name}`

/** Returns the folder of the entry to which a key belongs. */
export const folderOfKey = (key: string): string => key.slice(0, key.lastIndexOf('/'))

/** The facts about an entry that a comparison of two entries with the same name shows. */
export type ComparedEntry = Pick<ListedEntry, 'isFolder' | 'type' | 'sizeBytes' | 'modifiedMs'>

/** Reads the flags of a row or of a hit. `shared/contract/resources` defines them. */
export const readFlags = (
  flags: number,
): Pick<ListedEntry, 'isFolder' | 'isLink' | 'isBroken' | 'isUnreachable'> => ({
  isFolder: (flags & 1) !== 0,
  isLink: (flags & 2) !== 0,
  isBroken: (flags & 4) !== 0,
  ...((flags & 16) !== 0 && { isUnreachable: true }),
})

/** Returns the flags of the row of an entry. */
export const flagsOfEntry = ({ isFolder, isLink, isBroken, isUnreachable }: ListedEntry): number =>
  Number(isFolder) + Number(isLink) * 2 + Number(isBroken) * 4 + Number(isUnreachable === true) * 16

/** Converts a row of the stream to an entry. */
export const entryOfRow = ([name, sizeBytes, modifiedMs, type, flags]: ListingRow): ListedEntry => ({
  name,
  ...readFlags(flags),
  sizeBytes,
  modifiedMs,
  type: type as FileType,
})
