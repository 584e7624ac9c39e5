import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { encodePath, parsePath, root, type Path } from '../../shared/domain/path.ts'
import { isOrphan } from './constraint.ts'
import { holdTable } from './dialect.ts'
import type { Share, Shares } from './port.ts'
import type { Database, Tables } from './tables.ts'

type Row = Selectable<Tables['share']>

/** Shares in the database. */
export function createShares(database: Database, nowMs: () => number): Shares {
  const living = () => livingShares(database, nowMs())

  return {
    async add(share) {
      try {
        await database.insertInto('share').values(rowOf(share)).execute()
      } catch (cause) {
        throw isOrphan(cause) ? new AppError('not-found', { cause }) : cause
      }
    },
    async find(hash) {
      const row = await living().where('digest', '=', digestOf(hash)).executeTakeFirst()
      return row ? shareOf(row) : null
    },
    async list({ userId, path } = {}) {
      let query = living()
      if (userId !== undefined) query = query.where('user_id', '=', userId)
      if (path !== undefined) query = query.where('path', '=', encodePath(path))
      const rows = await query
        .orderBy('user_id')
        .orderBy('expires_at_seconds')
        .orderBy('created_at')
        .orderBy('digest')
        .execute()
      return rows.map(shareOf).filter((share) => share !== null)
    },
    async remove(hash) {
      await database.deleteFrom('share').where('digest', '=', digestOf(hash)).execute()
    },
    follow: (move) => database.transaction().execute((inside) => follow(inside, move)),
    async places() {
      const rows = await database.selectFrom('share').select('path').distinct().execute()
      return rows.map(({ path }) => path)
    },
    async correct(from, to) {
      const change = { path: encodePath(to) }
      await database.updateTable('share').set(change).where('path', '=', encodePath(from)).execute()
    },
    async endWithin(path) {
      await database
        .deleteFrom('share')
        .where((at) => at.or([isAt(path), isBelow(path)]))
        .execute()
    },
    async purge() {
      await database
        .deleteFrom('share')
        .where('expires_at_seconds', '!=', 0)
        .where('expires_at_seconds', '<=', secondsOf(nowMs()))
        .execute()
    },
  }
}

const livingShares = (database: Database, atMs: number) =>
  database
    .selectFrom('share')
    .selectAll()
    .where((at) => at.or([at('expires_at_seconds', '=', 0), at('expires_at_seconds', '>', secondsOf(atMs))]))

const secondsOf = (ms: number): number => Math.floor(ms / 1000)

async function follow(inside: Database, { from, to, isNew }: Parameters<Shares['follow']>[0]): Promise<void> {
  if (from === to) return
  await holdTable(inside, 'share')
  await inside.deleteFrom('share').where(isBelow(to)).execute()
  if (isNew) await inside.deleteFrom('share').where(isAt(to)).execute()
  const moved = await inside
    .selectFrom('share')
    .select(['digest', 'path'])
    .where((at) => at.or([isAt(from), isBelow(from)]))
    .execute()
  for (const { digest, path } of moved) {
    const after = encodePath(to) + path.slice(encodePath(from).length)
    await inside.updateTable('share').set({ path: after }).where('digest', '=', digest).execute()
  }
}

const isAt = (path: Path) => sql<boolean>`path = ${encodePath(path)}`

/** By comparing the beginning: no pattern, since names may hold a pattern's signs, and no order, which differs between databases. */
function isBelow(path: Path) {
  const beginning = path === root ? '/' : `${encodePath(path)}/`
  return sql<boolean>`substr(path, 1, ${sql.lit(beginning.length)}) = ${beginning}`
}

const digestOf = (hash: string): string => createHash('sha256').update(hash).digest('base64url')

const rowOf = (share: Share): Row => ({
  digest: digestOf(share.hash),
  hash: share.hash,
  user_id: share.userId,
  path: encodePath(share.path),
  kind: share.kind,
  password_hash: share.passwordHash,
  token_digest: share.tokenDigest,
  expires_at_seconds: share.expiresAtSeconds ?? 0,
  available_from_seconds: share.availableFromSeconds ?? 0,
  created_at: share.createdAtMs,
})

/** Null for a path over the limits: it was moved deeper than anybody can reach, and never becomes another path. */
function shareOf(row: Row): Share | null {
  const parsed = parsePath(row.path)
  if (parsed === null) return null
  return {
    hash: row.hash,
    userId: row.user_id,
    path: parsed.path,
    kind: row.kind,
    passwordHash: row.password_hash,
    tokenDigest: row.token_digest,
    expiresAtSeconds: row.expires_at_seconds === 0 ? null : row.expires_at_seconds,
    availableFromSeconds: row.available_from_seconds === 0 ? null : row.available_from_seconds,
    createdAtMs: row.created_at,
  }
}
