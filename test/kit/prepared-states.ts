import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { folderInMemory } from './temporary-folder.ts'

/** The environment variable that names the folder of the prepared states of servers during a run of tests. */
export const preparedStatesVariable = 'STOWAGE_TEST_PREPARED_STATES'

/** Creates the folder for the prepared states. The returned function removes it after the last test. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(folderInMemory(), 'stowage-prepared-'))
  process.env[preparedStatesVariable] = folder
  return () => rm(folder, { recursive: true })
}
