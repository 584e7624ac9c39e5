import { describe, expect, test } from 'vitest'
import { canMountImages, powerCutDisk, type PowerCutDisk } from '../kit/mounts.ts'
import { treeOf, type FileTree } from '../kit/tree.ts'
import type { RequestSender } from './requests.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'
import { cutPower } from './power-cuts.ts'

/** Number of power cuts in this test. `run.ts` makes more cuts. */
const cuts = 5
const diskBytes = 96 * 1024 * 1024
const large = 'large '.repeat(100_000)
const before: FileTree = {
  'saved.txt': 'before',
  'replaced.txt': 'before',
  'moved.txt': 'moved',
  'copied.txt': 'copied',
  'removed.txt': 'removed',
  from: { 'a.txt': 'a', inner: { 'b.txt': 'b' } },
  to: {},
  removed: { 'c.txt': 'c' },
}

const upload = (sender: RequestSender, path: string, body = 'new', query = {}): Promise<string> =>
  sender.call('resources.create', path, { body, query })

async function uploadInParts(sender: RequestSender, path: string): Promise<string> {
  const length = String(large.length)
  await sender.call('tus.begin', path, { headers: { 'upload-length': length } })
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  return sender.call('tus.continue', path, { headers, body: large })
}

async function uploadMany(sender: RequestSender): Promise<string> {
  const names = Array.from({ length: 24 }, (_, n) => `/many-${n}.txt`)
  const outcomes = await Promise.all(names.map(async (name) => upload(sender, name, name)))
  return [...new Set(outcomes)].join(', ')
}

/** Requests whose changes must be completely on the disk when the server responds. */
const requests: Readonly<Record<string, (sender: RequestSender) => Promise<string>>> = {
  'a small upload': async (sender) => upload(sender, '/new.txt'),
  'an empty upload': async (sender) => upload(sender, '/empty.txt', ''),
  'many concurrent small uploads': uploadMany,
  'an upload into folders that it creates': async (sender) => upload(sender, '/made/for/it.txt'),
  'a large upload': async (sender) => upload(sender, '/large.bin', large),
  'an upload of unknown size': async (sender) =>
    sender.call('resources.create', '/unknown.bin', { chunks: [Buffer.from('unknown')] }),
  'an upload in parts': async (sender) => uploadInParts(sender, '/parts.bin'),
  'an upload over another file': async (sender) =>
    upload(sender, '/replaced.txt', 'after', { override: 'true' }),
  'a save': async (sender) => sender.call('resources.save', '/saved.txt', { body: 'after' }),
  'a folder': async (sender) => sender.call('resources.create', '/folder/'),
  'a folder in a new folder': async (sender) => sender.call('resources.create', '/folder/inner/'),
  'a file that is renamed': async (sender) =>
    transfer(sender, { action: 'rename', from: '/moved.txt', to: '/moved-2.txt' }),
  'a file that is moved': async (sender) =>
    transfer(sender, { action: 'rename', from: '/moved-2.txt', to: '/to/moved.txt' }),
  'a folder that is moved': async (sender) =>
    transfer(sender, { action: 'rename', from: '/from', to: '/to/from' }),
  'a file that is copied': async (sender) =>
    transfer(sender, { action: 'copy', from: '/copied.txt', to: '/to/copied.txt' }),
  'a folder that is copied': async (sender) =>
    transfer(sender, { action: 'copy', from: '/to/from', to: '/again' }),
  'a folder that is copied into an existing folder': async (sender) =>
    transfer(sender, { action: 'copy', from: '/to', to: '/again', override: 'true' }),
  'a file that is removed': async (sender) =>
    sender.call('resources.remove', '/removed.txt', { query: { permanent: 'true' } }),
  'a folder that is removed': async (sender) =>
    sender.call('resources.remove', '/removed', { query: { permanent: 'true' } }),
}

const withoutLostAndFound = ({ 'lost+found': _found, ...tree }: FileTree): FileTree => tree

describe.skipIf(!canMountImages()).each([true, false])(
  'a power cut (needs permission to mount); with a journal: %s',
  (hasJournal) => {
    const makeDisk = (): PowerCutDisk | null => powerCutDisk(diskBytes, { hasJournal })
    const opened = serverOnDisk({ makeDisk, mountedAs: 'folder', files: before })

    test.each(Object.entries(requests))('%s is on the disk after its response', async (_, sendRequest) => {
      const { disk, ada } = opened()
      disk.flush()
      expect(await sendRequest(ada)).toMatch(/^20\d$/)
      const expected = withoutLostAndFound(await treeOf(disk.folder))
      expect(withoutLostAndFound(await disk.afterPowerCut(treeOf))).toEqual(expected)
    })

    test(`after ${cuts} power cuts at any moment, no confirmed change is lost and no file is incomplete`, async () => {
      expect(await cutPower(cuts, { hasJournal })).toEqual([])
    })
  },
)
