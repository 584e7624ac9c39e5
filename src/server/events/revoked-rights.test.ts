import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { connectionOf, connectWatcher, startOfWatch } from '../../../test/kit/watching-client.ts'
import type { UserFields } from '../records/user-store.ts'

const denying = [{ regex: false, allow: false, path: '/docs/secret.txt', regexp: null }]
const files = { docs: {}, people: { bea: { docs: {} } } }

test.each<readonly [string, string, Partial<UserFields>]>([
  ['a rule denies', 'secret.txt', { rules: denying }],
  ['the scope excludes', 'secret.txt', { scope: '/people/bea' }],
  ['the dotfile preference hides', '.secret', { hideDotfiles: true }],
])('a client that returns is not told the name of an entry that %s by then', async (...testCase) => {
  const [, name, fields] = testCase
  const app = await startApp({ files, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const first = await connectWatcher(app, bea, ['/docs'])
  const { resume } = await connectionOf(first)
  await startOfWatch(first, '/docs')
  first.socket.terminate()
  const witness = await connectWatcher(app, app, ['/docs'])
  await app.call('resources.create', { path: `/docs/${name}`, body: 'S' })
  expect(await witness.next()).toMatchObject({ path: `/docs/${name}` })
  await app.records.users.update(bea.user.id, fields)
  const second = await connectWatcher(app, bea, ['/docs'], { resume, since: 0 })
  expect(await connectionOf(second)).toMatchObject({ resume })
  await app.call('resources.create', { path: '/people/bea/docs/open.txt', body: 'O' })
  await app.call('resources.create', { path: '/docs/open.txt', body: 'O' })
  // Before this message, the client is told to read the folder again, unless that happened while it was away.
  const last = () => second.seen.at(-1)
  await expect.poll(last).toMatchObject({ kind: 'created', path: '/docs/open.txt' })
  expect(JSON.stringify(second.seen)).not.toContain('secret')
  for (const { socket } of [second, witness]) socket.close()
})

test('a client whose rights are revoked while it listens reads its folders again, and gets no names that they exclude', async () => {
  const app = await startApp({ files, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/docs'])
  await startOfWatch(client, '/docs')
  await app.records.users.update(bea.user.id, { rules: denying })
  await writeFile(path.join(app.disk, 'docs/secret.txt'), 'S')
  await app.call('resources.create', { path: '/docs/secret.txt', body: 'S', query: { override: 'true' } })
  await app.call('resources.create', { path: '/docs/open.txt', body: 'O' })
  expect(await client.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  expect(await client.next()).toMatchObject({ kind: 'created', path: '/docs/open.txt' })
  expect(JSON.stringify(client.seen)).not.toContain('secret')
  client.socket.close()
})

test('a client whose scope is changed while it listens follows the folder that its path leads to now', async () => {
  const app = await startApp({ files, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/docs'])
  await startOfWatch(client, '/docs')
  await app.records.users.update(bea.user.id, { scope: '/people/bea' })
  await writeFile(path.join(app.disk, 'docs/secret.txt'), 'S')
  expect(await client.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  await startOfWatch(client, '/docs', 2)
  await writeFile(path.join(app.disk, 'docs/secret.txt'), 'again')
  await writeFile(path.join(app.disk, 'people/bea/docs/open.txt'), 'O')
  expect(await client.next()).toMatchObject({ kind: 'created', path: '/docs/open.txt' })
  expect(JSON.stringify(client.seen)).not.toContain('secret')
  client.socket.close()
})

test.each(['disabled', 'deleted'])('a client whose user is %s gets no more messages', async (what) => {
  const app = await startApp({ files, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/docs'])
  await startOfWatch(client, '/docs')
  const closed = once(client.socket, 'close')
  if (what === 'disabled') await app.records.users.update(bea.user.id, { isDisabled: true })
  else await app.records.users.remove(bea.user.id)
  const witness = await connectWatcher(app, app, ['/docs'])
  await startOfWatch(witness, '/docs')
  await writeFile(path.join(app.disk, 'docs/a.txt'), 'A')
  await app.call('resources.create', { path: '/docs/b.txt', body: 'B' })
  expect(await witness.next()).toBeDefined()
  expect(await witness.next()).toBeDefined()
  await closed
  expect(client.seen).toEqual([])
  witness.socket.close()
})

test('a client is told once that the permissions of its user have changed, and not that preferences have', async () => {
  const app = await startApp({ files, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/docs'])
  await startOfWatch(client, '/docs')
  await app.records.users.update(bea.user.id, { viewMode: 'mosaic gallery' })
  const { perm } = (await app.records.users.find(bea.user.id))!
  await app.records.users.update(bea.user.id, { perm: { ...perm, delete: !perm.delete } })
  const told = () => client.statuses.filter((status) => 'rights' in status)
  await expect.poll(told).toEqual([{ rights: 'changed' }])
  await app.records.users.update(bea.user.id, { viewMode: 'list' })
  await app.records.users.update(bea.user.id, { rules: denying })
  await expect.poll(told).toHaveLength(2)
  expect(await client.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  client.socket.close()
})

test('a client is told to read its folders again when the rules for everybody have changed', async () => {
  const app = await startApp({ files: { docs: { 'secret.txt': 'S' } }, users: { bea: {} } })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/docs'])
  await startOfWatch(client, '/docs')
  await app.records.settings.change({ rules: denying })
  expect(await client.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  expect(client.statuses).toContainEqual({ rights: 'changed' })
  client.socket.close()
})
