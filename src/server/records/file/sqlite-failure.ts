import { AppError, type ErrorCode } from '../../../shared/domain/failure.ts'

/** Returns the sentence for a damaged database, with what can be done about it. */
export const damagedReason = (file: string): string =>
  `the database ${file} is damaged; stop the server and restore a backup: stowage restore BACKUP --force -d ${file}`

/** A failure without a reason is a damaged file. */
type SqliteFailure = { readonly code: ErrorCode; readonly reason?: string }

/**
 * The failures for the primary result codes with which SQLite reports a problem of the machine, such as a full disk,
 * and not of a statement.
 */
const sqliteFailures: Readonly<Record<number, SqliteFailure>> = {
  5: { code: 'unavailable', reason: 'another program keeps the database locked' },
  8: { code: 'unavailable', reason: 'the database is read-only' },
  10: { code: 'unavailable', reason: 'the disk of the database fails' },
  11: { code: 'corrupt' },
  13: { code: 'no-space', reason: 'the disk of the database is full' },
  14: { code: 'unavailable', reason: 'the database cannot be opened' },
  26: { code: 'corrupt' },
}

/**
 * The result code SQLITE_IOERR_SHMSIZE: the disk is too full for the shared-memory index of the write-ahead log. Its
 * primary code stands for any I/O error.
 */
const sharedMemorySizeError = 4874

/**
 * Converts an error that was caused by a problem of the machine, such as a full disk, into an `AppError`. Any other
 * error, such as a violated constraint, is returned unchanged.
 */
export function explainSqliteError(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return thrown
  const failure = sqliteFailures[thrown.errcode === sharedMemorySizeError ? 13 : thrown.errcode & 0xff]
  return failure === undefined
    ? thrown
    : new AppError(failure.code, {
        cause: thrown,
        reason: failure.reason ?? damagedReason(file),
      })
}
