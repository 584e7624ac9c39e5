import { diskPathOf } from '../storage/disk-path.ts'
import { expect, test } from 'vitest'
import type { FolderWatchListener } from '../storage/folder-watcher.ts'
import { createFolderWatches, type FolderViewer } from './folder-watches.ts'

function fakeSystem() {
  const listeners: FolderWatchListener[] = []
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  let active = 0
  const watches = createFolderWatches({
    watcher: {
      watch(_folder, listener) {
        listeners.push(listener)
        active += 1
        return { stop: () => void (active -= 1), version: async () => null }
      },
      close: async () => {},
    },
    later(ms, run) {
      const timer = { ms, run }
      timers.push(timer)
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
    },
  })
  /** Runs the only timer and returns its delay in ms. */
  const runTimer = async (): Promise<number> => {
    const timer = timers.splice(0)[0]!
    timer.run()
    await new Promise((resolve) => setImmediate(resolve))
    return timer.ms
  }
  return { watches, listeners, timers, active: () => active, runTimer }
}

const folderWith = (ino: bigint) => ({ realPath: diskPathOf(`/srv/${ino}`), dev: 1n, ino, ownNames: [] })

function createViewer(fingerprint: () => string | null = () => 'same', accessKey = 'everything') {
  const seen: unknown[] = []
  const viewer: FolderViewer = {
    onStart: () => seen.push('started'),
    onChange: (names) => seen.push(names),
    onGone: () => seen.push('gone'),
    fingerprint: async () => fingerprint(),
    accessKey: async () => accessKey,
  }
  return { viewer, seen }
}

test('viewers of a folder share one watch, which ends with the last of them', () => {
  const { watches, listeners, timers, active } = fakeSystem()
  const [ann, bea] = [createViewer(), createViewer()]
  const changed = [{ name: 'a.txt', hasMoved: true }]
  const release = [watches.add(folderWith(1n), ann.viewer), watches.add(folderWith(1n), bea.viewer)]
  listeners[0]!.onStart()
  listeners[0]!.onChange(changed)
  expect([listeners.length, ann.seen, bea.seen]).toEqual([1, ['started', changed], ['started', changed]])
  release[0]!()
  expect([active(), watches.count()]).toEqual([1, 1])
  release[1]!()
  release[1]!()
  expect([active(), watches.count(), timers]).toEqual([0, 0, []])
})

test('1,000 folders that 200 clients show have 1,000 watches, and none when the clients have left', () => {
  const { watches, listeners, active, timers } = fakeSystem()
  const releases = Array.from({ length: 200 }, () => {
    const { viewer } = createViewer()
    return Array.from({ length: 1000 }, (_, ino) => watches.add(folderWith(BigInt(ino)), viewer))
  }).flat()
  expect([listeners.length, watches.count()]).toEqual([1000, 1000])
  for (const release of releases) release()
  expect([active(), watches.count(), timers]).toEqual([0, 0, []])
})

test('a new folder with the inode of a deleted one has a watch of its own', () => {
  const { watches, listeners, active, timers } = fakeSystem()
  const [ann, bea] = [createViewer(), createViewer()]
  const releaseAnn = watches.add(folderWith(1n), ann.viewer)
  listeners[0]!.onStart()
  listeners[0]!.onGone()
  expect([ann.seen, active(), watches.count()]).toEqual([['started', 'gone'], 0, 0])
  const releaseBea = watches.add(folderWith(1n), bea.viewer)
  listeners[1]!.onStart()
  releaseAnn()
  expect([ann.seen.length, bea.seen, active(), watches.count()]).toEqual([2, ['started'], 1, 1])
  releaseBea()
  expect([active(), watches.count(), timers]).toEqual([0, 0, []])
})

test('a folder that the system does not watch is polled at growing intervals, up to a minute', async () => {
  const { watches, listeners, timers, runTimer } = fakeSystem()
  let fingerprint = 'first'
  const { viewer, seen } = createViewer(() => fingerprint)
  const release = watches.add(folderWith(1n), viewer)
  listeners[0]!.onEnd()
  const intervals: number[] = []
  for (let n = 0; n < 9; n += 1) intervals.push(await runTimer())
  expect(intervals).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  expect(seen).toEqual(['started'])
  fingerprint = 'second'
  await runTimer()
  expect([seen, await runTimer()]).toEqual([['started', null], 1000])
  release()
  expect(timers).toEqual([])
})

test('a polled folder is compared with the rights of each viewer, and only viewers who see a change learn of it', async () => {
  const { watches, listeners, runTimer } = fakeSystem()
  let fingerprint = 'first'
  const ann = createViewer(() => 'without the hidden files', 'ann')
  const bea = createViewer(() => fingerprint, 'bea')
  const cleo = createViewer(() => fingerprint, 'cleo')
  watches.add(folderWith(1n), ann.viewer)
  watches.add(folderWith(1n), bea.viewer)
  listeners[0]!.onEnd()
  await runTimer()
  fingerprint = 'second'
  await runTimer()
  expect([ann.seen, bea.seen]).toEqual([['started'], ['started', null]])
  // The fingerprint of a later viewer is read once, so that its first change is noticed.
  watches.add(folderWith(1n), cleo.viewer)
  expect(await runTimer()).toBe(0)
  fingerprint = 'third'
  await runTimer()
  expect([ann.seen, bea.seen.slice(-1), cleo.seen.slice(-1)]).toEqual([
    ['started', 'started'],
    [null],
    [null],
  ])
})

test('a watch that fails after its start is replaced by polling, and its viewers read the folder again', async () => {
  const { watches, listeners, runTimer } = fakeSystem()
  const { viewer, seen } = createViewer()
  watches.add(folderWith(1n), viewer)
  listeners[0]!.onStart()
  listeners[0]!.onEnd()
  expect(seen).toEqual(['started', null])
  expect(await runTimer()).toBe(0)
})
