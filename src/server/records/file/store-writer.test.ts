import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { lockDatabase } from '../../../../test/kit/lock-database.ts'
import { createClock, userFields } from '../../../../test/kit/records.ts'
import { sharedDatabaseThreads } from '../../../../test/kit/shared-threads.ts'
import { startApp } from '../../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { openRecords } from '../open-records.ts'
import { createStoreWriter, type WriterThreads } from './store-writer.ts'

const log = (line: string): void => expect.unreachable(line)

const files = { docs: { 'a.txt': 'content' } }

/** Opens a database in the way in which a server does. */
async function openForServer(lockWaitMs = 30_000) {
  const database = path.join(temporaryFolder(), 'stowage.db')
  const upkeep = { log, threads: sharedDatabaseThreads(), lockWaitMs }
  const records = await openRecords({ database, nowMs: Date.now, upkeep })
  return { database, records }
}

test('a database that another process keeps locked delays no reading request, and writes are made afterwards', async () => {
  const clock = createClock()
  const app = await startApp({ files, nowMs: clock.nowMs })
  // The next request of the session would store its last use.
  clock.advance(120_000)
  const release = await lockDatabase(app.database)
  const beganAtMs = performance.now()
  const share = app.call('shares.create', { path: '/docs', json: {} })
  for (let round = 0; round < 5; round += 1) {
    const responses = await Promise.all([
      app.call('resources.get', { path: '/docs/' }),
      app.call('raw.get', { path: '/docs/a.txt' }),
      app.call('shares.list'),
      app.call('health.get'),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
  // Requests that waited for the lock would wait for 30 seconds.
  expect(performance.now() - beganAtMs).toBeLessThan(20_000)
  await release()
  const created = (await (await share).json()) as { hash: string }
  const listed = (await (await app.call('shares.list')).json()) as { hash: string }[]
  expect(listed.map(({ hash }) => hash)).toEqual([created.hash])
})

test('a change fails with a reason when the database stays locked for too long, and later changes are made', async () => {
  const { database, records } = await openForServer(300)
  onTestFinished(() => records.close())
  const release = await lockDatabase(database)
  const beganAtMs = performance.now()
  const locked = { code: 'unavailable', reason: 'another program keeps the database locked' }
  const changes = Array.from({ length: 100 }, (_, index) =>
    records.users.add(userFields({ username: `user${index}` })),
  )
  await Promise.all(changes.map((change) => expect(change).rejects.toMatchObject(locked)))
  // The changes waited together. One after the other, they would wait for 30 seconds.
  expect(performance.now() - beganAtMs).toBeLessThan(20_000)
  await release()
  await records.users.add(userFields({ username: 'ann' }))
  expect((await records.users.list()).map(({ username }) => username)).toEqual(['ann'])
})

test('records that are closed make the changes that were begun', async () => {
  const { database, records } = await openForServer()
  const release = await lockDatabase(database)
  const added = records.users.add(userFields({ username: 'ann' }))
  const closed = records.close()
  await release()
  await Promise.all([added, closed])
  const reopened = await openRecords({ database, nowMs: Date.now })
  onTestFinished(() => reopened.close())
  expect((await reopened.users.list()).map(({ username }) => username)).toEqual(['ann'])
})

test('a change that is computed from the stored state, and its errors, are those of the caller', async () => {
  const { records } = await openForServer()
  onTestFinished(() => records.close())
  const { id } = await records.users.add(userFields({ username: 'ann' }))
  const changes = Array.from({ length: 5 }, () =>
    records.users.updateBy(id, ({ locale }) => ({ locale: `${locale}x` })),
  )
  await Promise.all(changes)
  expect((await records.users.find(id))?.locale).toBe('enxxxxx')
  const refusal = new AppError('bad-request', { refused: 'username' })
  const refused = records.users.updateBy(id, () => {
    throw refusal
  })
  await expect(refused).rejects.toBe(refusal)
  await expect(records.users.add(userFields({ username: 'Ann' }))).rejects.toMatchObject({
    code: 'name-taken',
  })
  await expect(records.users.add(userFields({ username: '' }))).rejects.toMatchObject({
    code: 'bad-request',
    refused: 'username',
  })
})

test('the results of changes do not stay in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const results: WeakRef<object>[] = []
  const threads = {
    async run() {
      const result = { text: 'result' }
      results.push(new WeakRef(result))
      return result
    },
  } as unknown as WriterThreads
  const context = { file: '', identity: [], auditBytes: undefined, lockWaitMs: 0 }
  const writer = createStoreWriter({ context, threads, nowMs: Date.now, beginWrite: () => () => {} })
  for (let n = 0; n < 10; n += 1) await writer.write({ store: 'users', method: 'remove', args: [n] })
  await expect
    .poll(() => {
      collectGarbage()
      return results.filter((result) => result.deref() !== undefined).length
    })
    .toBeLessThan(3)
})
