import { mkdtempSync, rmSync } from 'node:fs'
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
