import { AppError, type ErrorCode } from '../../../shared/domain/failure.ts'

type SqliteFailure = { readonly code: ErrorCode; readonly reason: string }

/**
 * The failures for the primary result codes with which SQLite reports a fault of the machine, and not of a statement.
 */
const sqliteFailures: Readonly<Record<number, SqliteFailure>> = {
  5: { code: 'busy', reason: 'another program keeps the database locked' },
  8: { code: 'unavailable', reason: 'the database may only be read' },
  10: { code: 'unavailable', reason: 'the disk of the database fails' },
  11: { code: 'corrupt', reason: 'the database is damaged' },
  13: { code: 'no-space', reason: 'the disk of the database is full' },
  14: { code: 'unavailable', reason: 'the database cannot be opened' },
  26: { code: 'corrupt', reason: 'the database is damaged' },
}

/**
 * SQLITE_IOERR_SHMSIZE: the disk is too full for the shared-memory index of the log. Its primary code reports only an
 * I/O error.
 */
const ioErrorNoRoomForIndex = 4874

/**
 * Converts an error that a fault of the machine caused, such as a full disk, into an `AppError`. Any other error, such
 * as a violated constraint, is returned unchanged.
 */
export function explainSqliteError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return thrown
  const meaning = sqliteFailures[thrown.errcode === ioErrorNoRoomForIndex ? 13 : thrown.errcode & 0xff]
  return meaning === undefined
    ? thrown
    : new AppError(meaning.code, { cause: thrown, reason: meaning.reason })
}
