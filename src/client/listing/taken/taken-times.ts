import { createPersonalStore } from '../../state/personal.ts'

/** The times at which the pictures in a folder were taken, by their names, in milliseconds since 1970. */
export type TakenTimes = ReadonlyMap<string, number>

/** The proportions of pictures by their names: the width as a multiple of the height. */
export type Proportions = ReadonlyMap<string, number>

/** The times and proportions of a folder, and the version of its files for which they were requested. */
export type FolderTakenTimes = {
  readonly times: TakenTimes
  readonly proportions: Proportions
  readonly version: number
}

/** The times and proportions of the folders that were shown last as galleries, by their paths. The newest ones are last. */
export const takenTimes = createPersonalStore<ReadonlyMap<string, FolderTakenTimes>>(new Map())
