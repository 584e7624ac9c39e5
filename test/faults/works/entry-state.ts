import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bytesOf } from '../work.ts'

export const megabyte = 1024 * 1024
export const fileBytes = 20_000
const filesInFolder = 12

export type EntryState = 'whole' | 'absent' | 'torn'

/** Compares the file at a path with the expected bytes. */
export async function fileStateOf(file: string, expected: Buffer): Promise<EntryState> {
  const found = await readFile(file).catch(() => null)
  if (found === null) return 'absent'
  return found.equals(expected) ? 'whole' : 'torn'
}

/** Compares the folder at a path with the folder that `makeFolder` creates. */
export async function folderStateOf(file: string): Promise<EntryState> {
  const names = await readdir(file).catch(() => null)
  if (names === null) return 'absent'
  if (names.length !== filesInFolder) return 'torn'
  for (let n = 0; n < filesInFolder; n += 1)
    if ((await fileStateOf(path.join(file, `${n}.bin`), bytesOf(`${n}`, fileBytes))) !== 'whole')
      return 'torn'
  return 'whole'
}

export async function makeFolder(file: string): Promise<void> {
  await mkdir(file, { recursive: true })
  for (let n = 0; n < filesInFolder; n += 1)
    await writeFile(path.join(file, `${n}.bin`), bytesOf(`${n}`, fileBytes))
}

export async function makeFile(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

type FinishedEntryCount = { readonly end: 'whole' | 'absent'; readonly done: number }

/**
 * Counts the entries in their final state, among files or folders that were created or removed one after the other. An
 * incomplete entry is a fault.
 */
export async function countFinished(
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
