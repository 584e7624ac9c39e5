import type { Calls, Seat } from './calls.ts'
import { errnoOf } from './descriptors.ts'
import { nodeCalls } from './node-calls.ts'

/** Renames to a name that must be free. File systems without RENAME_NOREPLACE say EINVAL; then by link and unlink. */
export function placeNew(calls: Calls, from: Seat, to: Seat): void {
  try {
    calls.moveNew(from, to)
  } catch (error) {
    if (calls.kind === 'walk' || errnoOf(error) !== 'EINVAL') throw error
    nodeCalls().moveNew(from, to)
  }
}
