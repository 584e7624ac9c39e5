import { sql, type SelectQueryBuilder } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { isShareAlias } from '../../shared/domain/limits/share-alias.ts'
import type { MountedDisk } from '../../shared/domain/mounted-disk.ts'
import { encodePath, root, type Path } from '../../shared/domain/path.ts'
import { isForeignKeyViolation } from './constraint-violation.ts'
import { lockTable, lockUser } from './sql/dialect.ts'
import type { ShareFilter, ShareRecord, ShareStore } from './share-store.ts'
import { isEndedByNewEntry, storeFound } from './shares/found-shares.ts'
import { shareDigestOf as digestOf } from './shares/share-digest.ts'
import { shareWithAlias, takeAlias } from './shares/share-aliases.ts'
import { diskOf, diskText, rowChangesOf, rowOf, shareOf, updateRow } from './shares/share-rows.ts'
import { takeDownload } from './shares/share-uses.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/**
 * The maximum number of shares of one user, except for those that an import adds. People have a few hundred; the list of
 * 10,000 is a response of 2 MB (docs/decisions, 123).
 */
export const sharesPerUser = 10_000

/**
 * The maximum number of characters in the stored paths of all shares of one user, except for those that an import adds and
 * for moved entries. It is ten thousand paths of 400 characters.
 */
export const sharedPathCharactersPerUser = 4 * 1024 * 1024

/** The number of places in a page. Their paths take at most 2 MB, unless entries were moved very deep. */
const placesPerPage = 500

/** Creates the store of shares. */
export function createShares(database: Database, nowMs: () => number): ShareStore {
  const unexpired = () => unexpiredShares(database, nowMs())

  return {
    ...createShareReads(database, nowMs),
    ...createPlaceReads(database),
    add: (share) =>
      database.transaction().execute((transaction) => addShareOfUser(transaction, share, nowMs())),
    addAll: (shares) => database.transaction().execute((transaction) => insertShares(transaction, shares)),
    async update(hash, changes) {
      const { alias } = changes
      if (alias === undefined) await updateRow(database, digestOf(hash), rowChangesOf(changes))
      else
        await database.transaction().execute(async (transaction) => {
          await takeAlias(transaction, digestOf(hash), alias)
          await updateRow(transaction, digestOf(hash), rowChangesOf(changes))
        })
      const row = await unexpired().where('digest', '=', digestOf(hash)).executeTakeFirst()
      return row ? shareOf(row) : null
    },
    takeDownload: (hash, download) =>
      database
        .transaction()
        .execute((transaction) =>
          takeDownload(transaction, { shareDigest: digestOf(hash), ...download, nowMs: nowMs() }),
        ),
    async remove(hash) {
      await database.deleteFrom('share').where('digest', '=', digestOf(hash)).execute()
    },
    followMove: (move) =>
      database.transaction().execute((transaction) => followMove(transaction, move, nowMs())),
    async correctPlace(from, to) {
      const change = { path: encodePath(to.path), disk: diskText(to.disk) }
      await database
        .updateTable('share')
        .set(change)
        .where('path', '=', from.path)
        .where('disk', '=', diskText(from.disk))
        .execute()
    },
    setFound: (awaited, found) => storeFound(database, awaited, { ...found, atMs: nowMs() }),
    async endWithin(path, waiting = []) {
      await database.deleteFrom('share').where(isPathWithin(path)).where(isNotOn(waiting)).execute()
    },
    async endReplaced(path, waiting = []) {
      const within = database.deleteFrom('share').where(isPathWithin(path))
      await within.where(isNotOn(waiting)).where(isEndedByNewEntry(nowMs())).execute()
    },
    async purge() {
      await database.deleteFrom('share').where(isExpired(nowMs())).execute()
    },
  }
}

type ShareReads = Pick<
  ShareStore,
  'find' | 'findByAddress' | 'list' | 'digests' | 'count' | 'listOf' | 'hasExpired'
>

/** Creates the methods of the store that read shares for their users and guests. */
function createShareReads(database: Database, nowMs: () => number): ShareReads {
  const unexpired = () => unexpiredShares(database, nowMs())

  function selected({ userId, path }: ShareFilter) {
    let query = unexpired()
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    if (path !== undefined) query = query.where('path', '=', encodePath(path))
    return query
  }

  async function find(hash: string) {
    const row = await unexpired().where('digest', '=', digestOf(hash)).executeTakeFirst()
    return row ? shareOf(row) : null
  }

  return {
    find,
    async findByAddress(hashOrAlias) {
      const byHash = await find(hashOrAlias)
      if (byHash !== null || !isShareAlias(hashOrAlias)) return byHash
      const row = await shareWithAlias(unexpired(), hashOrAlias).executeTakeFirst()
      return row ? shareOf(row) : null
    },
    async hasExpired() {
      const row = await database
        .selectFrom('share')
        .select('digest')
        .where(isExpired(nowMs()))
        .executeTakeFirst()
      return row !== undefined
    },
    async list(only = {}) {
      const rows = await inListOrder(selected(only)).execute()
      return rows.map(shareOf).filter((share) => share !== null)
    },
    async digests(only = {}) {
      const rows = await inListOrder(selected(only).clearSelect().select('digest')).execute()
      return rows.map(({ digest }) => digest)
    },
    async count() {
      // With this condition both databases read one range of the index. With the condition of `unexpired` SQLite reads it twice.
      const { count } = await database
        .selectFrom('share')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(sql<boolean>`not ${isExpired(nowMs())}`)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async listOf(digests) {
      if (digests.length === 0) return []
      const rows = await unexpired().where('digest', 'in', digests).execute()
      const byDigest = new Map(rows.map((row) => [row.digest, row]))
      return digests.flatMap((digest) => {
        const row = byDigest.get(digest)
        return (row && shareOf(row)) ?? []
      })
    },
  }
}

/** Creates the methods of the store that look for the places of shares. */
const createPlaceReads = (database: Database): Pick<ShareStore, 'hasWithin' | 'sharedPlaces'> => ({
  async hasWithin(path) {
    const row = await database
      .selectFrom('share')
      .select('digest')
      .where(isPathWithin(path))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
  async sharedPlaces(within, after) {
    const [path, prefix] = [encodePath(within), prefixOf(within)]
    const first = after?.path ?? path
    // One range of paths and the order of the index let SQLite stop after the page.
    let query = database
      .selectFrom('share')
      .select(['path', 'disk', 'digest'])
      .where(sql<boolean>`(path >= ${first} and path < ${`${prefix}0`})`)
      .where(sql<boolean>`(path = ${path} or path > ${`${prefix}/`})`)
    if (after !== null) query = query.where(sql<boolean>`(path > ${first} or digest > ${after.digest})`)
    const rows = await query.orderBy('path').orderBy('digest').limit(placesPerPage).execute()
    return {
      places: rows.map(({ path: place, disk }) => ({ path: place, disk: diskOf(disk) })),
      next: rows.length < placesPerPage ? null : (rows.at(-1) ?? null),
    }
  },
})

/** Stores a share. Throws `no-space` when its owner has the maximum number of shares or of characters in their paths. */
async function addShareOfUser(transaction: Database, share: ShareRecord, atMs: number): Promise<void> {
  await lockUser(transaction, share.userId)
  const { count, characters } = await unexpiredShares(transaction, atMs)
    .clearSelect()
    .select(({ fn }) => [
      fn.countAll().as('count'),
      sql<number | string | null>`sum(length(path))`.as('characters'),
    ])
    .where('user_id', '=', share.userId)
    .executeTakeFirstOrThrow()
  if (Number(characters ?? 0) + encodePath(share.path).length > sharedPathCharactersPerUser)
    throw new AppError('no-space', { reason: 'the paths of all links of this user are too long' })
  if (Number(count) >= sharesPerUser)
    throw new AppError('no-space', { reason: `nobody may have more than ${sharesPerUser} links` })
  await insertShares(transaction, [share])
  if (share.alias !== '') await takeAlias(transaction, digestOf(share.hash), share.alias)
}

/** Stores shares. Throws `not-found` when an owner has been removed. */
export async function insertShares(database: Database, shares: readonly ShareRecord[]): Promise<void> {
  try {
    for (const share of shares) await database.insertInto('share').values(rowOf(share)).execute()
  } catch (cause) {
    throw isForeignKeyViolation(cause) ? new AppError('not-found', { cause }) : cause
  }
}

const unexpiredShares = (database: Database, atMs: number) =>
  database
    .selectFrom('share')
    .selectAll()
    .where((expression) =>
      expression.or([
        expression('expires_at_seconds', '=', 0),
        expression('expires_at_seconds', '>', secondsOf(atMs)),
      ]),
    )

/** Returns the condition for shares that have expired at a time. */
const isExpired = (atMs: number) =>
  sql<boolean>`(expires_at_seconds != 0 and expires_at_seconds <= ${secondsOf(atMs)})`

/** Sorts a query by owner and then by expiry, permanent shares first. */
const inListOrder = <Row>(query: SelectQueryBuilder<DatabaseTables, 'share', Row>) =>
  query.orderBy('user_id').orderBy('expires_at_seconds').orderBy('created_at').orderBy('digest')

const secondsOf = (ms: number): number => Math.floor(ms / 1000)

async function followMove(
  transaction: Database,
  { from, to, isNew, waiting = [] }: Parameters<ShareStore['followMove']>[0],
  atMs: number,
): Promise<void> {
  if (from === to) return
  await lockTable(transaction, 'share')
  const isPresent = isNotOn(waiting)
  const replaced = isNew ? isPathWithin(to) : isPathBelow(to)
  const isReplaced = transaction.deleteFrom('share').where(replaced).where(isPresent)
  await isReplaced.where(isEndedByNewEntry(atMs)).execute()
  // One statement moves all shares, because a folder may contain the shares of many users, and a statement for each of them
  // would occupy the database for a second.
  const rest = sql<string>`substr(path, ${sql.lit(encodePath(from).length + 1)})`
  await transaction
    .updateTable('share')
    .set({ path: sql<string>`${encodePath(to)} || ${rest}` })
    .where(isPathWithin(from))
    .where(isPresent)
    .execute()
}

/** Returns the condition for rows whose disk is none of these. */
const isNotOn = (disks: readonly MountedDisk[]) =>
  disks.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`disk not in (${sql.join(disks.map(diskText))})`

const equalsPath = (path: Path) => sql<boolean>`path = ${encodePath(path)}`

/** Returns the condition for rows whose path is this path or below it. */
const isPathWithin = (path: Path) => sql<boolean>`(${equalsPath(path)} or ${isPathBelow(path)})`

/**
 * Returns the condition for rows whose path is below a path. Both databases compare paths byte by byte, and a zero follows the
 * slash. SQLite finds such rows by its index.
 */
const isPathBelow = (path: Path) =>
  sql<boolean>`(path > ${`${prefixOf(path)}/`} and path < ${`${prefixOf(path)}0`})`

/** Returns the text that stands before the slash in the paths of the entries of a folder. */
const prefixOf = (folder: Path): string => (folder === root ? '' : encodePath(folder))
