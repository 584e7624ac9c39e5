import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Registers a function that runs when a test or a group of tests has ended. */
export type AtEnd = (cleanUp: () => void) => void

/** Creates an empty folder, which is removed at the end of the test by default. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const memoryFolder = '/dev/shm'

/** The space that the tests need there, in bytes. The databases of PostgreSQL take 63 MB, and those of 20 servers less. */
const neededBytes = 1024 ** 3

/**
 * Returns the folder of files in memory when there is one with enough space, and otherwise the folder of temporary
 * files. Databases of tests are there, because a third of the time of some tests was spent on creating and removing
 * their files on the disk.
 */
export function folderInMemory(): string {
  try {
    accessSync(memoryFolder, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= neededBytes ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
  }
}
