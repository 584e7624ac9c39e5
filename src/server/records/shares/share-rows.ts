import type { Selectable } from 'kysely'
import type { MountedDisk } from '../../../shared/domain/mounted-disk.ts'
import { encodePath, parsePath } from '../../../shared/domain/path.ts'
import { shareDigestOf as digestOf } from './share-digest.ts'
import type { ShareChanges, ShareRecord, StoredShare } from '../share-store.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'

type ShareRow = Selectable<DatabaseTables['share']>

/** Returns the row of a new share, which nobody has used. */
export const rowOf = (share: ShareRecord): ShareRow => ({
  digest: digestOf(share.hash),
  hash: share.hash,
  user_id: share.userId,
  path: encodePath(share.path),
  kind: share.kind,
  password_hash: share.passwordHash,
  token_digest: share.tokenDigest,
  expires_at_seconds: share.expiresAtSeconds ?? 0,
  available_from_seconds: share.availableFromSeconds ?? 0,
  mode: share.mode,
  created_at: share.createdAtMs,
  max_files: share.maxFiles ?? 0,
  max_bytes: share.maxBytes ?? 0,
  sender_name: share.senderName,
  alias: share.alias,
  max_downloads: share.maxDownloads ?? 0,
  visits: 0,
  downloads: 0,
  tells_of_files: Number(share.tellsOfFiles),
  seen_files: 0,
  disk: diskText(share.disk),
  found_at: 0,
})

/** Returns the text that stands for a disk in a row. */
export const diskText = (disk: MountedDisk | null): string =>
  disk === null ? '' : `${disk.inode} ${disk.mountPoint}`

/** Returns the disk for which the text of a row stands. */
export function diskOf(text: string): MountedDisk | null {
  const [inode = '', mountPoint] = text.split(/ (.*)/s)
  return mountPoint === undefined ? null : { mountPoint, inode }
}

/** Sets columns of one share. Without columns it does nothing, because a statement that sets nothing is invalid. */
export async function updateRow(
  database: Database,
  digest: string,
  values: Partial<ShareRow>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await database.updateTable('share').set(values).where('digest', '=', digest).execute()
}

/** Returns the columns that changes of a share set. */
export const rowChangesOf = (changes: ShareChanges): Partial<ShareRow> => ({
  ...(changes.passwordHash !== undefined && { password_hash: changes.passwordHash }),
  ...(changes.tokenDigest !== undefined && { token_digest: changes.tokenDigest }),
  ...(changes.expiresAtSeconds !== undefined && { expires_at_seconds: changes.expiresAtSeconds ?? 0 }),
  ...(changes.availableFromSeconds !== undefined && {
    available_from_seconds: changes.availableFromSeconds ?? 0,
  }),
  ...(changes.mode !== undefined && { mode: changes.mode }),
  ...(changes.maxFiles !== undefined && { max_files: changes.maxFiles ?? 0 }),
  ...(changes.maxBytes !== undefined && { max_bytes: changes.maxBytes ?? 0 }),
  ...(changes.senderName !== undefined && { sender_name: changes.senderName }),
  ...(changes.alias !== undefined && { alias: changes.alias }),
  ...(changes.maxDownloads !== undefined && { max_downloads: changes.maxDownloads ?? 0 }),
  ...(changes.tellsOfFiles !== undefined && { tells_of_files: Number(changes.tellsOfFiles) }),
  ...(changes.seenFiles !== undefined && { seen_files: changes.seenFiles }),
})

/**
 * Converts a row into a share. Returns null for a path that exceeds the limits, which happens when the entry was moved
 * deeper than any request can reach.
 */
export function shareOf(row: ShareRow): StoredShare | null {
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
    mode: row.mode,
    createdAtMs: row.created_at,
    maxFiles: row.max_files === 0 ? null : row.max_files,
    maxBytes: row.max_bytes === 0 ? null : row.max_bytes,
    senderName: row.sender_name,
    alias: row.alias,
    maxDownloads: row.max_downloads === 0 ? null : row.max_downloads,
    tellsOfFiles: row.tells_of_files === 1,
    visits: row.visits,
    downloads: row.downloads,
    seenFiles: row.seen_files,
    disk: diskOf(row.disk),
  }
}
