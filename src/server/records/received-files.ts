import { sql, type Insertable } from 'kysely'
import { limits } from '../../shared/domain/limits.ts'
import { encodeName, parsePath, nameOf, root } from '../../shared/domain/path.ts'
import { isForeignKeyViolation } from './constraint-violation.ts'
import { shareDigestOf } from './shares/share-digest.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/** A file that a guest begins to send to an upload-only share. */
export type ReceptionRequest = {
  /** A new random id. */
  readonly id: string
  readonly shareHash: string
  /** The id that the guest's client gave to the upload, by which a repeated upload is recognised. Empty for none. */
  readonly uploadId: string
  /** The name and the note that the guest has typed. Either may be empty. */
  readonly guest: string
  readonly note: string
  readonly sizeBytes: number
}

/**
 * The result of reserving a place for a file. `already-received`: an upload with this id has arrived before. `ended`: the
 * share no longer exists or is not upload-only.
 */
export type ReservationResult = 'reserved' | 'replaced' | 'too-many-files' | 'too-many-bytes' | 'ended'

/** The result of beginning to receive a file of a guest. */
export type BeginReceptionResult =
  | 'begun'
  | 'already-received'
  | Exclude<ReservationResult, 'reserved' | 'replaced'>

/** A file that a guest has sent to a share. */
export type ReceivedFile = {
  /** The name under which the file was stored. The owner may have renamed the file since. */
  readonly name: string
  readonly guest: string
  readonly note: string
  readonly sizeBytes: number
  readonly receivedAtMs: number
}

export type ReceivedTotals = { readonly files: number; readonly bytes: number }

/** The store of the files that guests send to upload-only shares. The rows of a share are removed with it. */
export type ReceivedFileStore = {
  /**
   * Begins to receive a file, unless it would exceed a limit of the share together with the files that have arrived. The
   * file does not count yet. It replaces an earlier attempt of the same upload, whose connection may be lost without
   * notice.
   */
  begin(request: ReceptionRequest): Promise<BeginReceptionResult>
  /** Keeps a file that is being received from counting as abandoned. Returns false when it was replaced or ended. */
  renew(id: string): Promise<boolean>
  /**
   * Reserves a place for a file whose bytes are all there, unless it would exceed a limit of the share together with the
   * files that have arrived or have a place. The place counts until the lease ends, so that a server that crashes gives it
   * back. Returns `replaced` when a later attempt of the upload has begun.
   */
  reserve(request: ReceptionRequest, leaseUntilMs: number): Promise<ReservationResult>
  /** Records that the file has arrived under this name, also when a later attempt of the upload has taken its place. */
  complete(request: ReceptionRequest, name: string): Promise<void>
  /** Ends the reception of a file that did not arrive, and gives its place back. */
  release(id: string): Promise<void>
  /** Returns the received files of a share, the latest first, and at most this number. */
  list(shareHash: string, maxFiles: number): Promise<readonly ReceivedFile[]>
  totals(shareHash: string): Promise<ReceivedTotals>
}

/** Creates the store of the files that guests send to upload-only shares. */
export function createReceivedFiles(database: Database, nowMs: () => number): ReceivedFileStore {
  return {
    async begin(request) {
      try {
        return await database.transaction().execute((transaction) => begin(transaction, request, nowMs()))
      } catch (error) {
        // The share was removed after the transaction had read it.
        if (isForeignKeyViolation(error)) return 'ended'
        throw error
      }
    },
    reserve: (request, leaseUntilMs) =>
      database
        .transaction()
        .execute((transaction) => reserve(transaction, request, { nowMs: nowMs(), leaseUntilMs })),
    async renew(id) {
      const atMs = nowMs()
      const { numUpdatedRows } = await database
        .updateTable('received_file')
        .set({ lease_until: sql`case when lease_until < ${atMs} then ${atMs} else lease_until end` })
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    complete: (request, name) => complete(database, request, { name, receivedAtMs: nowMs() }),
    async release(id) {
      await database.deleteFrom('received_file').where('id', '=', id).execute()
    },
    async list(shareHash, maxFiles) {
      const rows = await database
        .selectFrom('received_file')
        .selectAll()
        .where('share_digest', '=', shareDigestOf(shareHash))
        .where('received_at', 'is not', null)
        .orderBy('received_at', 'desc')
        .orderBy('id')
        .limit(maxFiles)
        .execute()
      return rows.map(({ path, guest, note, size, received_at: receivedAtMs }) => ({
        name: nameOf(parsePath(path)?.path ?? root),
        guest,
        note,
        sizeBytes: size,
        receivedAtMs: receivedAtMs ?? 0,
      }))
    },
    totals: (shareHash) => totalsOf(database, shareDigestOf(shareHash), null),
  }
}

/**
 * Records that a file has arrived. A later attempt of the same upload may have taken the place while the file was being
 * stored. The file then gets a new row, because each stored file counts.
 */
async function complete(
  database: Database,
  request: ReceptionRequest,
  { name, receivedAtMs }: { readonly name: string; readonly receivedAtMs: number },
): Promise<void> {
  const arrival = { path: `/${encodeName(name)}`, received_at: receivedAtMs }
  const { numUpdatedRows } = await database
    .updateTable('received_file')
    .set(arrival)
    .where('id', '=', request.id)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  try {
    await database
      .insertInto('received_file')
      .values({ ...rowOf(request, receivedAtMs), ...arrival })
      .execute()
  } catch (error) {
    // The list of files ends with the share.
    if (!isForeignKeyViolation(error)) throw error
  }
}

/** Returns the row of a file that is being received. */
const rowOf = (
  { id, shareHash, uploadId, guest, note, sizeBytes }: ReceptionRequest,
  leaseUntilMs: number,
): Insertable<DatabaseTables['received_file']> => ({
  id,
  share_digest: shareDigestOf(shareHash),
  upload_id: uploadId,
  path: '',
  guest,
  note,
  size: sizeBytes,
  received_at: null,
  lease_until: leaseUntilMs,
})

/** Adds the row of a file, whose lease ends at once, so that the row does not count. */
async function begin(
  transaction: Database,
  request: ReceptionRequest,
  nowMs: number,
): Promise<BeginReceptionResult> {
  const { shareHash, uploadId } = request
  await lockTable(transaction, 'received_file')
  const digest = shareDigestOf(shareHash)
  if (await hasArrived(transaction, digest, uploadId)) return 'already-received'
  await removeAbandoned(transaction, digest, { uploadId, nowMs })
  const refusal = await refusalOf(transaction, request, nowMs)
  if (refusal !== null) return refusal
  await transaction.insertInto('received_file').values(rowOf(request, nowMs)).execute()
  return 'begun'
}

async function reserve(
  transaction: Database,
  request: ReceptionRequest,
  { nowMs, leaseUntilMs }: { readonly nowMs: number; readonly leaseUntilMs: number },
): Promise<ReservationResult> {
  await lockTable(transaction, 'received_file')
  const row = await transaction
    .selectFrom('received_file')
    .select('id')
    .where('id', '=', request.id)
    .executeTakeFirst()
  if (row === undefined) return 'replaced'
  const refusal = await refusalOf(transaction, request, nowMs)
  if (refusal !== null) return refusal
  await transaction
    .updateTable('received_file')
    .set({ lease_until: leaseUntilMs })
    .where('id', '=', request.id)
    .execute()
  return 'reserved'
}

/** Returns true when an upload with this id has already arrived, so that the guest only missed the response. */
async function hasArrived(transaction: Database, digest: string, uploadId: string): Promise<boolean> {
  if (uploadId === '') return false
  const row = await transaction
    .selectFrom('received_file')
    .select('id')
    .where('share_digest', '=', digest)
    .where('upload_id', '=', uploadId)
    .where('received_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Removes the rows of files that will not arrive: those of earlier attempts of an upload, and those that were renewed
 * more than a day ago, because their server crashed.
 */
async function removeAbandoned(
  transaction: Database,
  digest: string,
  { uploadId, nowMs }: { readonly uploadId: string; readonly nowMs: number },
): Promise<void> {
  await transaction
    .deleteFrom('received_file')
    .where('share_digest', '=', digest)
    .where('received_at', 'is', null)
    .where((expression) =>
      expression.or([
        expression('lease_until', '<', nowMs - dayMs),
        expression.and([expression('upload_id', '=', uploadId), expression('upload_id', '!=', '')]),
      ]),
    )
    .execute()
}

const dayMs = 24 * 60 * 60 * 1000

/** Returns why a share cannot take a file besides the other files that have arrived or have a place, or null. */
async function refusalOf(
  transaction: Database,
  { id, shareHash, sizeBytes }: ReceptionRequest,
  nowMs: number,
): Promise<Exclude<ReservationResult, 'reserved' | 'replaced'> | null> {
  const digest = shareDigestOf(shareHash)
  const share = await transaction
    .selectFrom('share')
    .select(['max_files as maxFiles', 'max_bytes as maxBytes', 'mode'])
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (share?.mode !== 'upload-only') return 'ended'
  const { files, bytes } = await totalsOf(transaction, digest, { atMs: nowMs, exceptId: id })
  if (files >= (share.maxFiles === 0 ? limits.receivedFiles : share.maxFiles)) return 'too-many-files'
  return share.maxBytes !== 0 && bytes + sizeBytes > share.maxBytes ? 'too-many-bytes' : null
}

/** Returns the totals of the files that have arrived and, with a time, of those that have a place at that time. */
function totalsOf(
  database: Database,
  digest: string,
  places: { readonly atMs: number; readonly exceptId: string } | null,
): Promise<ReceivedTotals> {
  return database
    .selectFrom('received_file')
    .select([
      sql<number>`count(*)`.as('files'),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
    ])
    .where('share_digest', '=', digest)
    .where((expression) =>
      places === null
        ? expression('received_at', 'is not', null)
        : expression.and([
            expression('id', '!=', places.exceptId),
            expression.or([
              expression('received_at', 'is not', null),
              expression('lease_until', '>', places.atMs),
            ]),
          ]),
    )
    .executeTakeFirstOrThrow()
}
