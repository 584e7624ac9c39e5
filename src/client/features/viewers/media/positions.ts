import { basePath } from '../../../router/router.ts'
import { storedList, storeList } from '../../../state/storage/stored-list.ts'
import { userOf } from '../../../state/session.ts'

/** The times at which the user left files, in seconds by the key of the file's version. The oldest is the first. */
export type SavedPositions = readonly (readonly [versionKey: string, timeS: number])[]

/** Maximum number of files whose position is kept, which are about 30 kB. The oldest positions are dropped first. */
const maxPositions = 200

/** Positions this close to the start or to the end of a file are not worth keeping, in seconds. */
const startS = 5
const endS = 10

/** Returns the time at which a file continues in seconds, or null when it begins at its start. */
export const savedPosition = (versionKey: string): number | null =>
  readPositions().find(([key]) => key === versionKey)?.[1] ?? null

/** Keeps the time at which the user left a file. A time near the start or the end of the file is forgotten instead. */
export function savePosition(versionKey: string, timeS: number, durationS: number): void {
  const before = readPositions()
  const isKept = timeS > startS && timeS < durationS - endS
  if (!isKept && before.every(([key]) => key !== versionKey)) return
  storeList(storageKey(), positionsAfter(before, versionKey, isKept ? timeS : null))
}

/** Returns the positions after a file was left at a time, or is to begin at its start. */
export function positionsAfter(
  before: SavedPositions,
  versionKey: string,
  timeS: number | null,
): SavedPositions {
  const others = before.filter(([key]) => key !== versionKey)
  return timeS === null ? others : [...others, [versionKey, timeS] as const].slice(-maxPositions)
}

/** The positions are kept per user and per base path, because one host may serve several instances. */
const storageKey = (): string => `positions ${basePath()}/ ${userOf()?.id}`

const readPositions = (): SavedPositions => storedList(storageKey()).filter(isPosition)

/** Other programs can write to the storage. */
const isPosition = (value: unknown): value is SavedPositions[number] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number'
