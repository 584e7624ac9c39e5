import { expect, test } from 'vitest'
import { isDatabaseUrl, redactedDatabase } from './database-url.ts'

test.each([
  ['postgres://h/db', true],
  ['PostgreSQL://u@h:5432/db', true],
  ['/var/lib/stowage.db', false],
  ['postgres.db', false],
  ['/srv/postgres://h/db', false],
])('%s is a database URL: %s', (database, isAddress) => {
  expect(isDatabaseUrl(database)).toBe(isAddress)
})

test.each([
  ['/state/stowage.db', '/state/stowage.db'],
  ['/odd/a:b@c', '/odd/a:b@c'],
  ['postgres://h/db', 'postgres://h/db'],
  ['postgres:///db?host=/run/postgresql', 'postgres:///db?host=/run/postgresql'],
  ['postgres://ann@h:5432/db', 'postgres://ann@h:5432/db'],
  ['postgres://ann:secret@h:5432/db', 'postgres://ann:(given)@h:5432/db'],
  ['postgresql://ann:se:cr@et@h/db', 'postgresql://ann:(given)@h/db'],
  ['postgres://ann:se/cr?et@h/db', 'postgres://ann:(given)@h/db'],
  [
    'postgres://h/db?user=ann&password=secret&sslmode=require',
    'postgres://h/db?user=ann&password=(given)&sslmode=require',
  ],
  ['postgres://ann@h/db?sslpassword=secret', 'postgres://ann@h/db?sslpassword=(given)'],
])('%s is shown as %s', (database, shown) => {
  expect(redactedDatabase(database)).toBe(shown)
})
