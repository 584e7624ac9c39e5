import { entryFlag, type MatchStat } from '../../port.ts'
import { isUnreachable } from '../calls/descriptors.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { kindOf, modifiedMsOf, type FileStat } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/** A match of a search. `target` is the metadata of a link's target, null for a broken link, and undefined for no link. */
type FoundMatch = { readonly location: EntryLocation; readonly target: FileStat | null | undefined }

/** The number of values that one match has among the packed stats: its size, its time and its flags. */
const valuesPerMatch = 3
/** Stands for the size of a match that disappeared before its metadata was read. */
const missing = -1

/** Reads the metadata of a match, and appends it to the packed stats of a message. */
export function packStat(context: TaskContext, { location, target }: FoundMatch, into: number[]): void {
  const stat = target ?? statOrUnreachable(context, location)
  if (stat === null) into.push(missing, 0, 0)
  else if (stat === 'unreachable') into.push(0, 0, entryFlag.unreachable)
  else into.push(stat.sizeBytes, modifiedMsOf(stat), flagsOf(stat, target))
}

function statOrUnreachable({ calls }: TaskContext, location: EntryLocation): FileStat | 'unreachable' | null {
  try {
    return calls.statIfExists(location)
  } catch (error) {
    if (isUnreachable(error)) return 'unreachable'
    throw error
  }
}

function flagsOf(stat: FileStat, target: FoundMatch['target']): number {
  const kind = kindOf(stat)
  return (
    (kind === 'folder' ? entryFlag.folder : 0) |
    (target === undefined ? 0 : entryFlag.link) |
    (target === null ? entryFlag.broken : 0) |
    (kind === 'other' ? entryFlag.special : 0)
  )
}

/** Returns the stat of the match with this index, or null when the match disappeared before it was read. */
export function unpackStat(packed: Float64Array, index: number): MatchStat | null {
  const at = index * valuesPerMatch
  const [sizeBytes = missing, modifiedMs = 0, flags = 0] = packed.subarray(at, at + valuesPerMatch)
  return sizeBytes === missing ? null : { sizeBytes, modifiedMs, flags }
}
