import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ListingRow } from '../../shared/contract/resources.ts'
import { startApp, type SignedInUser, type TestApp } from '../../../test/kit/start-app.ts'
import { connectWatcher, startOfWatch } from '../../../test/kit/watching-client.ts'

/** Starts a server with a large folder that a client shows, so that responses for the folder are stored. */
async function startWithOpenFolder(options: Parameters<typeof startApp>[0] = {}): Promise<TestApp> {
  const app = await startApp({ files: { many: { sub: {} } }, ...options })
  for (let n = 0; n < 1200; n += 1) await writeFile(path.join(app.disk, 'many', `file-${n}.txt`), 'x')
  const client = await connectWatcher(app, app, ['/many'])
  await startOfWatch(client, '/many')
  return app
}

/** Returns the sizes of the entries that a listing shows, by name. */
async function sizesOf(person: SignedInUser, query = ''): Promise<Readonly<Record<string, number>>> {
  const headers = { accept: 'application/x-ndjson' }
  const reply = await person.fetch(`/api/resources/many/${query}`, { headers })
  const [, ...lines] = (await reply.text()).trimEnd().split('\n')
  const rows = lines.flatMap((line) => JSON.parse(line) as readonly ListingRow[])
  return Object.fromEntries(rows.map(([name, sizeBytes]) => [name, sizeBytes]))
}

test('every change is in the first listing of an open folder after it, whoever made it', async () => {
  const app = await startWithOpenFolder()
  const onDisk = path.join(app.disk, 'many')
  const timeOfSub = async () => {
    const reply = await app.fetch('/api/resources/many/', { headers: { accept: 'application/x-ndjson' } })
    const rows = (await reply.text()).split('\n')[1]!
    return (JSON.parse(rows) as readonly ListingRow[]).find(([name]) => name === 'sub')?.[2]
  }
  for (let n = 0; n < 10; n += 1) {
    await sizesOf(app)
    await appendFile(path.join(onDisk, 'file-1.txt'), 'more')
    expect((await sizesOf(app))['file-1.txt']).toBe(5 + 4 * n)
    await app.call('resources.create', { path: `/many/own-${n}.txt`, body: 'own' })
    expect(await sizesOf(app)).toHaveProperty([`own-${n}.txt`], 3)
    await app.call('resources.save', { path: '/many/file-2.txt', body: 'own'.repeat(n + 1) })
    expect((await sizesOf(app))['file-2.txt']).toBe(3 * (n + 1))
    await app.call('resources.remove', { path: `/many/own-${n}.txt` })
    expect(await sizesOf(app)).not.toHaveProperty([`own-${n}.txt`])
    const before = await timeOfSub()
    await mkdir(path.join(onDisk, 'sub', `new-${n}`))
    await expect.poll(timeOfSub).toBeGreaterThan(before!)
  }
})

test('a stored response is sent only to users who see the same entries, and no longer after that has changed', async () => {
  const rules = [{ regex: false, allow: false, path: '/many/file-7.txt', regexp: null }]
  const app = await startWithOpenFolder({ users: { bea: { rules }, cem: {} } })
  const [bea, cem] = [await app.signIn('bea'), await app.signIn('cem')]
  for (let n = 0; n < 2; n += 1) {
    expect(await sizesOf(app)).toHaveProperty(['file-7.txt'])
    expect(await sizesOf(cem)).toHaveProperty(['file-7.txt'])
    expect(await sizesOf(bea)).not.toHaveProperty(['file-7.txt'])
  }
  await app.records.users.update(cem.user.id, { rules })
  expect(await sizesOf(cem)).not.toHaveProperty(['file-7.txt'])
  await app.records.users.update(cem.user.id, { scope: '/many/sub' })
  expect(await cem.fetch('/api/resources/many/')).toHaveProperty('status', 404)
  await app.records.users.update(bea.user.id, { rules: [] })
  expect(await sizesOf(bea)).toHaveProperty(['file-7.txt'])
})

test('a stored response has the order that was requested, and answers to a known tag', async () => {
  const app = await startWithOpenFolder()
  const namesOf = async (query: string) => Object.keys(await sizesOf(app, query))
  const ascending = await namesOf('?by=name&asc=true')
  const descending = await namesOf('?by=name&asc=false')
  expect(await namesOf('?by=name&asc=true')).toEqual(ascending)
  expect(await namesOf('?by=name&asc=false')).toEqual(descending)
  expect(ascending).not.toEqual(descending)
  const headers = { accept: 'application/x-ndjson' }
  const etag = (await app.fetch('/api/resources/many/', { headers })).headers.get('etag')!
  const again = { headers: { ...headers, 'if-none-match': etag } }
  expect(await app.fetch('/api/resources/many/', again)).toHaveProperty('status', 304)
  await appendFile(path.join(app.disk, 'many/file-1.txt'), 'more')
  expect(await app.fetch('/api/resources/many/', again)).toHaveProperty('status', 200)
})
