import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayMount, memoryDisk, type Disk } from '../kit/mounts.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { makeTree, treeOf } from '../kit/tree.ts'
import { askAs, type Asker } from './asking.ts'

const tree = { 'old.txt': 'old', folder: { 'a.txt': 'a' } }

describe.skipIf(!mayMount())('a disk that becomes read only (needs leave to mount)', () => {
  let disk: Disk
  let server: RunningServer
  let ann: Asker
  beforeAll(async () => {
    disk = memoryDisk('size=96m')!
    await makeTree(disk.folder, tree)
    server = await runServer({ folder: disk.folder, people: [ada] })
    ann = await askAs(server, ada)
  })
  afterAll(async () => {
    await server?.remove()
    disk?.remove()
  })

  const transfer = (action: string, from: string, to: string) =>
    ann.ask('resources.transfer', from, { query: { action, destination: to } })
  const permanent = { query: { permanent: 'true' } }

  test('403 for every change, and nothing is changed; looking goes on', async () => {
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expect(await ann.ask('tus.begin', '/parts.txt', { headers: { 'upload-length': '3' } })).toBe('201')
    disk.remount('ro')
    const said = {
      upload: await ann.ask('resources.create', '/new.txt', { body: 'new' }),
      overwrite: await ann.ask('resources.create', '/old.txt', { body: 'new', query: { override: 'true' } }),
      save: await ann.ask('resources.save', '/old.txt', { body: 'new' }),
      folder: await ann.ask('resources.create', '/folder-2/'),
      begin: await ann.ask('tus.begin', '/more.txt', { headers: { 'upload-length': '3' } }),
      part: await ann.ask('tus.continue', '/parts.txt', { headers: part, body: 'new' }),
      copy: await transfer('copy', '/old.txt', '/copy.txt'),
      copyOfFolder: await transfer('copy', '/folder', '/copy'),
      move: await transfer('rename', '/old.txt', '/moved.txt'),
      moveOfFolder: await transfer('rename', '/folder', '/moved'),
      remove: await ann.ask('resources.remove', '/old.txt', permanent),
      removeFolder: await ann.ask('resources.remove', '/folder', permanent),
    }
    expect(said).toEqual(Object.fromEntries(Object.keys(said).map((name) => [name, '403 forbidden'])))
    expect((await ann.tell('raw.get', '/old.txt')).text).toBe('old')
    expect(await ann.ask('raw.get', '/folder', { query: { algo: 'zip' } })).toBe('200')
    expect(await ann.ask('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    disk.remount('rw')
    expect(await ann.ask('tus.continue', '/parts.txt', { headers: part, body: 'new' })).toBe('204')
    expect(await ann.ask('resources.create', '/new.txt', { body: 'new' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({ ...tree, 'parts.txt': 'new', 'new.txt': 'new' })
  })
})
