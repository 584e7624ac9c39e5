import { entryFlag, type MatchFacts } from '../../port.ts'
import { isUnreachable } from '../calls/descriptors.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { kindOf, modifiedMsOf, type FileStat } from '../calls/file-stat.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/** A match of a search. `target` is the metadata of a link's target, null for a broken link, and undefined for no link. */
type FoundMatch = { readonly location: EntryLocation; readonly target: FileStat | null | undefined }

/** The number of values that one match has among the packed facts: its size, its time and its flags. */
const valuesPerMatch = 3
/** Stands for the size of a match that disappeared before its metadata was read. */
const missing = -1

/** Reads the metadata of a match, and appends it to the packed facts of a message. */
export function packFacts(context: TaskContext, { location, target }: FoundMatch, into: number[]): void {
  const facts = target ?? statOrUnreachable(context, location)
  if (facts === null) into.push(missing, 0, 0)
  else if (facts === 'unreachable') into.push(0, 0, entryFlag.unreachable)
  else into.push(facts.sizeBytes, modifiedMsOf(facts), flagsOf(facts, target))
}

function statOrUnreachable({ calls }: TaskContext, location: EntryLocation): FileStat | 'unreachable' | null {
  try {
    return calls.statIfExists(location)
  } catch (error) {
    if (isUnreachable(error)) return 'unreachable'
    throw error
  }
}

function flagsOf(facts: FileStat, target: FoundMatch['target']): number {
  const kind = kindOf(facts)
  return (
    (kind === 'folder' ? entryFlag.folder : 0) |
    (target === undefined ? 0 : entryFlag.link) |
    (target === null ? entryFlag.broken : 0) |
    (kind === 'other' ? entryFlag.special : 0)
  )
}

/** Returns the facts about the match with this index. Returns null when the match disappeared before they were read. */
export function unpackFacts(packed: Float64Array, index: number): MatchFacts | null {
  const at = index * valuesPerMatch
  const [sizeBytes = missing, modifiedMs = 0, flags = 0] = packed.subarray(at, at + valuesPerMatch)
  return sizeBytes === missing ? null : { sizeBytes, modifiedMs, flags }
}
