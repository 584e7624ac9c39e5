import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The environment variable that names the folder of the prepared states of servers during a run of tests. */
export const preparedStatesVariable = 'STOWAGE_TEST_PREPARED_STATES'

/** Creates the folder for the prepared states. The returned function removes it after the last test. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-prepared-'))
  process.env[preparedStatesVariable] = folder
  return () => rm(folder, { recursive: true })
}
