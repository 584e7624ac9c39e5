import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bytesOf } from '../work.ts'

export const megabyte = 1024 * 1024
export const fileBytes = 20_000
const filesInFolder = 12

export type EntryState = 'whole' | 'absent' | 'torn'

/** Compares the file at a path with the expected bytes. */
export async function fileAt(place: string, wanted: Buffer): Promise<EntryState> {
  const found = await readFile(place).catch(() => null)
  if (found === null) return 'absent'
  return found.equals(wanted) ? 'whole' : 'torn'
}

/** Compares the folder at a path with the folder that `makeFolder` creates. */
export async function folderAt(place: string): Promise<EntryState> {
  const names = await readdir(place).catch(() => null)
  if (names === null) return 'absent'
  if (names.length !== filesInFolder) return 'torn'
  for (let n = 0; n < filesInFolder; n += 1)
    if ((await fileAt(path.join(place, `${n}.bin`), bytesOf(`${n}`, fileBytes))) !== 'whole') return 'torn'
  return 'whole'
}

export async function makeFolder(place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  for (let n = 0; n < filesInFolder; n += 1)
    await writeFile(path.join(place, `${n}.bin`), bytesOf(`${n}`, fileBytes))
}

export async function makeFile(place: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true })
  await writeFile(place, bytes)
}

type FinishedEntryCount = { readonly end: 'whole' | 'absent'; readonly done: number }

/**
 * Counts the entries in their final state, among files or folders that were created or removed one after the other. An
 * incomplete entry is a fault.
 */
export async function countUntil(
  stateOf: (n: number) => Promise<EntryState>,
  { end, done }: FinishedEntryCount,
): Promise<number | string> {
  for (let n = 0; n <= done + 1; n += 1) {
    const state = await stateOf(n)
    if (state === 'torn') return `${n} of ${done} is torn`
    if (state !== end) return n
  }
  return done + 2
}
