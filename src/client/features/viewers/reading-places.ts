import { basePath } from '../../router/router.ts'
import { storedList, storeList } from '../../state/storage/stored-list.ts'
import { userOf } from '../../state/session.ts'

/** A place in a book or comic as whole numbers, whose meaning its viewer knows. */
export type ReadingPlace = readonly number[]

/** Maximum number of files whose place is kept, which are about 30 kB. The oldest places are dropped first. */
const maxPlaces = 200

/** Returns the place at which the user left a version of a file, or null when nothing is kept. */
export const savedReadingPlace = (versionKey: string): ReadingPlace | null =>
  readPlaces().find(([key]) => key === versionKey)?.[1] ?? null

/** Keeps the place at which the user is in a version of a file. */
export function saveReadingPlace(versionKey: string, place: ReadingPlace): void {
  const others = readPlaces().filter(([key]) => key !== versionKey)
  storeList(storageKey(), [...others, [versionKey, place] as const].slice(-maxPlaces))
}

type SavedPlace = readonly [versionKey: string, place: ReadingPlace]

/** The places are kept per user and per base path, because one host may serve several instances. */
const storageKey = (): string => `reading ${basePath()}/ ${userOf()?.id}`

const readPlaces = (): readonly SavedPlace[] => storedList(storageKey()).filter(isSavedPlace)

/** Other programs can write to the storage. */
const isSavedPlace = (value: unknown): value is SavedPlace =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  Array.isArray(value[1]) &&
  value[1].every((part) => Number.isSafeInteger(part) && part >= 0)
