import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostgres } from '../../scripts/setup/postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the socket of this run's PostgreSQL server. Missing in suites without a PostgreSQL server. */
    postgres: string
  }
}

/** The database account with all permissions, which needs no password. The account `locked` needs a password. */
const owner = 'stowage'

/** Settings that trade durability for speed, since the database is deleted after the run. */
const settings = `
listen_addresses = ''
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
max_locks_per_transaction = 256
`

type TestRun = { readonly provide: (key: 'postgres', folder: string) => void }

/** Starts a PostgreSQL server for a test run, on a socket in its own folder. Returns a function that stops it. */
export async function setup({ provide }: TestRun): Promise<() => Promise<void>> {
  const programs = findPostgres()
  if (programs === null)
    throw new Error('PostgreSQL is not installed here (Debian and Ubuntu: apt-get install postgresql)')
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-postgres-'))
  const account = accountOf()
  if (account !== null) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  const data = path.join(folder, 'data')
  const call = (name: string, ...words: readonly string[]) =>
    runToSuccess(path.join(programs, name), words, { cwd: folder, ...account })
  await call('initdb', '-D', data, '-U', owner, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync')
  appendFileSync(path.join(data, 'postgresql.conf'), `${settings}unix_socket_directories = '${folder}'\n`)
  const access = path.join(data, 'pg_hba.conf')
  const before = readFileSync(access, 'utf8')
  rmSync(access)
  appendFileSync(access, `local all locked scram-sha-256\n${before}`)
  if (account !== null) chownSync(access, account.uid, account.gid)
  await call('pg_ctl', 'start', '-w', '-D', data, '-l', path.join(folder, 'log'))
  provide('postgres', folder)
  return async () => {
    await call('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', data)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the system account under which PostgreSQL runs when this process runs as root, because PostgreSQL refuses to
 * run as root. Returns null for all other users, whose own account is used.
 */
function accountOf(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    ['postgres', 'nobody'].map((name) => accounts.find((account) => account[0] === name)).find(Boolean) ?? []
  if (uid === undefined || gid === undefined) throw new Error('there is no account to run PostgreSQL under')
  return { uid: Number(uid), gid: Number(gid) }
}

/** The folder and the account that a program runs with. */
type SpawnOptions = { readonly cwd: string; readonly uid?: number; readonly gid?: number }

/** Runs a program without pipes, which the started server would keep open. Throws when the program fails. */
async function runToSuccess(program: string, words: readonly string[], options: SpawnOptions): Promise<void> {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`${path.basename(program)} ended with ${String(code)}`)
}
