import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Holds the write lock of a database until its standard input ends. */
const program = `
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(process.argv[1], { timeout: 10_000 })
database.exec('begin exclusive')
process.stdout.write('locked')
process.stdin.resume().on('end', () => { database.exec('commit'); database.close() })`

/**
 * Locks a database file in another process, as a backup program or an administrator's tool does. The returned function
 * releases the lock, which the end of the test does otherwise.
 */
export async function lockDatabase(file: string): Promise<() => Promise<void>> {
  const holder = spawn(process.execPath, ['-e', program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return async () => {
    const ended = once(holder, 'exit')
    holder.stdin.end()
    await ended
  }
}
