import type { Migration } from '../../src/server/records/migrations/migration.ts'
import { migrations } from '../../src/server/records/migrations/migrations.ts'

const before = (name: string): readonly Migration[] =>
  migrations.slice(
    0,
    migrations.findIndex((each) => each.name === name),
  )
const named = (...names: readonly string[]): readonly Migration[] =>
  names.flatMap((name) => migrations.filter((each) => each.name === name))

/** Lists of migrations of earlier versions which are not the beginning of the list of today. */
export const historicMigrations: readonly { readonly when: string; readonly list: readonly Migration[] }[] = [
  { when: 'with shares and without uploads', list: named('first tables', 'shares') },
  {
    when: 'with usages of scopes and without the outbox',
    list: [...before('outbox'), ...named('scope usages')],
  },
]
