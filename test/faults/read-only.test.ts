import { describe, expect, test } from 'vitest'
import { canMount, memoryDisk } from '../kit/mounts.ts'
import { treeOf } from '../kit/tree.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'

const tree = { 'old.txt': 'old', folder: { 'a.txt': 'a' } }

describe.skipIf(!canMount())('a disk that becomes read only (needs leave to mount)', () => {
  const on = serverOnDisk({ makeDisk: () => memoryDisk('size=96m'), holds: 'folder', files: tree })
  const permanent = { query: { permanent: 'true' } }

  test('403 for every change, and nothing is changed; looking goes on', async () => {
    const { disk, ada: asker } = on()
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expect(await asker.ask('tus.begin', '/parts.txt', { headers: { 'upload-length': '3' } })).toBe('201')
    disk.remount('ro')
    const said = {
      upload: await asker.ask('resources.create', '/new.txt', { body: 'new' }),
      overwrite: await asker.ask('resources.create', '/old.txt', {
        body: 'new',
        query: { override: 'true' },
      }),
      save: await asker.ask('resources.save', '/old.txt', { body: 'new' }),
      folder: await asker.ask('resources.create', '/folder-2/'),
      begin: await asker.ask('tus.begin', '/more.txt', { headers: { 'upload-length': '3' } }),
      part: await asker.ask('tus.continue', '/parts.txt', { headers: part, body: 'new' }),
      copy: await transfer(asker, { action: 'copy', from: '/old.txt', to: '/copy.txt' }),
      copyOfFolder: await transfer(asker, { action: 'copy', from: '/folder', to: '/copy' }),
      move: await transfer(asker, { action: 'rename', from: '/old.txt', to: '/moved.txt' }),
      moveOfFolder: await transfer(asker, { action: 'rename', from: '/folder', to: '/moved' }),
      remove: await asker.ask('resources.remove', '/old.txt', permanent),
      removeFolder: await asker.ask('resources.remove', '/folder', permanent),
    }
    expect(said).toEqual(Object.fromEntries(Object.keys(said).map((name) => [name, '403 forbidden'])))
    expect((await asker.tell('raw.get', '/old.txt')).text).toBe('old')
    expect(await asker.ask('raw.get', '/folder', { query: { algo: 'zip' } })).toBe('200')
    expect(await asker.ask('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    disk.remount('rw')
    expect(await asker.ask('tus.continue', '/parts.txt', { headers: part, body: 'new' })).toBe('204')
    expect(await asker.ask('resources.create', '/new.txt', { body: 'new' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({ ...tree, 'parts.txt': 'new', 'new.txt': 'new' })
  })
})
