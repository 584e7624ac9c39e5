import type { SelectQueryBuilder } from 'kysely'
import { AppError } from '../../../shared/domain/failure.ts'
import { shareDigestOf as digestOf } from './share-digest.ts'
import type { Database, DatabaseTables } from '../sql/tables.ts'

/**
 * The maximum number of aliases that the shares of one user may ever have. Their rows are never removed and have about 200
 * bytes, so that a user adds at most 200 kB to the database.
 */
export const aliasesPerUser = 1000

/** Narrows a query of shares to the one that has an alias now. */
export const shareWithAlias = <Row>(
  shares: SelectQueryBuilder<DatabaseTables, 'share', Row>,
  alias: string,
): SelectQueryBuilder<DatabaseTables, 'share', Row> => {
  const lowerCase = alias.toLowerCase()
  return shares
    .where('alias', '=', lowerCase)
    .where('digest', '=', (expression) =>
      expression
        .selectFrom('share_alias')
        .select('share_digest')
        .where('share_alias.digest', '=', digestOf(lowerCase)),
    )
}

/**
 * Reserves an alias for a share for ever. A share may take back an alias that it had before. Throws as `ShareStore.add` does
 * when another share has or had the alias. Does nothing for an empty alias, and for a share that has ended.
 */
export async function takeAlias(transaction: Database, shareDigest: string, alias: string): Promise<void> {
  if (alias === '') return
  const share = await transaction
    .selectFrom('share')
    .select('user_id')
    .where('digest', '=', shareDigest)
    .executeTakeFirst()
  if (share === undefined) return
  const userId = share.user_id
  const row = { digest: digestOf(alias), share_digest: shareDigest, user_id: userId }
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('share_alias')
    .values(row)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows > 0n) return requireRoom(transaction, userId)
  const holder = await transaction
    .selectFrom('share_alias')
    .select(['share_digest', 'user_id'])
    .where('digest', '=', row.digest)
    .executeTakeFirstOrThrow()
  if (holder.share_digest === shareDigest) return
  throw new AppError(holder.user_id === userId ? 'name-taken' : 'not-found', { refused: 'alias' })
}

/** Throws `no-space` when a user has more aliases than allowed. */
async function requireRoom(transaction: Database, userId: number): Promise<void> {
  const { count } = await transaction
    .selectFrom('share_alias')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(count) > aliasesPerUser)
    throw new AppError('no-space', {
      reason: `the links of one user have at most ${aliasesPerUser} own addresses`,
    })
}
