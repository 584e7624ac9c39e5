import { describe, expect, test } from 'vitest'
import { canMountImages, poweredDisk, type PowerCutDisk } from '../kit/mounts.ts'
import { treeOf, type Tree } from '../kit/tree.ts'
import type { RequestSender } from './requests.ts'
import { serverOnDisk, transfer } from './server-on-disk.ts'
import { cutPower } from './power-cuts.ts'

/** Number of power cuts in this test. `run.ts` makes more cuts. */
const cuts = 5
const diskBytes = 96 * 1024 * 1024
const large = 'large '.repeat(100_000)
const before: Tree = {
  'saved.txt': 'before',
  'replaced.txt': 'before',
  'moved.txt': 'moved',
  'copied.txt': 'copied',
  'removed.txt': 'removed',
  from: { 'a.txt': 'a', inner: { 'b.txt': 'b' } },
  to: {},
  removed: { 'c.txt': 'c' },
}

const upload = (who: RequestSender, at: string, body = 'new', query = {}): Promise<string> =>
  who.ask('resources.create', at, { body, query })

async function inParts(who: RequestSender, at: string): Promise<string> {
  const length = String(large.length)
  await who.ask('tus.begin', at, { headers: { 'upload-length': length } })
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  return who.ask('tus.continue', at, { headers, body: large })
}

async function many(who: RequestSender): Promise<string> {
  const names = Array.from({ length: 24 }, (_, n) => `/many-${n}.txt`)
  const said = await Promise.all(names.map(async (name) => upload(who, name, name)))
  return [...new Set(said)].join(', ')
}

/** Requests whose changes must be completely on the disk when the server answers. */
const works: Readonly<Record<string, (who: RequestSender) => Promise<string>>> = {
  'a small upload': async (who) => upload(who, '/new.txt'),
  'an empty one': async (who) => upload(who, '/empty.txt', ''),
  'many small ones at once': many,
  'one into folders that are made for it': async (who) => upload(who, '/made/for/it.txt'),
  'a large one': async (who) => upload(who, '/large.bin', large),
  'one of unknown size': async (who) =>
    who.ask('resources.create', '/unknown.bin', { pieces: [Buffer.from('unknown')] }),
  'one in parts': async (who) => inParts(who, '/parts.bin'),
  'one over another': async (who) => upload(who, '/replaced.txt', 'after', { override: 'true' }),
  'a save': async (who) => who.ask('resources.save', '/saved.txt', { body: 'after' }),
  'a folder': async (who) => who.ask('resources.create', '/folder/'),
  'a folder in a new one': async (who) => who.ask('resources.create', '/folder/inner/'),
  'a file that is given another name': async (who) =>
    transfer(who, { action: 'rename', from: '/moved.txt', to: '/moved-2.txt' }),
  'a file that is moved': async (who) =>
    transfer(who, { action: 'rename', from: '/moved-2.txt', to: '/to/moved.txt' }),
  'a folder that is moved': async (who) => transfer(who, { action: 'rename', from: '/from', to: '/to/from' }),
  'a file that is copied': async (who) =>
    transfer(who, { action: 'copy', from: '/copied.txt', to: '/to/copied.txt' }),
  'a folder that is copied': async (who) => transfer(who, { action: 'copy', from: '/to/from', to: '/again' }),
  'a folder that is copied into one that is there': async (who) =>
    transfer(who, { action: 'copy', from: '/to', to: '/again', override: 'true' }),
  'a file that is removed': async (who) =>
    who.ask('resources.remove', '/removed.txt', { query: { permanent: 'true' } }),
  'a folder that is removed': async (who) =>
    who.ask('resources.remove', '/removed', { query: { permanent: 'true' } }),
}

const withoutFound = ({ 'lost+found': _found, ...tree }: Tree): Tree => tree

describe.skipIf(!canMountImages()).each([true, false])(
  'the power is cut (needs leave to mount); a journal: %s',
  (hasJournal) => {
    const makeDisk = (): PowerCutDisk | null => poweredDisk(diskBytes, { hasJournal })
    const on = serverOnDisk({ makeDisk, holds: 'folder', files: before })

    test.each(Object.entries(works))('%s is what it was answered to be', async (_, work) => {
      const { disk, ada } = on()
      disk.settle()
      expect(await work(ada)).toMatch(/^20\d$/)
      const there = withoutFound(await treeOf(disk.folder))
      expect(withoutFound(await disk.afterPowerCut(treeOf))).toEqual(there)
    })

    test(`${cuts} times at any moment: what was answered is there, and what is there is whole`, async () => {
      expect(await cutPower(cuts, { hasJournal })).toEqual([])
    })
  },
)
