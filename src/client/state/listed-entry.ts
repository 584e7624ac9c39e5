import type { Row } from '../../shared/contract/resources.ts'
import type { FileType } from '../../shared/domain/file-kind.ts'

/** One row of an open folder. The object is created while the row is shown. */
export type ListedEntry = {
  readonly name: string
  readonly isFolder: boolean
  readonly isLink: boolean
  readonly isBroken: boolean
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly type: FileType
}

/** Translates a row of the stream. The flags are those of `shared/contract/resources`. */
export const entryOfRow = ([name, sizeBytes, modifiedMs, type, flags]: Row): ListedEntry => ({
  name,
  isFolder: (flags & 1) !== 0,
  isLink: (flags & 2) !== 0,
  isBroken: (flags & 4) !== 0,
  sizeBytes,
  modifiedMs,
  type: type as FileType,
})
