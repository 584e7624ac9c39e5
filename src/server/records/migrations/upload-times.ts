import type { Migration } from './migration.ts'

/** Adds the modification time that the uploaded file keeps. Empty for uploads whose client sent none. */
export const uploadTimes: Migration = {
  name: 'upload times',
  async up({ schema }) {
    await schema.alterTable('upload').addColumn('modified_at', 'bigint').execute()
  },
}
