import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { shareDigestOf } from './share-digest.ts'
import type { LimitedDownload, ShareUse } from '../share-store.ts'
import type { Database } from '../sql/tables.ts'

/** Visits and downloads that are added to those of a share. */
export type CountedUse = Pick<ShareUse, 'visits' | 'downloads'> & { readonly hash: string }

/**
 * The store of how often guests use shares. A power cut may lose the latest counts, because a flush for each of them would delay
 * the requests of others.
 */
export type ShareUseStore = {
  /**
   * Adds visits and downloads to those of their shares. Shares that have ended are left out. Each share is counted by itself, so
   * that a failure may leave some of the uses uncounted.
   */
  count(uses: readonly CountedUse[]): Promise<void>
  /** Returns the counts of a share, or null when there is no share with this hash. */
  of(hash: string): Promise<Pick<ShareUse, 'visits' | 'downloads'> | null>
}

/** Creates the store of how often guests use shares. */
export const createShareUses = (database: Database): ShareUseStore => ({
  async count(uses) {
    // A transaction that locked several rows and the deletion of all links in a folder could wait for each other.
    for (const { hash, visits, downloads } of uses)
      await database
        .updateTable('share')
        .set({ visits: sql`visits + ${visits}`, downloads: sql`downloads + ${downloads}` })
        .where('digest', '=', shareDigestOf(hash))
        .execute()
  },
  async of(hash) {
    const row = await database
      .selectFrom('share')
      .select(['visits', 'downloads'])
      .where('digest', '=', shareDigestOf(hash))
      .executeTakeFirst()
    return row ?? null
  },
})

/** The time in ms for which later parts of a file are free: a day, in which an interrupted download is continued. */
const freeMs = 24 * 60 * 60 * 1000

type ShareDownload = LimitedDownload & { readonly shareDigest: string; readonly nowMs: number }

/** Counts a download, as `ShareStore.takeDownload` says. */
export async function takeDownload(
  transaction: Database,
  { shareDigest, client, isFromStart, nowMs }: ShareDownload,
): Promise<boolean> {
  // The statement changes nothing. It locks the row, so that the downloads of a share are decided one after the other.
  await transaction
    .updateTable('share')
    .set({ max_downloads: sql`max_downloads` })
    .where('digest', '=', shareDigest)
    .execute()
  const clientDigest = createHash('sha256').update(client).digest('base64url')
  const key = { share_digest: shareDigest, client_digest: clientDigest }
  if (!isFromStart && (await hasBegun(transaction, key, nowMs))) return true
  const { numUpdatedRows } = await transaction
    .updateTable('share')
    .set({ downloads: sql`downloads + 1` })
    .where('digest', '=', shareDigest)
    .where(sql<boolean>`(max_downloads = 0 or downloads < max_downloads)`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await transaction
    .deleteFrom('share_download')
    .where('share_digest', '=', shareDigest)
    .where('until', '<=', nowMs)
    .execute()
  await transaction
    .insertInto('share_download')
    .values({ ...key, until: nowMs + freeMs })
    .onConflict((conflict) =>
      conflict.columns(['share_digest', 'client_digest']).doUpdateSet({ until: nowMs + freeMs }),
    )
    .execute()
  return true
}

type DownloadKey = { readonly share_digest: string; readonly client_digest: string }

/** True when the client has begun this version of the file within the time in which its later parts are free. */
async function hasBegun(
  transaction: Database,
  { share_digest, client_digest }: DownloadKey,
  nowMs: number,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('share_download')
    .select('until')
    .where('share_digest', '=', share_digest)
    .where('client_digest', '=', client_digest)
    .where('until', '>', nowMs)
    .executeTakeFirst()
  return row !== undefined
}
