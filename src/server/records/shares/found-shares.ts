import { sql } from 'kysely'
import { encodePath } from '../../../shared/domain/path.ts'
import type { ShareStore } from '../share-store.ts'
import type { Database } from '../sql/tables.ts'
import { shareDigestOf } from './share-digest.ts'
import { diskText } from './share-rows.ts'

type SetFound = Parameters<ShareStore['setFound']>

/** Stores the entry of an awaited share, as `setFound` of the store does. */
export async function storeFound(
  database: Database,
  awaited: SetFound[0],
  { path, kind, disk, atMs }: SetFound[1] & { readonly atMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('share')
    .set({ path: encodePath(path), kind, disk: diskText(disk), found_at: atMs })
    .where('digest', '=', shareDigestOf(awaited.hash))
    .where('kind', '=', 'awaited')
    .where('path', '=', encodePath(awaited.path))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * The time in ms for which a new entry at its path does not end a share whose awaited entry was found. The change that has put
 * the entry back may be announced long after the entry is visible, for example when a large folder is moved to another disk.
 */
const keptAfterFoundMs = 24 * 60 * 60 * 1000

/** Returns the condition for rows that end when another program has deleted their entry and there is a new one at its path. */
export const isEndedByNewEntry = (atMs: number) =>
  sql<boolean>`(kind != 'awaited' and found_at <= ${atMs - keptAfterFoundMs})`
