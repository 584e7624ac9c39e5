import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import type { PoolTasks } from '../../../test/kit/pool-tasks.ts'
import { createThreadPool } from './thread-pool.ts'
import type { ThreadPool } from './thread-pool.ts'

const entry = new URL('../../../test/kit/pool-tasks.ts', import.meta.url)

function pool(size = 2): ThreadPool<PoolTasks> {
  const created = createThreadPool<PoolTasks>({ entry, size, data: { greeting: 'hello' } })
  onTestFinished(async () => created.close())
  return created
}

const codeFrom = async (call: Promise<unknown>): Promise<string> => call.then(() => 'done', codeOf)

test('a task gets its input and returns its result, and the thread has the data of its pool', async () => {
  expect(await pool().run('greet', { name: 'Ann' })).toBe('hello Ann')
})

test('application errors keep their code, and other errors keep their message', async () => {
  const threads = pool()
  await expect(threads.run('refuse', { code: 'not-found' })).rejects.toMatchObject({
    code: 'not-found',
    reason: 'why',
  })
  await expect(threads.run('fault', {})).rejects.toThrow('a fault of the program')
  // @ts-expect-error The compiler knows the names of the tasks.
  await expect(threads.run('no such', {})).rejects.toThrow('no task named no such')
})

test('the compiler checks the input and the result of a task', async () => {
  // @ts-expect-error The task greets a name.
  expect(await pool().run('greet', { nam: 'Ann' })).toBe('hello undefined')
  // @ts-expect-error The result is a text.
  const greeting: number = await pool().run('greet', { name: 'Ann' })
  expect(greeting).toBe('hello Ann')
})

test('a task can send several requests concurrently and receives a response to each', async () => {
  const responses = await pool().run(
    'askAll',
    { questions: [1, 2, 3] },
    { onRequest: async (value: number) => value * 21 },
  )
  expect(responses).toEqual([21, 42, 63])
})

test('a task receives the response to its request, or the error of the handler', async () => {
  const threads = pool()
  expect(await threads.run('ask', { question: 2 }, { onRequest: async (value: number) => value * 21 })).toBe(
    42,
  )
  const refusing = threads.run(
    'ask',
    { question: 2 },
    {
      onRequest: () => {
        throw new Error('no answer')
      },
    },
  )
  await expect(refusing).rejects.toThrow('no answer')
})

test('an idle thread ends after a while, and the next job starts a new thread', async () => {
  const threads = createThreadPool<PoolTasks>({ entry, size: 1, idleCheckMs: 50 })
  onTestFinished(async () => threads.close())
  const first = await threads.run('block', { ms: 0 })
  const next = async (): Promise<number> => threads.run('block', { ms: 0 })
  await expect.poll(next, { interval: 250 }).not.toBe(first)
})

test('a thread with a running job does not count as idle, even if the job takes long', async () => {
  const threads = createThreadPool<PoolTasks>({ entry, size: 1, idleCheckMs: 20 })
  onTestFinished(async () => threads.close())
  const ids = await Promise.all([threads.run('block', { ms: 150 }), threads.run('block', { ms: 150 })])
  expect(new Set(ids).size).toBe(1)
})

test('jobs are distributed over all threads of the pool, and no further threads are started', async () => {
  const threads = pool(2)
  const ids = await Promise.all(Array.from({ length: 6 }, async () => threads.run('block', { ms: 20 })))
  expect(new Set(ids).size).toBe(2)
})

test('items arrive in order, and no faster than they are taken', async () => {
  const threads = pool()
  const counts = new Int32Array(new SharedArrayBuffer(4))
  let next = 0
  for await (const item of threads.stream('count', { to: 100, counts })) {
    expect(item).toBe(next)
    next += 1
    if (next === 1) await wait(50)
    expect(Atomics.load(counts, 0)).toBeLessThanOrEqual(next + 9)
  }
  expect(next).toBe(100)
})

test('ending the iteration early ends the task', async () => {
  const threads = pool(1)
  for await (const item of threads.stream('count', { to: Infinity })) if (item === 3) break
  expect(await threads.run('greet', { name: 'Bea' })).toBe('hello Bea')
})

test('a stream that fails throws after the items that it has sent', async () => {
  const seen: number[] = []
  const reading = async (): Promise<void> => {
    for await (const item of pool().stream('countAndRefuse', { to: 3 })) seen.push(item)
  }
  expect(await codeFrom(reading())).toBe('no-space')
  expect(seen).toEqual([0, 1, 2])
})

test('an abort ends a task that computes, waits for a response, or waits to send an item', async () => {
  const threads = pool()
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }, { signal: AbortSignal.abort() }))).toBe(
    'aborted',
  )
  expect(await codeFrom(threads.run('spin', {}, { signal: AbortSignal.timeout(20) }))).toBe('aborted')
  const asking = threads.run(
    'ask',
    { question: 1 },
    { signal: AbortSignal.timeout(20), onRequest: async () => wait(60_000, 0, { ref: false }) },
  )
  expect(await codeFrom(asking)).toBe('aborted')
  const items = threads.stream('count', { to: Infinity }, { signal: AbortSignal.timeout(50) })
  await items.next()
  await wait(80)
  const rest = async (): Promise<void> => {
    for await (const item of items) if (item === -1) return
  }
  expect(await codeFrom(rest())).toBe('aborted')
})

const shared = (): Int32Array => new Int32Array(new SharedArrayBuffer(4))

test('each task has its own context, even if the previous task had another context', async () => {
  const threads = pool(1)
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const contexts = [one, one, other, one].map((context) => threads.run('context', {}, { context }))
  expect(await Promise.all(contexts)).toEqual([one, one, other, one])
})

test('memory is transferred with a result', async () => {
  expect(await pool().run('give', { length: 3 })).toEqual(new Uint8Array([7, 7, 7]))
})

test('a job that waits behind a short task moves to another thread when that task takes long', async () => {
  const threads = pool(2)
  const { gate, release } = hang()
  const hanging = threads.run('hang', { gate }, { isShort: true })
  const short = ['Ann', 'Bea', 'Cy'].map((name) => threads.run('greet', { name }, { isShort: true }))
  expect(await Promise.all(short)).toEqual(['hello Ann', 'hello Bea', 'hello Cy'])
  release()
  expect(await hanging).toBe('released')
})

test('a task that waits for a response does not delay the other tasks of its thread', async () => {
  const threads = pool(1)
  const asked = Promise.withResolvers<number>()
  const asking = threads.run('ask', { question: 1 }, { onRequest: () => asked.promise })
  expect(await threads.run('greet', { name: 'Ann' })).toBe('hello Ann')
  asked.resolve(2)
  expect(await asking).toBe(2)
})

test('a task gets help from an idle thread, and works alone when there is none', async () => {
  expect(await pool(2).run('together', { seen: shared() })).toBe('helped')
  expect(await pool(1).run('together', { seen: shared() })).toBe('alone')
})

test('when a thread crashes, its jobs fail, and a new thread replaces it', async () => {
  const threads = pool(1)
  const waiting = threads.run(
    'ask',
    { question: 1 },
    { onRequest: async () => wait(60_000, 0, { ref: false }) },
  )
  const dying = threads.run('die', {})
  await expect(dying).rejects.toThrow('a worker thread')
  await expect(waiting).rejects.toThrow('a worker thread')
  expect(await threads.run('greet', { name: 'Ann' })).toBe('hello Ann')
})

test('a closed pool refuses jobs, and can be closed again', async () => {
  const threads = pool()
  const waiting = threads.run(
    'ask',
    { question: 1 },
    { onRequest: async () => wait(60_000, 0, { ref: false }) },
  )
  const refused = codeFrom(waiting)
  await threads.close()
  await threads.close()
  expect(await refused).toBe('unavailable')
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }))).toBe('unavailable')
})

test('idle threads do not keep the process alive', () => {
  const program = `
    import { createThreadPool } from ${JSON.stringify(new URL('./thread-pool.ts', import.meta.url).href)}
    const pool = createThreadPool({ entry: new URL(${JSON.stringify(entry.href)}), size: 1, data: { greeting: 'hi' } })
    process.stdout.write(await pool.run('greet', { name: 'you' }))
  `
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  expect([ended.stdout, ended.status]).toEqual(['hi you', 0])
})

const hangLimits = { slowMs: 100, deadlineMs: 1000, maxSlowPerResource: 2, maxThreads: 4 }

/** Creates the input of a task that hangs in a system call until `release` is called. */
function hang() {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const release = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  onTestFinished(release)
  return { gate, release }
}

function poolWithLimits(): ThreadPool<PoolTasks> {
  const made = createThreadPool<PoolTasks>({ entry, size: 1, data: { greeting: 'hello' }, hangLimits })
  onTestFinished(async () => made.close())
  return made
}

test('a job that waits behind a hanging call moves to another thread', async () => {
  const threads = poolWithLimits()
  const { gate, release } = hang()
  const hanging = threads.run('hang', { gate })
  const greeting = threads.run('greet', { name: 'Ann' })
  expect(await greeting).toBe('hello Ann')
  release()
  expect(await hanging).toBe('released')
})

test('a call that hangs too long fails with timeout, and its late result can be cleaned up', async () => {
  const threads = poolWithLimits()
  const { gate, release } = hang()
  const over = Promise.withResolvers<unknown>()
  expect(await codeFrom(threads.run('hang', { gate }, { onFinished: over.resolve }))).toBe('timeout')
  release()
  expect(await over.promise).toBe('released')
  expect(await threads.run('greet', { name: 'Bea' })).toBe('hello Bea')
})

test('when all threads hang, the next job is refused immediately, and jobs run again when the threads continue', async () => {
  const threads = poolWithLimits()
  const { gate, release } = hang()
  const hanging: Promise<string>[] = []
  for (let round = 0; round < hangLimits.maxThreads; round += 1) {
    hanging.push(codeFrom(threads.run('hang', { gate })))
    await wait(hangLimits.slowMs * 2)
  }
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => 'timeout'))
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }))).toBe('unavailable')
  release()
  await expect.poll(() => codeFrom(threads.run('greet', { name: 'Ann' }))).toBe('done')
})

test('a thread whose items are not taken, or that checks for an abort while it computes, does not count as hung', async () => {
  const threads = poolWithLimits()
  const slow: number[] = []
  for await (const item of threads.stream('count', { to: 20 })) {
    slow.push(item)
    if (item === 0) await wait(hangLimits.deadlineMs * 1.5)
  }
  expect(slow).toHaveLength(20)
  const spinning = new AbortController()
  const spun = codeFrom(threads.run('spin', {}, { signal: spinning.signal }))
  setTimeout(() => spinning.abort(), hangLimits.deadlineMs * 1.5)
  expect(await spun).toBe('aborted')
})

test('tasks on a hanging resource do not block all threads, so that tasks on other resources still run', async () => {
  const threads = poolWithLimits()
  const { gate } = hang()
  const hanging = Array.from({ length: 20 }, () =>
    codeFrom(threads.run('hang', { gate }, { resource: 'a disk' })),
  )
  expect(await threads.run('greet', { name: 'Ann' }, { resource: 'another' })).toBe('hello Ann')
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['timeout']))
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }, { resource: 'a disk' }))).toBe('unavailable')
  expect(await threads.run('greet', { name: 'Bea' }, { resource: 'another' })).toBe('hello Bea')
})
