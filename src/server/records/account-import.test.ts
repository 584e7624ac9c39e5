import { expect, test } from 'vitest'
import { shareFields, testRecords, userFields } from '../../../test/kit/records.ts'

const key = new Uint8Array(64)

test('users and shares are added together, for new and for stored owners', async () => {
  const records = await testRecords()
  const { users, shares, settings } = records
  await users.add(userFields({ username: 'ann' }))
  const { userId: _userId, ...share } = shareFields({ hash: 'a' })
  const added = await records.addAccounts({
    users: [userFields({ username: 'bob' })],
    shares: [
      { ...share, owner: 'ann' },
      { ...share, hash: 'b', owner: 'bob' },
    ],
    key,
  })
  expect(added.map(({ id, username }) => [id, username])).toEqual([[2, 'bob']])
  expect((await shares.list()).map(({ hash, userId }) => [hash, userId])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect(await settings.key()).toEqual(key)
})

test.each([
  ['a taken name', ['cid', 'ANN'], { hash: 'new', owner: 'cid' }, 'name-taken'],
  ['an owner who does not exist', ['cid'], { hash: 'new', owner: 'nobody' }, 'not-found'],
  ['the address of another share', ['cid'], { hash: 'old', owner: 'cid' }, 'name-taken'],
])('with %s nothing is added', async (_case, names, share, code) => {
  const records = await testRecords()
  const { users, shares, settings } = records
  await users.add(userFields({ username: 'ann' }))
  await shares.add(shareFields({ hash: 'old' }))
  const adding = records.addAccounts({
    users: names.map((username) => userFields({ username })),
    shares: [{ ...shareFields({}), ...share }],
    key,
  })
  await expect(adding).rejects.toMatchObject({ code })
  expect([(await users.list()).length, (await shares.list()).length, await settings.key()]).toEqual([
    1,
    1,
    null,
  ])
})
