import { expect, test } from 'vitest'
import { sampleEvent } from '../kit/audit-event.ts'
import { execute } from '../kit/database.ts'
import { testRecords } from '../kit/records.ts'

test('old events are deleted in time when the statistics say that there are none', async () => {
  const { audit, database } = await testRecords()
  const old = Array.from({ length: 20_000 }, () => sampleEvent({ atMs: 1000 }))
  await audit.add(old)
  // PostgreSQL counts the rows of a table by itself now and then. It plans for an empty table until it counts again.
  await execute(database, 'delete from audit_event')
  await execute(database, 'analyze audit_event')
  await audit.add(old)
  expect(await audit.removeBefore(2000)).toBe(true)
})
