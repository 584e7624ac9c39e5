import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { runCli } from '../../src/server/cli/run-cli.ts'
import { servingConfig } from '../../src/server/cli/serving-config.ts'
import type { CliEnvironment } from '../../src/server/cli/verb/verb.ts'
import { realEnvironment } from '../../src/server/config/config-environment.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { ServerRecords } from '../../src/server/records/port.ts'
import type { SessionStore } from '../../src/server/records/session-store.ts'
import { sharedPasswordThreads } from './shared-threads.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The fixed time at which the command line runs in tests, in ms since 1970. */
export const nowMs = () => 1_800_000_000_000

/** Returns the database row of a session that expires in one second. */
export const sessionOf = (userId: number): Parameters<SessionStore['add']>[0] => ({
  id: 's',
  userId,
  createdAtMs: nowMs(),
  seenAtMs: nowMs(),
  idleUntilMs: nowMs() + 1000,
  endsAtMs: nowMs() + 1000,
  agent: '',
  address: '',
  cookieDigest: 'c',
  token: { jtiDigest: 'j', expiresAtMs: nowMs() + 1000 },
})

/** Runs the command line, and returns its exit code and what it has written. */
async function runIn(environment: Pick<CliEnvironment, 'cwd' | 'env' | 'nowMs'>, argv: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCli(argv, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    ...environment,
    randomBytes,
    version: '1.2.3',
    passwordThreads: sharedPasswordThreads(),
  })
  return { code, out: out.join(''), err: err.join('') }
}

/** Runs the command line in an empty folder, at the time of the machine. */
export const cli = (...argv: readonly string[]) =>
  runIn({ cwd: temporaryFolder(), env: {}, nowMs: Date.now }, argv)

/** Creates a working folder and returns functions that run the command line in it. */
export function createCliContext() {
  const cwd = temporaryFolder()
  const file = path.join(cwd, 'x.db')
  const env = { HOME: cwd }
  const run = (...argv: readonly string[]) => runIn({ cwd, env, nowMs }, argv)
  const cli = (line: string, ...more: readonly string[]) => run(...line.split(' '), ...more, '-d', 'x.db')
  const withRecords = async <T>(use: (records: ServerRecords) => Promise<T>): Promise<T> => {
    const records = await openRecords({ database: file, nowMs, ifMissing: 'refuse' })
    try {
      return await use(records)
    } finally {
      await records.close()
    }
  }
  const parseServingConfig = (...argv: readonly string[]) =>
    servingConfig(['-d', 'x.db', ...argv], realEnvironment(env, cwd), { nowMs, randomBytes })
  return { cwd, file, run, cli, withRecords, parseServingConfig }
}
