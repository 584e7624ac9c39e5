import { nameOf, parentOf, type Path } from '../../src/shared/domain/path.ts'
import type { FoundEntry } from '../../src/client/listing/rows/found-columns.ts'

/** Returns an empty text file as the rows of a list show it. */
export const listedTextFile = (path: Path): FoundEntry => ({
  path,
  folder: parentOf(path),
  name: nameOf(path),
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: 'text',
})
