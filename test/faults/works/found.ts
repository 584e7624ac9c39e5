import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bytesOf } from '../work.ts'

export const megabyte = 1024 * 1024
export const fileBytes = 20_000
const filesInFolder = 12

export type Found = 'whole' | 'absent' | 'torn'

/** What stands at a place: whole, absent, or torn. */
export async function fileAt(place: string, wanted: Buffer): Promise<Found> {
  const found = await readFile(place).catch(() => null)
  if (found === null) return 'absent'
  return found.equals(wanted) ? 'whole' : 'torn'
}

/** A folder as `makeFolder` has made it. */
export async function folderAt(place: string): Promise<Found> {
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

type Counted = { readonly end: 'whole' | 'absent'; readonly done: number }

/** How many things, made or gone one after the other, have come to their end; none may be half way. */
export async function countUntil(
  stateOf: (n: number) => Promise<Found>,
  { end, done }: Counted,
): Promise<number | string> {
  for (let n = 0; n <= done + 1; n += 1) {
    const state = await stateOf(n)
    if (state === 'torn') return `${n} of ${done} is torn`
    if (state !== end) return n
  }
  return done + 2
}
