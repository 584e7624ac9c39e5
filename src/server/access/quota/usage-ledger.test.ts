import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../../test/kit/records.ts'
import { root } from '../../../shared/domain/path.ts'
import type { ScopeUsageStore } from '../../records/scope-usage-record.ts'
import { createUsageLedger } from './usage-ledger.ts'

/** Returns the ledger of a server whose changes of the records pass through `change`. */
async function ledgerWith(change: (store: ScopeUsageStore) => ScopeUsageStore['change']) {
  const clock = createClock()
  const { scopeUsages: store } = await testRecords(clock)
  const server = { id: 'one', hasEnded: () => false, machine: '', folder: '/srv' }
  const ledger = createUsageLedger({
    store: { ...store, change: change(store) },
    server,
    nowMs: clock.nowMs,
  })
  const account = ledger.accountOf(root)
  const grants = async () => (await store.read([account.key]))[0]?.grants
  return { ledger, account, grants }
}

test('the end of a move that could not be stored is stored later', async () => {
  let failures = 0
  const { ledger, account, grants } = await ledgerWith((store) => async (request) => {
    const isEnd = request.changes.every(({ isMoving }) => !isMoving)
    if (isEnd && failures === 0) {
      failures += 1
      throw new Error('the database is locked')
    }
    return store.change(request)
  })
  const end = await ledger.beginMove(account)
  expect(await grants()).toMatchObject([{ isMoving: true }])
  end()
  await expect.poll(grants).toEqual([])
  expect(failures).toBe(1)
  await ledger.close()
})

test('the end of a server does not wait for records that are locked', async () => {
  let changes = 0
  const { ledger, account } = await ledgerWith(() => () => {
    changes += 1
    return new Promise(() => {})
  })
  ledger.note(account, 'more')
  const startedAtMs = performance.now()
  await ledger.close()
  expect(changes).toBe(1)
  // A server ends within 8 s, most of which its requests may use.
  expect(performance.now() - startedAtMs).toBeLessThan(4000)
})
