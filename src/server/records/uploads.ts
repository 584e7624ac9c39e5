import { type Path, encodePath, parsePath, root } from '../../shared/domain/path.ts'
import type { Selectable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/**
 * An upload whose file arrives in several requests. It is identified by its user and path, so two users who upload to
 * the same path have separate uploads.
 */
export type UploadRecord = {
  readonly userId: number
  /** The path, relative to the user's scope. */
  readonly path: Path
  /** The unique name that the storage gave to the upload. */
  readonly token: string
  readonly sizeBytes: number
  readonly overwrite: 'create' | 'upsert'
  /**
   * True when the uploaded file is complete and has its final name. The row is kept for a while, because a client that
   * did not receive the last response requests the state of the upload.
   */
  readonly isDone: boolean
  /**
   * The time of the last change. A finished upload's file has this time or `modifiedMs` as its modification time, which
   * shows that the upload is done even when `isDone` could not be stored.
   */
  readonly touchedAtMs: number
  /** The modification time that the client wants to keep, in ms since 1970. Null when the client sent none. */
  readonly modifiedMs: number | null
}

export type UploadStore = {
  find(key: Pick<UploadRecord, 'userId' | 'path'>): Promise<UploadRecord | null>
  /**
   * Stores an upload. Returns the upload of the same user and path that it replaces; null when no upload was replaced.
   * Of several concurrent calls, only one returns the same replaced upload. Throws `too-many-tries` when the user has too
   * many unfinished uploads.
   */
  put(upload: UploadRecord): Promise<UploadRecord | null>
  touch(token: string, change: { readonly atMs: number; readonly isDone: boolean }): Promise<void>
  remove(tokens: readonly string[]): Promise<void>
  list(): Promise<readonly UploadRecord[]>
  /**
   * Returns a batch of uploads that were not changed since the given times: one time for open uploads, and one for
   * finished uploads.
   */
  listStale(before: {
    readonly openBeforeMs: number
    readonly doneBeforeMs: number
  }): Promise<readonly UploadRecord[]>
}

type UploadRow = Selectable<DatabaseTables['upload']>

/**
 * The maximum number of unfinished uploads of one user, unless a test needs fewer. A client has five in progress, and leaves unfinished ones behind
 * only where it was closed, so that ordinary use stays far below (docs/decisions, 123).
 */
export const openUploadsPerUser = 1000
/**
 * The number of rows of finished uploads that are kept for one user, the latest. They are only read by a client that missed
 * the last response, which asks again within seconds. Four times as many may exist until the next deletion.
 */
export const finishedUploadsPerUser = 1000

/** Creates the store of uploads, which contains at most one upload per user and path. */
export function createUploads(database: Database, rowsPerUser?: number): UploadStore {
  const rowOf = ({ userId, path }: Pick<UploadRecord, 'userId' | 'path'>) =>
    database
      .selectFrom('upload')
      .selectAll()
      .where('user_id', '=', userId)
      .where('path', '=', encodePath(path))
  return {
    async find(key) {
      const row = await rowOf(key).executeTakeFirst()
      return row === undefined ? null : uploadOf(row)
    },
    put: (upload) => putUpload(database, upload, rowsPerUser),
    async touch(token, { atMs, isDone }) {
      await database
        .updateTable('upload')
        .set({ touched_at: atMs, is_done: Number(isDone) })
        .where('token', '=', token)
        .execute()
    },
    async remove(tokens) {
      if (tokens.length > 0) await database.deleteFrom('upload').where('token', 'in', tokens).execute()
    },
    async list() {
      const rows = database.selectFrom('upload').selectAll().orderBy('user_id').orderBy('path')
      return (await rows.execute()).map(uploadOf)
    },
    async listStale({ openBeforeMs, doneBeforeMs }) {
      const rows = await database
        .selectFrom('upload')
        .selectAll()
        .where((expression) =>
          expression('touched_at', '<', openBeforeMs).or(
            expression.and([expression('touched_at', '<', doneBeforeMs), expression('is_done', '=', 1)]),
          ),
        )
        .limit(staleBatchSize)
        .execute()
      return rows.map(uploadOf)
    },
  }
}

async function putUpload(
  database: Database,
  upload: UploadRecord,
  rowsPerUser: number | undefined,
): Promise<UploadRecord | null> {
  const row: UploadRow = {
    user_id: upload.userId,
    path: encodePath(upload.path),
    token: upload.token,
    size: upload.sizeBytes,
    overwrite: upload.overwrite,
    is_done: Number(upload.isDone),
    touched_at: upload.touchedAtMs,
    modified_at: upload.modifiedMs,
  }
  return database.transaction().execute(async (transaction) => {
    await lockTable(transaction, 'upload')
    const former = await transaction
      .deleteFrom('upload')
      .where('user_id', '=', row.user_id)
      .where('path', '=', row.path)
      .returningAll()
      .executeTakeFirst()
    await keepWithinLimits(transaction, row.user_id, rowsPerUser)
    await transaction.insertInto('upload').values(row).execute()
    return former === undefined ? null : uploadOf(former)
  })
}

/**
 * Makes room for one more upload of a user. Throws `too-many-tries` when the user has as many unfinished uploads as permitted.
 * Deletes the oldest rows of finished uploads when there are too many.
 */
async function keepWithinLimits(
  transaction: Database,
  userId: number,
  rowsPerUser: number | undefined,
): Promise<void> {
  const mostOpen = rowsPerUser ?? openUploadsPerUser
  const keptFinished = rowsPerUser ?? finishedUploadsPerUser
  const own = transaction.selectFrom('upload').where('user_id', '=', userId)
  const countOf = async (rows: typeof own): Promise<number> =>
    Number((await rows.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
  // Most users have few uploads of any kind, and this count reads nothing but an index.
  const count = await countOf(own)
  if (count < mostOpen) return
  const openCount = await countOf(own.where('is_done', '=', 0))
  if (openCount >= mostOpen) throw new AppError('too-many-tries', { retryAfterSeconds: 60 })
  if (count - openCount < 4 * keptFinished) return
  const oldest = own
    .select('token')
    .where('is_done', '=', 1)
    .orderBy('touched_at')
    .limit(count - openCount - keptFinished)
  await transaction.deleteFrom('upload').where('token', 'in', oldest).execute()
}

/**
 * The maximum number of uploads that `listStale` returns. The callers remove them with one statement, and a database
 * accepts a limited number of values per statement.
 */
const staleBatchSize = 500

const uploadOf = (row: UploadRow): UploadRecord => ({
  userId: row.user_id,
  path: parsePath(row.path)?.path ?? root,
  token: row.token,
  sizeBytes: row.size,
  overwrite: row.overwrite === 'upsert' ? 'upsert' : 'create',
  isDone: row.is_done === 1,
  touchedAtMs: row.touched_at,
  modifiedMs: row.modified_at,
})
