import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Registers a function that runs before a signal ends the process. Returns the function that removes it again. */
export type SignalListener = (cleanUp: () => void) => () => void

/**
 * Runs a task with a temporary folder beside the database, which only the user of this process can enter. The folder is removed
 * when the task has ended and when a signal ends the process. Its name contains the number of the process, so that a folder of a
 * killed process is recognised.
 */
export async function withPrivateFolder<Value>(
  { databaseFile, atSignal }: { readonly databaseFile: string; readonly atSignal: SignalListener },
  task: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(`${databaseFile}.doctor-${process.pid}-`)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const stopListening = atSignal(remove)
  try {
    return await task(folder)
  } finally {
    stopListening()
    remove()
  }
}

/** Removes the temporary folders that killed processes have left beside the database. Never throws. */
export function removeLeftFolders(databaseFile: string): void {
  const folder = dirname(databaseFile)
  const prefix = `${basename(databaseFile)}.doctor-`
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const [, pid] =
        (entry.name.startsWith(prefix) && /^(\d+)-\w{6}$/.exec(entry.name.slice(prefix.length))) || []
      if (pid !== undefined && entry.isDirectory() && !isRunning(Number(pid)))
        rmSync(join(folder, entry.name), { recursive: true, force: true })
    }
  } catch {
    // A folder that this user cannot list or remove is left to the user who made it.
  }
}

/** Returns true for another process that runs. This process has made no folder before it removes those of others. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
