import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates an empty folder, which is removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
