import { describe, expect, test } from 'vitest'
import { canMount, memoryDisk } from '../kit/mounts.ts'
import { treeOf } from '../kit/tree.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'

const tree = { 'old.txt': 'old', folder: { 'a.txt': 'a' } }

describe.skipIf(!canMount())('a disk that becomes read only (needs permission to mount)', () => {
  const opened = serverOnDisk({ makeDisk: () => memoryDisk('size=96m'), mountedAs: 'folder', files: tree })
  const permanent = { query: { permanent: 'true' } }

  test('refuses every change with 403 and can still be read', async () => {
    const { disk, ada: sender } = opened()
    const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expect(await sender.call('tus.begin', '/parts.txt', { headers: { 'upload-length': '3' } })).toBe('201')
    disk.remount('ro')
    const outcomes = {
      upload: await sender.call('resources.create', '/new.txt', { body: 'new' }),
      overwrite: await sender.call('resources.create', '/old.txt', {
        body: 'new',
        query: { override: 'true' },
      }),
      save: await sender.call('resources.save', '/old.txt', { body: 'new' }),
      folder: await sender.call('resources.create', '/folder-2/'),
      begin: await sender.call('tus.begin', '/more.txt', { headers: { 'upload-length': '3' } }),
      part: await sender.call('tus.continue', '/parts.txt', { headers: part, body: 'new' }),
      copy: await transfer(sender, { action: 'copy', from: '/old.txt', to: '/copy.txt' }),
      copyOfFolder: await transfer(sender, { action: 'copy', from: '/folder', to: '/copy' }),
      move: await transfer(sender, { action: 'rename', from: '/old.txt', to: '/moved.txt' }),
      moveOfFolder: await transfer(sender, { action: 'rename', from: '/folder', to: '/moved' }),
      remove: await sender.call('resources.remove', '/old.txt', permanent),
      removeFolder: await sender.call('resources.remove', '/folder', permanent),
    }
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((name) => [name, '403 forbidden'])))
    expect((await sender.send('raw.get', '/old.txt')).text).toBe('old')
    expect(await sender.call('raw.get', '/folder', { query: { algo: 'zip' } })).toBe('200')
    expect(await sender.call('settings.update', '', { body: '{"signup":true}' })).toBe('200')
    disk.remount('rw')
    expect(await sender.call('tus.continue', '/parts.txt', { headers: part, body: 'new' })).toBe('204')
    expect(await sender.call('resources.create', '/new.txt', { body: 'new' })).toBe('200')
    expect(await treeOf(disk.folder)).toEqual({ ...tree, 'parts.txt': 'new', 'new.txt': 'new' })
  })
})
