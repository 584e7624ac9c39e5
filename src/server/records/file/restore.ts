import { rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { hasSqlite, makeFile, putAside, sideEndings } from './database-file.ts'
import { openRecords } from '../open-records.ts'
import type { Records } from '../port.ts'

/** More pages than a database has: all are written in one step, under one lock. */
const allPages = 2_000_000_000

type Restore = {
  /** A backup; absolute. It stays as it is. */
  readonly from: string
  /** The database whose place it takes; made where there is none. Who has it open sees the new state in one step. */
  readonly file: string
  /** Where what is there is kept; null where nothing is. It may be the backup itself, which has been copied by then. */
  readonly kept: string | null
  readonly nowMs: () => number
}

/**
 * Puts a backup in the place of a database, after it was copied, checked and brought forward beside it. All sessions of it are
 * over: some of them were ended after it was made. `unsupported` for what is no backup of ours, `corrupt` for a damaged one.
 */
export async function restoreRecords({ from, file, kept, nowMs }: Restore): Promise<void> {
  const name = `${file}.restoring`
  if (from === name)
    throw new AppError('bad-request', { reason: 'a restore that was interrupted left this; rename it first' })
  try {
    if (!hasSqlite(from)) throw new AppError('unsupported', { reason: 'the file is no backup' })
    await copyState(from, name)
    const staged = await openRecords({ database: name, nowMs, ifMissing: 'refuse' })
    try {
      await staged.asFile?.check()
      await endSessions(staged)
    } finally {
      await staged.close()
    }
    if (kept !== null) await keep(file, { kept, nowMs })
    await copyState(name, file)
  } finally {
    for (const ending of ['', ...sideEndings]) rmSync(name + ending, { force: true })
  }
}

/** A copy, but of what is damaged the very bytes: that is what backups are for. */
async function keep(
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
    putAside(file, kept)
  }
}

/** The pages of one database into another, by SQLite's own means. */
async function copyState(from: string, to: string): Promise<void> {
  makeFile(to)
  let source: DatabaseSync | null = null
  try {
    source = new DatabaseSync(from, { readOnly: true })
    await backup(source, to, { rate: allPages })
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
