import type { Migration } from './migration.ts'

/** Adds the disk of the shared entry. Empty for the shares that exist, whose disk the server looks up when it starts. */
export const shareDisks: Migration = {
  name: 'share disks',
  async up({ schema }, { text }) {
    await schema
      .alterTable('share')
      .addColumn('disk', text, (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
