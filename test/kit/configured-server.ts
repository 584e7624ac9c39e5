import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { build } from '../../src/server/build.ts'
import { servingConfig } from '../../src/server/cli/serving-config.ts'
import { realEnvironment } from '../../src/server/config/config-environment.ts'
import { sharedDatabaseThreads, sharedPasswordThreads, sharedStorageThreads } from './shared-threads.ts'

/** A database and the served folder of a server. `home` is the working folder; by default, it is the served folder. */
type ServedState = { readonly root: string; readonly database: string; readonly home?: string }

/**
 * Starts a server with flags, as the program does: it takes over the database when that is one of File Browser. The caller must
 * close the server.
 */
export async function openConfiguredServer(
  { root, database, home = root }: ServedState,
  flags: readonly string[] = [],
) {
  const argv = ['-d', database, '-r', root, '-b', '', ...flags]
  const setup = await servingConfig(argv, realEnvironment({}, home), { nowMs: Date.now, randomBytes })
  const app = await build(setup.config, {
    nowMs: Date.now,
    randomBytes,
    log: () => {},
    clientFolder: null,
    version: 'test',
    passwordThreads: sharedPasswordThreads(),
    databaseThreads: sharedDatabaseThreads(),
    storageThreads: sharedStorageThreads(),
    originalDatabase: setup.original,
  })
  const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
  const get = (at: string, headers: Record<string, string> = {}) => fetch(`${url}${at}`, { headers })
  const logIn = (username: string, password: string) =>
    fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  return { ...setup, url, get, logIn, close: () => app.close({ graceMs: 0 }) }
}

/** Starts a server as `openConfiguredServer` does. It is closed at the end of the test. */
export async function startConfiguredServer(...options: Parameters<typeof openConfiguredServer>) {
  const server = await openConfiguredServer(...options)
  onTestFinished(server.close)
  return server
}
