import type { Migration } from './migration.ts'

/**
 * People had no quota, and new ones got none. That is written down, so that everything that is stored says so, and so that no older
 * program opens what a newer one has written: it would forget the quotas.
 */
export const quotas: Migration = {
  name: 'quotas',
  async up(database) {
    for (const { id, doc } of await database.selectFrom('user').select(['id', 'doc']).execute())
      await database
        .updateTable('user')
        .set({ doc: withoutQuota(doc) })
        .where('id', '=', id)
        .execute()
    const defaults = await database
      .selectFrom('setting')
      .select('value')
      .where('key', '=', 'defaults')
      .executeTakeFirst()
    if (defaults !== undefined)
      await database
        .updateTable('setting')
        .set({ value: withoutQuota(defaults.value) })
        .where('key', '=', 'defaults')
        .execute()
  },
}

const withoutQuota = (json: string): string =>
  JSON.stringify({ ...(JSON.parse(json) as object), quotaBytes: null })
