import { rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { parsePath, root } from '../../shared/domain/path.ts'
import { isSqliteFile, createPrivateFile, moveDamagedFile, sideFileSuffixes } from './file/database-file.ts'
import { openRecords } from './open-records.ts'
import type { ServerRecords } from './port.ts'
import { placesWithin } from './share-store.ts'

/**
 * The number of pages that SQLite copies in one step under one lock. It is larger than the number of pages of any
 * database, so the whole database is copied in one step.
 */
const pagesPerStep = 2_000_000_000

type RestoreOptions = {
  /** The absolute path of the backup, which stays unchanged. */
  readonly from: string
  /**
   * The path of the database, which is replaced or created. Processes that have the database open see the change as one
   * transaction.
   */
  readonly file: string
  /**
   * The path for a copy of the former database; null when no copy is to be kept. The path may be that of the backup,
   * because the backup is read before the copy is written.
   */
  readonly formerCopy: string | null
  readonly nowMs: () => number
}

/**
 * Restores a backup. The backup is copied to a file next to the database, checked and migrated, and then replaces the
 * database. All restored sessions are ended, because some of them may have been ended after the backup was made. The disks of
 * shares are forgotten, because the files may be on another disk now (decision 125). Throws `unsupported` for a file that is not a backup, and `corrupt` for a damaged backup.
 */
export async function restoreRecords({ from, file, formerCopy, nowMs }: RestoreOptions): Promise<void> {
  const stagedFile = `${file}.restoring`
  if (from === stagedFile)
    throw new AppError('bad-request', { reason: 'a restore that was interrupted left this; rename it first' })
  try {
    if (!isSqliteFile(from)) throw new AppError('unsupported', { reason: 'the file is not a backup' })
    await copyDatabasePages(from, stagedFile)
    const staged = await openRecords({ database: stagedFile, nowMs, ifMissing: 'refuse' }).catch(
      (thrown: unknown) => Promise.reject(withBackupNamed(thrown, from)),
    )
    try {
      await staged.fileOperations
        ?.check()
        .catch((thrown: unknown) => Promise.reject(withBackupNamed(thrown, from)))
      await endSessions(staged)
      await refuseOldTokens(staged)
      await forgetDisks(staged)
    } finally {
      await staged.close()
    }
    if (formerCopy !== null) await keepFormerDatabase(file, { formerCopy, nowMs })
    await copyDatabasePages(stagedFile, file)
  } finally {
    for (const suffix of ['', ...sideFileSuffixes]) rmSync(stagedFile + suffix, { force: true })
  }
}

/** Returns an error that names the damaged backup, and not the file to which it was copied. Returns any other error unchanged. */
const withBackupNamed = (cause: unknown, backupFile: string): unknown =>
  codeOf(cause) === 'corrupt'
    ? new AppError('corrupt', { cause, reason: `the backup ${backupFile} is damaged` })
    : cause

/** Keeps a copy of the former database. A damaged database, which SQLite cannot copy, is moved byte by byte. */
async function keepFormerDatabase(
  file: string,
  { formerCopy, nowMs }: { readonly formerCopy: string; readonly nowMs: () => number },
): Promise<void> {
  try {
    const records = await openRecords({ database: file, nowMs, ifMissing: 'refuse' })
    try {
      await records.fileOperations?.copyTo(formerCopy)
    } finally {
      await records.close()
    }
  } catch (thrown) {
    if (codeOf(thrown) !== 'corrupt') throw thrown
    moveDamagedFile(file, formerCopy)
  }
}

/** Copies the pages of one database into another with the backup function of SQLite. */
async function copyDatabasePages(from: string, to: string): Promise<void> {
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

async function endSessions({ users, sessions }: ServerRecords): Promise<void> {
  for (const { id } of await users.list()) await sessions.endAllOf(id)
}

async function refuseOldTokens({ settings }: ServerRecords): Promise<void> {
  const takeover = await settings.takeover()
  if (takeover !== null) await settings.setTakeover({ ...takeover, acceptsOldTokens: false })
}

async function forgetDisks({ shares }: ServerRecords): Promise<void> {
  for await (const place of placesWithin(shares, root)) {
    const path = parsePath(place.path)?.path
    if (path !== undefined && place.disk !== null) await shares.correctPlace(place, { path, disk: null })
  }
}
