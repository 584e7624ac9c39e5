import { expect, test } from 'vitest'
import { adminPermissions, createClock, testRecords, userFields } from '../../../test/kit/records.ts'

test('a user is returned as stored, with the next id', async () => {
  const { users } = await testRecords()
  const fields = userFields({
    username: 'Ann Ünal',
    scope: '/a b',
    rules: [{ regex: true, allow: false, path: '', regexp: { raw: 'x$' } }],
    commands: ['git', 'ls'],
    lockPassword: true,
  })
  const ann = await users.add(fields)
  expect(ann).toEqual({ ...fields, id: 1, changedAtMs: null })
  expect([await users.find(1), await users.findByName('Ann Ünal'), await users.list()]).toEqual([
    ann,
    ann,
    [ann],
  ])
  expect([await users.find(2), await users.findByName('ann ünal')]).toEqual([null, null])
})

test.each([
  ['the same name', 'ann'],
  ['a name that differs only in case', 'ANN'],
])('a user with %s is refused', async (_case, username) => {
  const { users } = await testRecords()
  await users.add(userFields({ username: 'ann' }))
  await expect(users.add(userFields({ username }))).rejects.toMatchObject({ code: 'name-taken' })
  const bea = await users.add(userFields({ username: 'bea' }))
  await expect(users.update(bea.id, { username })).rejects.toMatchObject({ code: 'name-taken' })
  expect((await users.list()).map((user) => user.username)).toEqual(['ann', 'bea'])
})

test.each(['ann ', '\u00a0ann', 'a\u202enn', 'ann\u200d', '\ufeffann', 'a\u2066nn', 'a\u3164nn'])(
  'the name %j is refused for a new user and as a new name, and stays as an imported name',
  async (username) => {
    const records = await testRecords()
    const { users } = records
    const refusal = { code: 'bad-request', refused: 'username' }
    await expect(users.add(userFields({ username }))).rejects.toMatchObject(refusal)
    await users.add(userFields({ username: 'bea' }))
    await expect(users.update(1, { username })).rejects.toMatchObject(refusal)
    await users.importAll({ users: [{ ...userFields({ username }), id: 2 }], onExistingId: 'refuse' })
    expect((await users.update(2, { locale: 'de' })).username).toBe(username)
    await users.remove(2)
    const added = await records.addAccounts({
      users: [userFields({ username })],
      shares: [],
      key: new Uint8Array(64),
    })
    expect(added.map((user) => user.username)).toEqual([username])
  },
)

test('users may change the case of their own names', async () => {
  const { users } = await testRecords()
  await users.add(userFields({ username: 'ann' }))
  expect((await users.update(1, { username: 'Ann' })).username).toBe('Ann')
})

test('the id of a removed user is not reused', async () => {
  const { users } = await testRecords()
  for (const username of ['ann', 'bea']) await users.add(userFields({ username }))
  await users.remove(2)
  expect((await users.add(userFields({ username: 'bea' }))).id).toBe(3)
})

test('a change sets the time of the change, and a stronger hash does not', async () => {
  const clock = createClock()
  const { users } = await testRecords(clock)
  await users.add(userFields({ username: 'ann', passwordHash: 'old' }))
  await users.rehash(1, { from: 'old', to: 'stronger' })
  expect(await users.find(1)).toMatchObject({ passwordHash: 'stronger', changedAtMs: null })
  clock.advance(5000)
  expect((await users.update(1, { locale: 'de' })).changedAtMs).toBe(clock.nowMs())
})

test('a stronger hash of the former password does not replace a new password', async () => {
  const { users } = await testRecords()
  await users.add(userFields({ username: 'ann', passwordHash: 'old' }))
  await users.update(1, { passwordHash: 'new' })
  await users.rehash(1, { from: 'old', to: 'stronger' })
  expect((await users.find(1))?.passwordHash).toBe('new')
})

test.each([
  ['removed', (users: TestUserStore) => users.remove(1)],
  ['demoted', (users: TestUserStore) => users.update(1, { perm: { ...adminPermissions, admin: false } })],
  ['disabled', (users: TestUserStore) => users.update(1, { isDisabled: true })],
] as const)('the last administrator cannot be %s', async (_case, attempt) => {
  const { users } = await testRecords()
  const ada = await users.add(userFields({ username: 'ada', perm: adminPermissions }))
  await users.add(userFields({ username: 'ann' }))
  await users.add(userFields({ username: 'out', perm: adminPermissions, isDisabled: true }))
  await expect(attempt(users)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await users.find(1)).toEqual(ada)
  await users.add(userFields({ username: 'eve', perm: adminPermissions }))
  await attempt(users)
})

type TestUserStore = Awaited<ReturnType<typeof testRecords>>['users']

test('a user without the admin permission may be removed even when no administrator exists', async () => {
  const { users } = await testRecords()
  await users.add(userFields({ username: 'ann' }))
  await users.remove(1)
  expect(await users.list()).toEqual([])
})

test.each([
  ['an empty name', { username: ' ' }],
  ['a name that is too long', { username: 'ü'.repeat(128) }],
  ['a control character', { username: 'a\u0007b' }],
  ['NUL in the scope', { scope: 'a\0b' }],
  ['a locale that is not a language tag', { locale: 'not a locale' }],
  ['an unknown view mode', { viewMode: 'grid' as never }],
  ['a quota that is not a whole number of bytes', { quotaBytes: 1.5 }],
  ['a negative quota', { quotaBytes: -1 }],
  ['an unknown sorting', { sorting: { by: 'colour' as never, asc: true } }],
])('a user with %s is refused, and nothing changes', async (_case, invalidFields) => {
  const { users } = await testRecords()
  const ann = await users.add(userFields({ username: 'ann' }))
  await expect(users.add(userFields({ username: 'bea', ...invalidFields }))).rejects.toMatchObject({
    code: 'bad-request',
  })
  await expect(users.update(1, { hideDotfiles: true, ...invalidFields })).rejects.toMatchObject({
    code: 'bad-request',
  })
  expect(await users.list()).toEqual([ann])
})

test('an unknown user is not found', async () => {
  const { users } = await testRecords()
  await expect(users.update(7, {})).rejects.toMatchObject({ code: 'not-found' })
  await expect(users.remove(7)).rejects.toMatchObject({ code: 'not-found' })
})

test('a quota is stored unchanged, also null and 0', async () => {
  const { users } = await testRecords()
  const quotas = [null, 0, 1, Number.MAX_SAFE_INTEGER]
  for (const [n, quotaBytes] of quotas.entries())
    await users.add(userFields({ username: `${n}`, quotaBytes }))
  expect((await users.list()).map(({ quotaBytes }) => quotaBytes)).toEqual(quotas)
  await users.update(4, { quotaBytes: null })
  expect((await users.find(4))?.quotaBytes).toBe(null)
})

const listed = (people: readonly (readonly [number, string])[]) =>
  people.map(([id, username]) => ({ ...userFields({ username }), id }))

test('an import stores all users, with new ids where an id was in use before', async () => {
  const { users } = await testRecords()
  const idsOf = async () => (await users.list()).map(({ id, username }) => [id, username])
  await users.remove((await users.add(userFields({ username: 'gone' }))).id)
  const twice = listed([
    [1, 'ann'],
    [7, 'bob'],
    [2, 'ann'],
  ])
  await expect(users.importAll({ users: twice, onExistingId: 'refuse' })).rejects.toMatchObject({
    code: 'name-taken',
  })
  expect(await idsOf()).toEqual([])
  const good = listed([
    [3, 'cleo'],
    [1, 'ann'],
    [2, 'bob'],
  ])
  expect(await users.importAll({ users: good, onExistingId: 'refuse' })).toHaveLength(3)
  await users.add(userFields({ username: 'dan' }))
  expect(await idsOf()).toEqual([
    [2, 'bob'],
    [3, 'cleo'],
    [4, 'ann'],
    [5, 'dan'],
  ])
})

const namesOf = async (users: TestUserStore) =>
  (await users.list()).map(({ id, username }) => `${id} ${username}`)

test.each<[string, readonly string[], readonly (readonly [number, string])[], readonly string[]]>([
  [
    'two swapped names',
    ['ann', 'bob'],
    [
      [1, 'bob'],
      [2, 'ann'],
    ],
    ['1 bob', '2 ann'],
  ],
  [
    'three names in a cycle',
    ['ann', 'bob', 'cleo'],
    [
      [1, 'bob'],
      [2, 'cleo'],
      [3, 'ann'],
    ],
    ['1 bob', '2 cleo', '3 ann'],
  ],
  [
    'a name to two users in different case',
    ['ann', 'bob'],
    [
      [1, 'bob'],
      [2, 'Bob'],
      [3, 'ann'],
    ],
    ['1 bob', '2 Bob', '3 ann'],
  ],
  [
    'a name to a new user',
    ['ann', 'bob'],
    [
      [9, 'ann'],
      [1, 'bob'],
      [2, 'dan'],
    ],
    ['1 bob', '2 dan', '9 ann'],
  ],
])('an import that overwrites may reassign %s', async (_case, before, after, names) => {
  const { users } = await testRecords()
  for (const username of before) await users.add(userFields({ username }))
  const stored = await users.importAll({ users: listed(after), onExistingId: 'overwrite' })
  expect(stored.map(({ username }) => username)).toEqual(after.map(([, username]) => username))
  expect(await namesOf(users)).toEqual(names)
  await expect(users.add(userFields({ username: 'ANN' }))).rejects.toMatchObject({ code: 'name-taken' })
})

test('an import with a name of a user outside the list stores nothing', async () => {
  const { users } = await testRecords()
  for (const username of ['ann', 'bob', 'cleo']) await users.add(userFields({ username }))
  const swap = listed([
    [1, 'bob'],
    [2, 'cleo'],
  ])
  await expect(users.importAll({ users: swap, onExistingId: 'overwrite' })).rejects.toMatchObject({
    code: 'name-taken',
    reason: 'the name cleo is taken by the user 3',
  })
  expect(await namesOf(users)).toEqual(['1 ann', '2 bob', '3 cleo'])
})

test('users who are imported later get ids above the highest id that the imported system ever gave', async () => {
  const { users } = await testRecords()
  await users.importAll({
    users: [{ ...userFields({ username: 'ann' }), id: 3 }],
    onExistingId: 'refuse',
    lastId: 20,
  })
  expect([
    (await users.add(userFields({ username: 'bea' }))).id,
    (await users.findByName('ann'))?.id,
  ]).toEqual([21, 3])
})
