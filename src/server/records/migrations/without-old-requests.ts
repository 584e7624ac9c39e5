import type { Migration } from './migration.ts'

/** Removes the table of the requests that File Browser would have answered differently (decision 133). */
export const withoutOldRequests: Migration = {
  name: 'without old requests',
  async up({ schema }) {
    await schema.dropTable('old_request').execute()
  },
}
