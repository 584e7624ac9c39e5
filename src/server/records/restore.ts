import { rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { isSqliteFile, createPrivateFile, moveDamagedFile, sideFileSuffixes } from './file/database-file.ts'
import { openRecords } from './open-records.ts'
import type { Records } from './port.ts'

/**
 * Number of pages that SQLite copies in one step, under one lock. No database has more pages, so the whole copy is one
 * step.
 */
const pagesPerStep = 2_000_000_000

type RestoreOptions = {
  /** The absolute path of the backup, which stays unchanged. */
  readonly from: string
  /**
   * The path of the database, which is replaced or created. Processes that have it open see the new state atomically.
   */
  readonly file: string
  /**
   * The path for a copy of the former database; null when no copy is wanted. It may equal the path of the backup,
   * because the backup is read before the copy is written.
   */
  readonly kept: string | null
  readonly nowMs: () => number
}

/**
 * Restores a backup. The backup is copied beside the database, checked and migrated, and then replaces the database.
 * All restored sessions are ended, because some of them may have been ended after the backup was made. Throws
 * `unsupported` for a file that is not a backup, and `corrupt` for a damaged backup.
 */
export async function restoreRecords({ from, file, kept, nowMs }: RestoreOptions): Promise<void> {
  const name = `${file}.restoring`
  if (from === name)
    throw new AppError('bad-request', { reason: 'a restore that was interrupted left this; rename it first' })
  try {
    if (!isSqliteFile(from)) throw new AppError('unsupported', { reason: 'the file is no backup' })
    await copyState(from, name)
    const staged = await openRecords({ database: name, nowMs, ifMissing: 'refuse' })
    try {
      await staged.asFile?.check()
      await endSessions(staged)
    } finally {
      await staged.close()
    }
    if (kept !== null) await keepFormerState(file, { kept, nowMs })
    await copyState(name, file)
  } finally {
    for (const ending of ['', ...sideFileSuffixes]) rmSync(name + ending, { force: true })
  }
}

/** Copies the former database. A damaged database, which SQLite cannot copy, is moved byte by byte. */
async function keepFormerState(
  file: string,
  { kept, nowMs }: { readonly kept: string; readonly nowMs: () => number },
): Promise<void> {
  try {
    const records = await openRecords({ database: file, nowMs, ifMissing: 'refuse' })
    try {
      await records.asFile?.copyTo(kept)
    } finally {
      await records.close()
    }
  } catch (thrown) {
    if (codeOf(thrown) !== 'corrupt') throw thrown
    moveDamagedFile(file, kept)
  }
}

/** Copies the pages of one database into another with the backup function of SQLite. */
async function copyState(from: string, to: string): Promise<void> {
  createPrivateFile(to)
  let source: DatabaseSync | null = null
  try {
    source = new DatabaseSync(from, { readOnly: true })
    await backup(source, to, { rate: pagesPerStep })
  } catch (cause) {
    throw new AppError('corrupt', {
      cause,
      reason: `the state cannot be copied (${(cause as Error).message})`,
    })
  } finally {
    source?.close()
  }
}

async function endSessions({ users, sessions }: Records): Promise<void> {
  for (const { id } of await users.list()) await sessions.endAllOf(id)
}
