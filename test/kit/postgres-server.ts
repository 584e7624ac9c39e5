import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { folderInMemory } from './temporary-folder.ts'
import { findPostgres } from '../../scripts/setup/postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The folder with the socket of this run's PostgreSQL server. Suites without a PostgreSQL server do not set this
     * value.
     */
    postgres: string
  }
}

/** The database account with all permissions, which needs no password. The account `locked` needs a password. */
const superuser = 'stowage'

/** Settings that trade durability for speed, since the database is deleted after the run. */
const settings = `
listen_addresses = ''
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
max_locks_per_transaction = 256
`

type GlobalSetupContext = { readonly provide: (key: 'postgres', folder: string) => void }

/** Starts a PostgreSQL server for a test run, on a socket in its own folder. Returns a function that stops it. */
export async function setup({ provide }: GlobalSetupContext): Promise<() => Promise<void>> {
  const programs = findPostgres()
  if (programs === null)
    throw new Error('PostgreSQL is not installed here (Debian and Ubuntu: apt-get install postgresql)')
  const folder = mkdtempSync(path.join(folderInMemory(), 'stowage-postgres-'))
  const account = findPostgresAccount()
  if (account !== null) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  const data = path.join(folder, 'data')
  const runProgram = (name: string, ...args: readonly string[]) =>
    runToSuccess(path.join(programs, name), args, { cwd: folder, ...account })
  await runProgram(
    'initdb',
    '-D',
    data,
    '-U',
    superuser,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  )
  appendFileSync(path.join(data, 'postgresql.conf'), `${settings}unix_socket_directories = '${folder}'\n`)
  const accessFile = path.join(data, 'pg_hba.conf')
  const defaultRules = readFileSync(accessFile, 'utf8')
  rmSync(accessFile)
  appendFileSync(accessFile, `local all locked scram-sha-256\n${defaultRules}`)
  if (account !== null) chownSync(accessFile, account.uid, account.gid)
  await runProgram('pg_ctl', 'start', '-w', '-D', data, '-l', path.join(folder, 'log'))
  provide('postgres', folder)
  return async () => {
    await runProgram('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * When this process runs as root, returns another system account for PostgreSQL, which refuses to run as root.
 * Otherwise returns null, and PostgreSQL runs under the account of this process.
 */
function findPostgresAccount(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    ['postgres', 'nobody'].map((name) => accounts.find((account) => account[0] === name)).find(Boolean) ?? []
  if (uid === undefined || gid === undefined) throw new Error('there is no account to run PostgreSQL under')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The folder in which a program runs, and the system account under which it runs. */
type SpawnOptions = { readonly cwd: string; readonly uid?: number; readonly gid?: number }

/** Runs a program without pipes, which the started server would keep open. Throws when the program fails. */
async function runToSuccess(program: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`${path.basename(program)} ended with ${String(code)}`)
}
