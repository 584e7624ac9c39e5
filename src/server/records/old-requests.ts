import {
  isAnonymousReason,
  oldRequestReasons,
  type OldRequestReason,
} from '../../shared/domain/old-requests.ts'
import type { OldRequestRow, OldRequestStore } from './port.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database } from './sql/tables.ts'

/** Creates the store of counted requests. Rows of requests without a token do not replace rows of others. */
export const createOldRequests = (database: Database): OldRequestStore => ({
  add: (rows, maxRows) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'old_request')
      for (const row of rows) await addToRow(transaction, row)
      for (const isAnonymous of [true, false])
        await removeLeastRecent(
          transaction,
          oldRequestReasons.filter((reason) => isAnonymousReason(reason) === isAnonymous),
          isAnonymous ? maxRows.anonymous : maxRows.known,
        )
    }),
  async list() {
    const rows = await database.selectFrom('old_request').selectAll().orderBy('last_at', 'desc').execute()
    return rows.map(({ first_at: firstMs, last_at: lastMs, ...row }) => ({ ...row, firstMs, lastMs }))
  },
  async clear() {
    await database.deleteFrom('old_request').execute()
  },
})

/** Adds a count to the row of the same key. Several machines may count the same requests. */
async function addToRow(
  transaction: Database,
  { reason, route, client, count, firstMs, lastMs }: OldRequestRow,
): Promise<void> {
  await transaction
    .insertInto('old_request')
    .values({ reason, route, client, count, first_at: firstMs, last_at: lastMs })
    .onConflict((conflict) =>
      conflict.columns(['reason', 'route', 'client']).doUpdateSet((expression) => ({
        count: expression('old_request.count', '+', count),
        first_at: expression
          .case()
          .when('old_request.first_at', '>', firstMs)
          .then(firstMs)
          .else(expression.ref('old_request.first_at'))
          .end(),
        last_at: expression
          .case()
          .when('old_request.last_at', '<', lastMs)
          .then(lastMs)
          .else(expression.ref('old_request.last_at'))
          .end(),
      })),
    )
    .execute()
}

/** Removes the rows with some reasons that were counted least recently, above a number of rows. */
async function removeLeastRecent(
  transaction: Database,
  reasons: readonly OldRequestReason[],
  maxRows: number,
): Promise<void> {
  const surplus = await transaction
    .selectFrom('old_request')
    .select(['reason', 'route', 'client'])
    .where('reason', 'in', reasons)
    .orderBy('last_at', 'desc')
    .orderBy('route')
    .orderBy('client')
    // SQLite accepts an offset only after a limit, which is above any number of rows here.
    .limit(1_000_000)
    .offset(maxRows)
    .execute()
  for (const { reason, route, client } of surplus)
    await transaction
      .deleteFrom('old_request')
      .where('reason', '=', reason)
      .where('route', '=', route)
      .where('client', '=', client)
      .execute()
}
