import type { Workload } from '../work.ts'
import { inParts, overwrite, save, upload } from './bytes.ts'
import { password, userChange, settings, share } from './records.ts'
import { archive, copies, moves, removals } from './trees.ts'

/** All workloads that run while a server is killed. */
export const workloads: readonly Workload[] = [
  upload,
  inParts,
  overwrite,
  save,
  ...moves,
  ...copies,
  ...removals,
  archive,
  userChange,
  password,
  settings,
  share,
]
