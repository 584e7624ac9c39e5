import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'

type Meaning = { readonly code: ErrorCode; readonly reason: string }

/** SQLite's primary result codes that say something of the machine, not of a statement. */
const meanings: Readonly<Record<number, Meaning>> = {
  5: { code: 'busy', reason: 'another program keeps the database locked' },
  8: { code: 'unavailable', reason: 'the database may only be read' },
  10: { code: 'unavailable', reason: 'the disk of the database fails' },
  11: { code: 'corrupt', reason: 'the database is damaged' },
  13: { code: 'no-space', reason: 'the disk of the database is full' },
  14: { code: 'unavailable', reason: 'the database cannot be opened' },
  26: { code: 'corrupt', reason: 'the database is damaged' },
}

/** What a full disk is called where its index is kept, in full. */
const noRoomForIndex = 4874

/** A fault of the machine under the database as one that has a word; anything else, a broken constraint say, stays what it is. */
export function asRecordFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number')
    return thrown
  const meaning = meanings[thrown.errcode === noRoomForIndex ? 13 : thrown.errcode & 0xff]
  return meaning === undefined
    ? thrown
    : new AppError(meaning.code, { cause: thrown, reason: meaning.reason })
}
