import { expect, test } from 'vitest'
import { childOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import {
  canRetry,
  percentOf,
  type ConflictChoice,
  type NewUpload,
  type SendOutcome,
  type UploadJob,
  type UploadReport,
} from './upload-job.ts'
import { createUploadQueue } from './upload-queue.ts'
import { nothingUploading } from './upload-summary.ts'

const inbox = pathOf('/inbox') ?? root

/** Creates a queue with a fake transport and a fake clock that the test controls, and with a record of all reports. */
function startQueue(decide: (job: UploadJob) => ConflictChoice | Promise<ConflictChoice> = () => 'skip') {
  const flights = new Map<
    string,
    { end: (outcome: SendOutcome) => void; progress: (sent: number) => void; wait: () => void }
  >()
  const started: string[] = []
  const aborted: string[] = []
  const discarded: string[] = []
  const reports: UploadReport[] = []
  let nowMs = 1000
  let timers: { readonly atMs: number; readonly run: () => void }[] = []
  const queue = createUploadQueue({
    atOnce: 5,
    send: (job, { signal, onProgress, onWait }) =>
      new Promise((resolve) => {
        started.push(`${job.name}${job.overwrite ? '!' : ''}`)
        signal.addEventListener('abort', () => {
          aborted.push(job.name)
          resolve({ fault: 'aborted' })
        })
        flights.set(job.name, {
          end: (outcome) => {
            flights.delete(job.name)
            resolve(outcome)
          },
          progress: onProgress,
          wait: onWait,
        })
      }),
    discard: ({ name }) => discarded.push(name),
    decide: async (job) => decide(job),
    onDone: () => undefined,
    onEmpty: (report) => reports.push(report),
    nowMs: () => nowMs,
    later: (run, delayMs) => timers.push({ atMs: nowMs + delayMs, run }),
  })
  async function pass(ms: number): Promise<void> {
    nowMs += ms
    const due = timers.filter(({ atMs }) => atMs <= nowMs)
    timers = timers.filter(({ atMs }) => atMs > nowMs)
    for (const { run } of due) run()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  const land = async (name: string, outcome: SendOutcome = 'done'): Promise<void> => {
    flights.get(name)?.end(outcome)
    await new Promise((resolve) => setTimeout(resolve, 0))
    await pass(200)
  }
  const states = (): Record<string, string> =>
    Object.fromEntries(queue.summary.get().jobs.map(({ name, state }) => [name, state]))
  return { queue, flights, started, aborted, discarded, reports, pass, land, states }
}

const file = (name: string, sizeBytes = 10): NewUpload => ({
  target: inbox,
  path: childOf(inbox, name) as Path,
  name,
  file: new Blob([new Uint8Array(sizeBytes)]),
  overwrite: false,
})
const folder = (name: string): NewUpload => ({ ...file(name), file: null })
const big = 300 * 1024

test('at most five jobs are in flight, and the rest follow in order', async () => {
  const { queue, started, land, reports } = startQueue()
  queue.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => file(name)))
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
  await land('c')
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  for (const name of ['a', 'b', 'd', 'e', 'f', 'g']) await land(name)
  expect(reports).toEqual([{ done: 7, failed: 0, folders: [inbox] }])
})

// Journey: upload-queue-1
test('folders are created before any file is sent', async () => {
  const { queue, started, land } = startQueue()
  queue.add([file('a'), folder('x'), file('b'), folder('y')])
  expect(started).toEqual(['x', 'y'])
  await land('x')
  expect(started).toEqual(['x', 'y'])
  await land('y')
  expect(started).toEqual(['x', 'y', 'a', 'b'])
})

test('large files leave a slot to small files, and small files to a large one', () => {
  const many = startQueue()
  many.queue.add([1, 2, 3, 4, 5, 6].map((n) => file(`big${n}`, big)))
  expect(many.started).toHaveLength(5)

  const mixed = startQueue()
  mixed.queue.add([...[1, 2, 3, 4, 5, 6].map((n) => file(`big${n}`, big)), file('small')])
  expect(mixed.started).toEqual(['big1', 'big2', 'big3', 'big4', 'small'])

  const other = startQueue()
  other.queue.add([...[1, 2, 3, 4, 5, 6].map((n) => file(`small${n}`)), file('big', big)])
  expect(other.started).toEqual(['small1', 'small2', 'small3', 'small4', 'big'])
})

// Journey: upload-queue-2
test('progress is rounded up, published at most every 100 ms, and zero again when all is done', async () => {
  const { queue, flights, land, pass } = startQueue()
  await pass(100)
  queue.add([file('a', 1000)])
  let told = 0
  queue.summary.subscribe(() => {
    told += 1
  })
  for (let sent = 1; sent <= 101; sent += 1) flights.get('a')?.progress(sent)
  expect(told).toBe(0)
  await pass(100)
  expect([told, queue.summary.get().percent]).toEqual([1, 11])
  await land('a')
  expect([queue.summary.get().percent, queue.summary.get().isRunning]).toEqual([0, false])
})

test.each([
  [0, 1000, 0],
  [1, 1000, 1],
  [990, 1000, 99],
  [991, 1000, 100],
])('%i of %i bytes are %i percent', (sentBytes, totalBytes, percent) => {
  const counts = { ...nothingUploading.tally.counts, queued: 1 }
  expect(percentOf({ counts, sentBytes, totalBytes })).toBe(percent)
})

test('a name that the server reports as taken is decided by the person', async () => {
  const { queue, started, land, states, reports } = startQueue(({ name }) =>
    name === 'a' ? 'overwrite' : 'skip',
  )
  queue.add([file('a'), file('b')])
  await land('a', 'taken')
  await land('b', 'taken')
  expect(started).toEqual(['a', 'b', 'a!'])
  await land('a')
  expect(states()).toEqual({ a: 'done', b: 'skipped' })
  expect(reports).toEqual([{ done: 1, failed: 0, folders: [inbox] }])
})

test('a cancel aborts the request, and the next job takes its slot', async () => {
  const { queue, started, aborted, pass, states } = startQueue()
  queue.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => file(name)))
  const idOf = (name: string) => queue.summary.get().jobs.find((job) => job.name === name)?.id ?? 0
  await pass(100)
  queue.cancel(idOf('f'))
  queue.cancel(idOf('b'))
  await pass(100)
  expect(aborted).toEqual(['b'])
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'g'])
  expect([states()['b'], states()['f']]).toEqual(['cancelled', 'cancelled'])
})

test('jobs that were cancelled and removed while they waited take no slot', async () => {
  const { queue, started, pass } = startQueue()
  queue.add(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name)))
  queue.cancelAll()
  queue.clear('all')
  await pass(100)
  queue.add(['v', 'w', 'x', 'y', 'z'].map((name) => file(name)))
  expect(started.slice(5)).toEqual(['v', 'w', 'x', 'y', 'z'])
})

// Journey: upload-queue-3
test('a failed job names its cause, counts as not sent and can be retried', async () => {
  const { queue, land, states, reports, pass } = startQueue()
  queue.add([file('a', 100), { ...file('b/'), fault: 'bad-name' }])
  await land('a', { fault: 'offline' })
  expect(states()).toEqual({ a: 'failed', 'b/': 'failed' })
  expect(queue.summary.get().jobs.map(({ fault }) => fault)).toEqual(['offline', 'bad-name'])
  expect(queue.summary.get().tally.sentBytes).toBe(0)
  expect(reports).toEqual([{ done: 0, failed: 2, folders: [inbox] }])
  queue.retry(1)
  await pass(100)
  await land('a')
  expect(reports.slice(1)).toEqual([{ done: 1, failed: 0, folders: [inbox] }])
})

test('a retry after the end keeps the finished jobs in the list and reports only what is new', async () => {
  const { queue, land, states, reports, pass } = startQueue()
  queue.add(['a', 'b', 'c'].map((name) => file(name, 100)))
  await land('a')
  await land('b', { fault: 'offline' })
  await land('c', { fault: 'offline' })
  queue.retry(2)
  await pass(100)
  expect(states()).toEqual({ a: 'done', b: 'uploading', c: 'failed' })
  expect(queue.summary.get().isRunning).toBe(true)
  await land('b')
  expect(states()).toEqual({ a: 'done', b: 'done', c: 'failed' })
  queue.retry(3)
  await pass(100)
  await land('c', { fault: 'offline' })
  expect(reports).toEqual([
    { done: 1, failed: 2, folders: [inbox] },
    { done: 1, failed: 0, folders: [inbox] },
    { done: 0, failed: 1, folders: [inbox] },
  ])
  queue.add([file('d')])
  await pass(100)
  expect(states()).toEqual({ c: 'failed', d: 'uploading' })
})

test('a job that fails again after others were retried is reported, and cleared jobs are not counted', async () => {
  const { queue, land, reports, pass } = startQueue()
  queue.add(['a', 'b', 'c', 'd'].map((name) => file(name, 100)))
  await land('d')
  for (const name of ['a', 'b', 'c']) await land(name, { fault: 'offline' })
  queue.clear('finished')
  queue.retry(1)
  queue.retry(2)
  await pass(100)
  expect(queue.summary.get().tally.counts).toMatchObject({ uploading: 2, failed: 1, done: 0 })
  await land('a', { fault: 'offline' })
  queue.retry(3)
  await pass(100)
  await land('b')
  await land('c')
  expect(reports).toEqual([
    { done: 1, failed: 3, folders: [inbox] },
    { done: 2, failed: 1, folders: [inbox] },
  ])
})

test('a queue that is held aborts what is in flight, and sends it again, whole, when it is released', async () => {
  const { queue, started, aborted, land, states, reports, pass } = startQueue()
  queue.add(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name)))
  await land('a')
  queue.hold()
  await pass(200)
  expect([aborted, queue.summary.get().isHeld, states()['b'], states()['f']]).toEqual([
    ['b', 'c', 'd', 'e', 'f'],
    true,
    'queued',
    'queued',
  ])
  queue.add([file('g')])
  expect(started).toHaveLength(6)
  queue.release()
  expect(started.slice(6)).toEqual(['b', 'c', 'd', 'e', 'f'])
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g']) await land(name)
  expect([reports, queue.summary.get().isHeld]).toEqual([[{ done: 7, failed: 0, folders: [inbox] }], false])
})

test('the answer to an attempt that was aborted when the queue was held does not decide about the next attempt', async () => {
  const { queue, states, started, pass } = startQueue()
  queue.add([file('a')])
  queue.hold()
  queue.release()
  await pass(200)
  expect([started, states()]).toEqual([['a', 'a'], { a: 'uploading' }])
})

test('a drop forgets every job at once, reports nothing, and leaves all slots to what follows', async () => {
  const { queue, started, aborted, land, reports, pass } = startQueue()
  queue.add(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => file(name)))
  queue.hold()
  queue.drop()
  expect([queue.summary.get(), queue.counts().queued]).toEqual([nothingUploading, 0])
  await pass(200)
  expect([aborted.length, queue.summary.get().jobs, reports]).toEqual([5, [], []])
  queue.add(['v', 'w', 'x', 'y', 'z'].map((name) => file(name)))
  expect(started.slice(5)).toEqual(['v', 'w', 'x', 'y', 'z'])
  for (const name of ['v', 'w', 'x', 'y', 'z']) await land(name)
  expect(reports).toEqual([{ done: 5, failed: 0, folders: [inbox] }])
})

test('a question about a taken name that is answered after a drop changes nothing', async () => {
  let response: ((choice: ConflictChoice) => void) | undefined
  const { queue, started, land } = startQueue(
    () => new Promise<ConflictChoice>((resolve) => (response = resolve)),
  )
  queue.add([file('a')])
  await land('a', 'taken')
  queue.drop()
  response?.('overwrite')
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect([started, queue.summary.get().jobs]).toEqual([['a'], []])
})

// Journey: upload-queue-4
test('ten thousand files are uploaded within two seconds', async () => {
  const reports: UploadReport[] = []
  const done = new Promise<void>((resolve) => {
    const queue = createUploadQueue({
      atOnce: 5,
      send: () => Promise.resolve('done'),
      discard: () => undefined,
      decide: () => Promise.resolve('skip'),
      onDone: () => undefined,
      onEmpty: (report) => {
        reports.push(report)
        resolve()
      },
      nowMs: () => performance.now(),
      later: (run, delayMs) => void setTimeout(run, delayMs),
    })
    const one = new Blob(['x'])
    queue.add(Array.from({ length: 10_000 }, (_, n) => ({ ...file(`f${n}`, 0), file: one })))
  })
  const startedAtMs = performance.now()
  await done
  expect(reports[0]?.done).toBe(10_000)
  expect(performance.now() - startedAtMs).toBeLessThan(2000)
})

test('a paused job sends nothing while the others continue, and is sent when it is resumed', async () => {
  const { queue, started, aborted, reports, land, pass, states } = startQueue()
  queue.add([file('a'), file('b')])
  queue.pause(1)
  expect(aborted).toEqual(['a'])
  await land('b')
  expect(states()).toEqual({ a: 'paused', b: 'done' })
  expect([queue.summary.get().isRunning, reports]).toEqual([true, []])
  queue.resume(1)
  await pass(200)
  await land('a')
  expect(started).toEqual(['a', 'b', 'a'])
  expect(reports).toEqual([{ done: 2, failed: 0, folders: [inbox] }])
})

test('a queued job can be paused, Resume all resumes it, and a paused job can be cancelled', async () => {
  const { queue, started, pass, states } = startQueue()
  queue.add(Array.from('abcdefg', (name) => file(name)))
  for (const id of [6, 7]) queue.pause(id)
  queue.pause('all')
  queue.cancel(7)
  queue.resume('all')
  await pass(200)
  expect(states()['g']).toBe('cancelled')
  expect(started).toContain('f')
})

test('a skipped file is counted, and is not sent', async () => {
  const { queue, started, reports, pass } = startQueue()
  queue.add([{ ...file('a'), isSkipped: true }])
  await pass(200)
  expect([started, reports]).toEqual([[], [{ done: 0, failed: 0, folders: [] }]])
  expect(queue.summary.get().tally.counts.skipped).toBe(1)
})

test('paused jobs keep their progress, also when they are resumed', async () => {
  const { queue, flights, pass } = startQueue()
  queue.add([file('a', 100), file('b', 100)])
  flights.get('a')?.progress(50)
  await pass(200)
  expect(queue.summary.get().percent).toBe(25)
  queue.pause('all')
  await pass(200)
  expect([queue.summary.get().percent, queue.summary.get().isPaused]).toEqual([25, true])
  queue.resume('all')
  await pass(200)
  expect([queue.summary.get().percent, queue.summary.get().isPaused]).toEqual([25, false])
})

test('what the server has of a job that is cancelled while it is paused or held is discarded', async () => {
  const { queue, aborted, discarded, pass } = startQueue()
  queue.add([file('sent'), file('paused'), file('held')])
  await pass(200)
  const idOf = (name: string): number => queue.summary.get().jobs.find((job) => job.name === name)?.id ?? 0
  queue.cancel(idOf('sent'))
  expect([aborted, discarded]).toEqual([['sent'], []])
  queue.pause(idOf('paused'))
  queue.cancel(idOf('paused'))
  queue.hold()
  queue.cancel(idOf('held'))
  expect(discarded).toEqual(['paused', 'held'])
})

test('the summary names what the queue does: it uploads, waits, is paused, is held, asks, or is over', async () => {
  const { queue, flights, land, pass } = startQueue(() => new Promise<ConflictChoice>(() => undefined))
  const phase = async () => {
    await pass(200)
    return queue.summary.get().phase
  }
  expect(await phase()).toBe('over')
  queue.add([file('a', 100), file('b', 100)])
  expect(await phase()).toBe('uploading')
  flights.get('a')?.wait()
  expect(await phase()).toBe('uploading')
  flights.get('b')?.wait()
  expect(await phase()).toBe('waiting')
  flights.get('a')?.progress(1)
  expect(await phase()).toBe('uploading')
  queue.hold()
  expect(await phase()).toBe('held')
  queue.release()
  queue.pause('all')
  expect(await phase()).toBe('paused')
  queue.resume('all')
  await land('a', 'taken')
  expect(await phase()).toBe('uploading')
  await land('b')
  expect(await phase()).toBe('deciding')
  queue.drop()
  expect(await phase()).toBe('over')
})

test('a failed job keeps the permission and the name that the user has to be told, until it is sent again', async () => {
  const { queue, land, pass } = startQueue()
  const refusedName = { name: 'long', fault: 'too-long' } as const
  queue.add([file('a'), { ...file('b'), fault: 'bad-name', refusedName }])
  await land('a', { fault: 'forbidden', permission: 'create' })
  const facts = () =>
    queue.summary.get().jobs.map(({ permission, refusedName }) => [permission, refusedName?.name ?? null])
  expect(facts()).toEqual([
    ['create', null],
    [null, 'long'],
  ])
  queue.retry(1)
  await pass(200)
  expect(facts()[0]).toEqual([null, null])
})

test('the failures of earlier runs count until their jobs leave the list', async () => {
  const { queue, land, pass } = startQueue()
  queue.add([file('a')])
  await land('a', { fault: 'internal' })
  queue.add([file('b')])
  await land('b')
  expect([queue.summary.get().failures, queue.summary.get().tally.counts.failed]).toEqual([1, 0])
  queue.clear('all')
  await pass(200)
  expect(queue.summary.get().failures).toBe(0)
})

test('a failed job can be dismissed alone, and a running queue then counts one job less', async () => {
  const { queue, land, states, pass } = startQueue()
  queue.add([file('a', 100), file('b', 100), file('c', 100)])
  await land('a', { fault: 'too-large' })
  await land('b', { fault: 'offline' })
  for (const id of [1, 3]) queue.dismiss(id)
  await pass(200)
  expect(states()).toEqual({ b: 'failed', c: 'uploading' })
  expect([queue.summary.get().failures, queue.summary.get().tally.totalBytes]).toEqual([1, 200])
  await land('c')
  queue.dismiss(2)
  await pass(200)
  expect([states(), queue.summary.get().tally.counts.failed]).toEqual([{ c: 'done' }, 0])
})

test('several jobs that have ended are dismissed with one change of the list, and jobs that are under way stay', async () => {
  const { queue, land, states, pass } = startQueue()
  queue.add(['a', 'b', 'c', 'd'].map((name) => file(name)))
  await land('a')
  await land('b', { fault: 'offline' })
  queue.cancel(3)
  await pass(200)
  let changes = 0
  queue.summary.subscribe(() => {
    changes += 1
  })
  queue.dismiss([1, 2, 3, 4])
  await pass(200)
  expect([states(), changes]).toEqual([{ d: 'uploading' }, 1])
})

test('several jobs are sent again with one call', async () => {
  const { queue, land, started } = startQueue()
  queue.add(['a', 'b', 'c'].map((name) => file(name)))
  for (const name of ['a', 'b']) await land(name, { fault: 'offline' })
  queue.retry([1, 2, 3])
  expect(started).toEqual(['a', 'b', 'c', 'a', 'b'])
})

test('a retry is offered only for failures that it can cure', async () => {
  const { queue, land } = startQueue()
  const faults = ['too-large', 'bad-name', 'changed-meanwhile', 'offline', 'no-space'] as const
  queue.add(faults.map((fault) => file(fault)))
  for (const fault of faults) await land(fault, { fault })
  const retriable = queue.summary.get().jobs.filter(canRetry)
  expect(retriable.map(({ name }) => name)).toEqual(['offline', 'no-space'])
})
