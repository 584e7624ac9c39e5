import type { Migration } from './migration.ts'

/**
 * Creates a migration that adds a field with its initial value to the stored users, and to the stored defaults for new
 * users. After the migration, older versions of Stowage refuse to open the database, because they would drop the
 * unknown field from each user that they change.
 */
export const addUserField = (
  name: string,
  { field, initial }: { readonly field: string; readonly initial: unknown },
): Migration => ({
  name,
  async up(database) {
    const added = { [field]: initial }
    for (const { id, doc } of await database.selectFrom('user').select(['id', 'doc']).execute())
      await database
        .updateTable('user')
        .set({ doc: withMembers(doc, added) })
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
        .set({ value: withMembers(defaults.value, added) })
        .where('key', '=', 'defaults')
        .execute()
  },
})

const withMembers = (json: string, members: object): string =>
  JSON.stringify({ ...(JSON.parse(json) as object), ...members })
