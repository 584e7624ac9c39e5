import { expect, onTestFinished, test } from 'vitest'
import { shareFields, testRecords, userFields } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { correctPlaces, createRealPlaces } from './real-places.ts'

const at = (text: string): Path => pathOf(text) ?? root

async function world() {
  const disk = temporaryFolder()
  await makeTree(disk, { docs: { sub: { 'a.txt': 'x' } }, link: { link: 'docs' }, round: { link: 'round' } })
  const volume = createPosixVolume({ root: disk })
  onTestFinished(() => volume.close())
  let asked = 0
  let nowMs = 0
  const counted = {
    realFolder: (folder: Path) => {
      asked += 1
      return volume.realFolder(folder)
    },
  }
  const realPlaces = createRealPlaces({ volume: counted, nowMs: () => nowMs })
  return { realPlaces, asked: () => asked, pass: (ms: number) => void (nowMs += ms) }
}

test('a place has no link in what leads to it, and is left as it is where that cannot be told', async () => {
  const { realPlaces } = await world()
  const found = ['/', '/link', '/link/sub', '/link/sub/new', '/gone/a', '/round/a', '/docs/sub/a.txt/b']
  expect(await Promise.all(found.map((path) => realPlaces.of(at(path))))).toEqual([
    '/',
    '/link',
    '/docs/sub',
    '/docs/sub/new',
    '/gone/a',
    '/round/a',
    '/docs/sub/a.txt/b',
  ])
})

test('a folder is looked up once a second, and again when something was moved', async () => {
  const { realPlaces, asked, pass } = await world()
  await Promise.all(['/link/a', '/link/b'].map((path) => realPlaces.of(at(path))))
  pass(999)
  await realPlaces.of(at('/link/c'))
  expect(asked()).toBe(1)
  pass(1)
  await realPlaces.of(at('/link/c'))
  expect(asked()).toBe(2)
  realPlaces.forget()
  await realPlaces.of(at('/link/c'))
  expect(asked()).toBe(3)
})

test('shares that were stored by way of a link come to say where their entry is', async () => {
  const { realPlaces } = await world()
  const { users, shares } = await testRecords()
  const { id: userId } = await users.add(userFields({ username: 'ann' }))
  for (const path of ['/link/sub', '/docs/sub', '/gone/a'])
    await shares.add(shareFields({ userId, hash: path, path: at(path) }))
  await correctPlaces(shares, realPlaces)
  const kept = await shares.list()
  expect(new Set(kept.map(({ hash, path }) => `${hash} at ${path}`))).toEqual(
    new Set(['/link/sub at /docs/sub', '/docs/sub at /docs/sub', '/gone/a at /gone/a']),
  )
})
