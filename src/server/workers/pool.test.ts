import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { createPool } from './pool.ts'
import type { Pool } from './pool.ts'

const entry = new URL('./conformance/tasks.ts', import.meta.url)

function pool(size = 2): Pool {
  const made = createPool({ entry, size, data: { greeting: 'hello' } })
  onTestFinished(async () => made.close())
  return made
}

const codeFrom = async (call: Promise<unknown>): Promise<string> => call.then(() => 'done', codeOf)

test('a task gets its input and gives its answer; the thread has its data', async () => {
  expect(await pool().run('greet', { name: 'Ann' })).toBe('hello Ann')
})

test('failures keep their word; faults keep their text', async () => {
  const threads = pool()
  await expect(threads.run('refuse', { code: 'not-found' })).rejects.toMatchObject({
    code: 'not-found',
    reason: 'why',
  })
  await expect(threads.run('fault', {})).rejects.toThrow('a fault of the program')
  await expect(threads.run('no such', {})).rejects.toThrow('no task named no such')
})

test('what a task asks at once is answered each', async () => {
  const answers = await pool().run(
    'askAll',
    { questions: [1, 2, 3] },
    { answer: async (asked: number) => asked * 21 },
  )
  expect(answers).toEqual([21, 42, 63])
})

test('a task asks, and is answered or refused', async () => {
  const threads = pool()
  expect(await threads.run('ask', { question: 2 }, { answer: async (asked: number) => asked * 21 })).toBe(42)
  const refusing = threads.run(
    'ask',
    { question: 2 },
    {
      answer: () => {
        throw new Error('not told')
      },
    },
  )
  await expect(refusing).rejects.toThrow('not told')
})

test('requests are spread over threads, never more than there may be', async () => {
  const threads = pool(2)
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => threads.run<number>('block', { ms: 20 })),
  )
  expect(new Set(ids).size).toBe(2)
})

test('items come in order, and no faster than they are taken', async () => {
  const threads = pool()
  const counts = new Int32Array(new SharedArrayBuffer(4))
  let next = 0
  for await (const item of threads.stream<number>('count', { to: 100, counts })) {
    expect(item).toBe(next)
    next += 1
    if (next === 1) await wait(50)
    expect(Atomics.load(counts, 0)).toBeLessThanOrEqual(next + 9)
  }
  expect(next).toBe(100)
})

test('who stops taking items ends the task', async () => {
  const threads = pool(1)
  for await (const item of threads.stream<number>('count', { to: Infinity })) if (item === 3) break
  expect(await threads.run('greet', { name: 'Bea' })).toBe('hello Bea')
})

test('a stream that fails throws after what it sent', async () => {
  const seen: number[] = []
  const reading = async (): Promise<void> => {
    for await (const item of pool().stream<number>('countAndRefuse', { to: 3 })) seen.push(item)
  }
  expect(await codeFrom(reading())).toBe('no-space')
  expect(seen).toEqual([0, 1, 2])
})

test('an abort reaches a task that works, one that asks and one that waits to send', async () => {
  const threads = pool()
  expect(await codeFrom(threads.run('greet', {}, { signal: AbortSignal.abort() }))).toBe('aborted')
  expect(await codeFrom(threads.run('spin', {}, { signal: AbortSignal.timeout(20) }))).toBe('aborted')
  const asking = threads.run(
    'ask',
    { question: 1 },
    { signal: AbortSignal.timeout(20), answer: async () => wait(60_000, 0, { ref: false }) },
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

test('each task has the context that it was given, whichever went before', async () => {
  const threads = pool(1)
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  const told = [one, one, other, one].map((context) => threads.run('context', {}, { context }))
  expect(await Promise.all(told)).toEqual([one, one, other, one])
})

test('memory is given away with an answer', async () => {
  expect(await pool().run('give', { length: 3 })).toEqual(new Uint8Array([7, 7, 7]))
})

test('what waits behind a short task that turns out long is done by another thread', async () => {
  const threads = pool(2)
  const { gate, letGo } = hang()
  const hanging = threads.run('hang', { gate }, { isShort: true })
  const short = ['Ann', 'Bea', 'Cy'].map((name) => threads.run('greet', { name }, { isShort: true }))
  expect(await Promise.all(short)).toEqual(['hello Ann', 'hello Bea', 'hello Cy'])
  letGo()
  expect(await hanging).toBe('let go')
})

test('a task that waits for an answer holds nobody up who came with it', async () => {
  const threads = pool(1)
  const asked = Promise.withResolvers<number>()
  const asking = threads.run('ask', { question: 1 }, { answer: () => asked.promise })
  expect(await threads.run('greet', { name: 'Ann' })).toBe('hello Ann')
  asked.resolve(2)
  expect(await asking).toBe(2)
})

test('a thread calls another one for help; where there is none, it is alone', async () => {
  expect(await pool(2).run('together', { seen: shared() })).toBe('helped')
  expect(await pool(1).run('together', { seen: shared() })).toBe('alone')
})

test('a thread that dies fails what it had, and another takes its place', async () => {
  const threads = pool(1)
  const waiting = threads.run('ask', { question: 1 }, { answer: async () => wait(60_000, 0, { ref: false }) })
  const dying = threads.run('die', {})
  await expect(dying).rejects.toThrow('a worker thread')
  await expect(waiting).rejects.toThrow('a worker thread')
  expect(await threads.run('greet', { name: 'Ann' })).toBe('hello Ann')
})

test('a closed pool takes nothing more, and closes again', async () => {
  const threads = pool()
  const waiting = threads.run('ask', { question: 1 }, { answer: async () => wait(60_000, 0, { ref: false }) })
  const refused = codeFrom(waiting)
  await threads.close()
  await threads.close()
  expect(await refused).toBe('unavailable')
  expect(await codeFrom(threads.run('greet', {}))).toBe('unavailable')
})

test('idle threads keep no process alive', () => {
  const program = `
    import { createPool } from ${JSON.stringify(new URL('./pool.ts', import.meta.url).href)}
    const pool = createPool({ entry: new URL(${JSON.stringify(entry.href)}), size: 1, data: { greeting: 'hi' } })
    process.stdout.write(await pool.run('greet', { name: 'you' }))
  `
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 10_000,
  })
  expect([ended.stdout, ended.status]).toEqual(['hi you', 0])
})

const patience = { slowMs: 100, deadlineMs: 1000, mostSlowOnOne: 2, mostThreads: 4 }

/** A call of the system that hangs until it is let go. */
function hang() {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const letGo = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  onTestFinished(letGo)
  return { gate, letGo }
}

function patientPool(): Pool {
  const made = createPool({ entry, size: 1, data: { greeting: 'hello' }, patience })
  onTestFinished(async () => made.close())
  return made
}

test('what waits behind a call that hangs is done by another thread', async () => {
  const threads = patientPool()
  const { gate, letGo } = hang()
  const hanging = threads.run('hang', { gate })
  const greeting = threads.run('greet', { name: 'Ann' })
  expect(await greeting).toBe('hello Ann')
  letGo()
  expect(await hanging).toBe('let go')
})

test('a call that hangs too long is given up; what it gives in the end can be cleaned up', async () => {
  const threads = patientPool()
  const { gate, letGo } = hang()
  const over = Promise.withResolvers<unknown>()
  expect(await codeFrom(threads.run('hang', { gate }, { onOver: over.resolve }))).toBe('timeout')
  letGo()
  expect(await over.promise).toBe('let go')
  expect(await threads.run('greet', { name: 'Bea' })).toBe('hello Bea')
})

test('when all threads hang that there may be, the next is refused at once, and all goes on when they come back', async () => {
  const threads = patientPool()
  const { gate, letGo } = hang()
  const hanging: Promise<string>[] = []
  for (let round = 0; round < patience.mostThreads; round += 1) {
    hanging.push(codeFrom(threads.run('hang', { gate })))
    await wait(patience.slowMs * 2)
  }
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => 'timeout'))
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }))).toBe('unavailable')
  letGo()
  await expect.poll(() => codeFrom(threads.run('greet', { name: 'Ann' }))).toBe('done')
})

test('a thread that waits for its reader, or calculates with looks at its mark, does not hang', async () => {
  const threads = patientPool()
  const slow: number[] = []
  for await (const item of threads.stream<number>('count', { to: 20 })) {
    slow.push(item)
    if (item === 0) await wait(patience.deadlineMs * 1.5)
  }
  expect(slow).toHaveLength(20)
  const spinning = new AbortController()
  const spun = codeFrom(threads.run('spin', {}, { signal: spinning.signal }))
  setTimeout(() => spinning.abort(), patience.deadlineMs * 1.5)
  expect(await spun).toBe('aborted')
})

test('tasks on a thing that hangs leave threads to those on others', async () => {
  const threads = patientPool()
  const { gate } = hang()
  const hanging = Array.from({ length: 20 }, () => codeFrom(threads.run('hang', { gate }, { on: 'a disk' })))
  expect(await threads.run('greet', { name: 'Ann' }, { on: 'another' })).toBe('hello Ann')
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['timeout']))
  expect(await codeFrom(threads.run('greet', { name: 'Ann' }, { on: 'a disk' }))).toBe('unavailable')
  expect(await threads.run('greet', { name: 'Bea' }, { on: 'another' })).toBe('hello Bea')
})
