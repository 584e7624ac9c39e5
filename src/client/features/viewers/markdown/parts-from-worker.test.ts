import { expect, test } from 'vitest'
import { TooComplexError } from '../markup/too-complex-error.ts'
import type { MarkdownCommand, MarkdownReply } from './markdown-messages.ts'
import { partsFromWorker } from './parts-from-worker.ts'

const part = { html: '<p>a</p>', continued: null, columns: null }
const limits = { partMs: 200, documentMs: 600 }

/** Creates a worker that answers each command as `answer` says, after a delay. Undefined is no answer at all. */
function createWorker(
  answer: (command: MarkdownCommand, index: number) => MarkdownReply | undefined,
  delayMs = 0,
) {
  const target = new EventTarget()
  const sent: MarkdownCommand[] = []
  let isTerminated = false
  const reply = (data: MarkdownReply): void =>
    void target.dispatchEvent(new MessageEvent('message', { data }))
  setTimeout(() => reply({ kind: 'ready' }))
  const worker = {
    addEventListener: target.addEventListener.bind(target) as Worker['addEventListener'],
    postMessage(command: MarkdownCommand) {
      const message = answer(command, sent.push(command))
      if (message !== undefined) setTimeout(() => reply(message), delayMs)
    },
    terminate: () => {
      isTerminated = true
    },
  }
  return {
    worker,
    sent,
    isTerminated: () => isTerminated,
    fail: () => target.dispatchEvent(new Event('error')),
  }
}

/** Reads a document, and returns the number of parts before the end or the error. */
async function read({ worker }: ReturnType<typeof createWorker>, signal = new AbortController().signal) {
  let count = 0
  try {
    for await (const _ of partsFromWorker('text', { worker, signal, limits })) count += 1
    return count
  } catch (error) {
    return error
  }
}

test('the next part is asked for before the previous one is shown, and the worker ends with the document', async () => {
  const running = createWorker((_, index) => (index < 4 ? { kind: 'part', part } : { kind: 'end' }))
  expect(await read(running)).toBe(3)
  expect(running.sent.map(({ kind }) => kind)).toEqual(['open', 'next', 'next', 'next'])
  expect(running.isTerminated()).toBe(true)
})

test('a worker that does not answer is ended, at the first part and at a later one', async () => {
  for (const answers of [0, 3]) {
    const running = createWorker((_, index) => (index <= answers ? { kind: 'part', part } : undefined))
    expect([await read(running), running.isTerminated()]).toEqual([expect.any(TooComplexError), true])
  }
})

test('a worker that answers each time, but takes too long for the document, is ended', async () => {
  const slow = createWorker(() => ({ kind: 'part', part }), 100)
  expect([await read(slow), slow.isTerminated()]).toEqual([expect.any(TooComplexError), true])
})

test('a worker ends when it refuses the document, when it fails, and when the document is closed', async () => {
  const refusing = createWorker(() => ({ kind: 'too-complex' }))
  expect([await read(refusing), refusing.isTerminated()]).toEqual([expect.any(TooComplexError), true])
  const failing = createWorker(() => undefined)
  const failed = read(failing)
  failing.fail()
  expect([String(await failed), failing.isTerminated()]).toEqual(['Error: The worker failed.', true])
  const abort = new AbortController()
  const closed = createWorker(() => undefined)
  const end = read(closed, abort.signal)
  abort.abort(new Error('closed'))
  expect([String(await end), closed.isTerminated()]).toEqual(['Error: closed', true])
})
