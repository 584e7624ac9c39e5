import { expect, test } from 'vitest'
import { createDropQueue, type DropQueueDependencies } from './drop-queue.ts'
import { resultOf, type SendResult } from './send-file.ts'

const details = { guest: 'Zoë', note: 'a note' }
const fileOf = (name: string, text = 'bytes'): File => new File([text], name)

/** Creates a queue whose files are sent when the test says so. */
function queueOf(options: Partial<DropQueueDependencies> = {}) {
  const sent: {
    readonly name: string
    readonly id: string
    readonly answer: (result: SendResult) => void
  }[] = []
  let ids = 0
  const queue = createDropQueue({
    send: ({ file, uploadId }, { signal, onProgress }) =>
      new Promise((resolve, reject) => {
        onProgress(1)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        sent.push({ name: file.name, id: uploadId, answer: resolve })
      }),
    untilReachable: () => Promise.resolve(),
    isReadable: () => Promise.resolve(true),
    maxFileBytes: Number.POSITIVE_INFINITY,
    newId: () => `id ${(ids += 1)}`,
    ...options,
  })
  const states = () => queue.files.get().map(({ file, state, fault }) => [file.name, fault ?? state])
  return { queue, sent, states }
}

/** Lets the callbacks of all settled promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('chosen files are sent two at a time, and not before the guest sends them', async () => {
  const { queue, sent, states } = queueOf()
  queue.add(['a', 'b', 'c'].map((name) => fileOf(name)))
  await settle()
  expect(states()).toEqual([
    ['a', 'chosen'],
    ['b', 'chosen'],
    ['c', 'chosen'],
  ])
  queue.sendAll(details)
  await settle()
  expect(states().map(([, state]) => state)).toEqual(['sending', 'sending', 'waiting'])
  sent[1]?.answer('done')
  await settle()
  expect(states().map(([, state]) => state)).toEqual(['sending', 'done', 'sending'])
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('after a lost connection a file is sent again with the same id', async () => {
  const { queue, sent, states } = queueOf()
  queue.add([fileOf('a')])
  queue.sendAll(details)
  await settle()
  sent[0]?.answer('wait')
  await settle()
  sent[1]?.answer('done')
  await settle()
  expect(states()).toEqual([['a', 'done']])
  expect(sent.map(({ id }) => id)).toEqual(['id 1', 'id 1'])
})

test('a file that is refused, too large or unreadable fails, and can be tried again', async () => {
  const { queue, sent, states } = queueOf({
    maxFileBytes: 5,
    isReadable: (file) => Promise.resolve(file.name !== 'gone'),
  })
  queue.add([fileOf('a'), fileOf('large', '123456'), fileOf('gone')])
  queue.sendAll(details)
  await settle()
  sent[0]?.answer({ fault: 'too-many-files' })
  await settle()
  expect(states()).toEqual([
    ['a', 'too-many-files'],
    ['large', 'too-large'],
    ['gone', 'changed-meanwhile'],
  ])
  queue.retry('id 1')
  await settle()
  sent[1]?.answer('done')
  await settle()
  expect(states()[0]).toEqual(['a', 'done'])
})

test('a file that is removed while it is sent is aborted, and the next one starts', async () => {
  const { queue, sent, states } = queueOf()
  queue.add(['a', 'b', 'c'].map((name) => fileOf(name)))
  queue.sendAll(details)
  await settle()
  queue.remove('id 1')
  await settle()
  expect(states()).toEqual([
    ['b', 'sending'],
    ['c', 'sending'],
  ])
  expect(sent).toHaveLength(3)
})

test.each([
  [200, null, 'done'],
  [423, 'busy', 'wait'],
  [429, 'too-many-tries', 'wait'],
  [502, null, 'wait'],
  [503, 'unavailable', 'wait'],
  [504, null, 'wait'],
  [504, 'timeout', { fault: 'timeout' }],
  [507, 'too-many-files', { fault: 'too-many-files' }],
  [404, 'not-found', { fault: 'not-found' }],
  [413, null, { fault: 'too-large' }],
])('status %i with %j is %j', (status, code, result) => {
  expect(resultOf(status, code)).toEqual(result)
})
