import type { Work } from '../work.ts'
import { inParts, overwrite, save, upload } from './bytes.ts'
import { password, person, settings, share } from './records.ts'
import { archive, copies, moves, removals } from './trees.ts'

/** All works that run while a server is killed. */
export const works: readonly Work[] = [
  upload,
  inParts,
  overwrite,
  save,
  ...moves,
  ...copies,
  ...removals,
  archive,
  person,
  password,
  settings,
  share,
]
