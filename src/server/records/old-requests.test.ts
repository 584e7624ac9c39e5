import { expect, test } from 'vitest'
import { testRecords } from '../../../test/kit/records.ts'
import type { OldRequestRow } from './port.ts'

const rowOf = (fields: Partial<OldRequestRow>): OldRequestRow => ({
  reason: 'token-in-url',
  route: 'GET /api/raw/*',
  client: 'curl/8',
  count: 1,
  firstMs: 1000,
  lastMs: 1000,
  ...fields,
})

const limits = { known: 3, anonymous: 2 }

test('counts of the same key are added, also by several machines at once', async () => {
  const { oldRequests } = await testRecords()
  const added = Array.from({ length: 10 }, (_, at) =>
    oldRequests.add([rowOf({ count: 2, firstMs: 500 + at, lastMs: 2000 - at })], limits),
  )
  await Promise.all(added)
  expect(await oldRequests.list()).toEqual([rowOf({ count: 20, firstMs: 500, lastMs: 2000 })])
})

test('large counts and times stay exact', async () => {
  const { oldRequests } = await testRecords()
  const large = rowOf({ count: 2 ** 40, firstMs: 1_800_000_000_000, lastMs: 1_800_000_000_001 })
  await oldRequests.add([large, large], limits)
  expect(await oldRequests.list()).toEqual([{ ...large, count: 2 ** 41 }])
})

test('the least recent rows go, and rows of guests replace no others', async () => {
  const { oldRequests } = await testRecords()
  await oldRequests.add(
    [1, 2, 3, 4].map((at) => rowOf({ client: `known/${at}`, lastMs: at })),
    limits,
  )
  const guests = Array.from({ length: 50 }, (_, at) =>
    rowOf({ reason: 'login-method', client: `guest/${at}`, lastMs: 100 + at }),
  )
  await oldRequests.add(guests, limits)
  expect((await oldRequests.list()).map(({ client }) => client)).toEqual([
    'guest/49',
    'guest/48',
    'known/4',
    'known/3',
    'known/2',
  ])
})

test('a list that was cleared is empty', async () => {
  const { oldRequests } = await testRecords()
  await oldRequests.add([rowOf({})], limits)
  await oldRequests.clear()
  expect(await oldRequests.list()).toEqual([])
})
