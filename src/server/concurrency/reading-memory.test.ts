import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReadingMemory, type ReadingMemoryOptions } from './reading-memory.ts'

const stalledMs = 20

function memoryOf(options: Partial<ReadingMemoryOptions> = {}) {
  const memory = createReadingMemory({ totalBytes: 30, bytesPerKey: 20, stalledMs, ...options })
  const ended: string[] = []
  return {
    ended,
    open: (key: string, name = key) => {
      const ending = new AbortController()
      const reading = memory.open({
        key,
        signal: () => ending.signal,
        end() {
          ended.push(name)
          reading.close()
        },
      })
      return { ...reading, abort: () => ending.abort(new Error('left')) }
    },
  }
}

/** Returns true when a promise has resolved after the given time in milliseconds. */
const isDoneAfter = async (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([promise.then(() => true), delay(ms, false)])

test('a key and all keys together hold no more than their bytes, and a closed reading gives its bytes back', async () => {
  const { open } = memoryOf()
  const ann = open('ann')
  expect([ann.hold(15), open('ann').hold(6), open('ann').hold(5)]).toEqual([true, false, true])
  const ben = open('ben')
  expect([open('cyn').hold(11), ben.hold(10), open('cyn').hold(1)]).toEqual([false, true, false])
  const next = open('cyn').wait(15)
  expect(await isDoneAfter(next, 5)).toBe(false)
  ann.close()
  ann.close()
  await next
  expect([open('ann').hold(1), ben.hold(0)]).toEqual([false, true])
})

test('a reading that needs more than a share waits until its key holds nothing else', async () => {
  const { open } = memoryOf()
  const ann = open('ann')
  expect(ann.hold(1000)).toBe(true)
  const next = open('ann').wait(1000)
  expect(await isDoneAfter(next, 5)).toBe(false)
  ann.close()
  await next
})

test('the reading that has stood still for the longest time ends when others wait, and not before', async () => {
  const { open, ended } = memoryOf()
  const [slow, slower, reader] = [open('ann', 'slow'), open('ann', 'slower'), open('ben')]
  expect([slow.hold(10), slower.hold(10), reader.hold(10)]).toEqual([true, true, true])
  slower.offered()
  await delay(2)
  slow.offered()
  reader.offered()
  reader.taken()
  await delay(400)
  expect(ended).toEqual([])
  await open('cyn').wait(5)
  expect(ended).toEqual(['slower'])
  const later = open('ben').wait(20)
  expect(await isDoneAfter(later, 700)).toBe(false)
  expect(ended).toEqual(['slower'])
  reader.close()
  slow.close()
  await later
})

test('who holds least is next, and who leaves does not keep others waiting', async () => {
  const { open } = memoryOf()
  const [first, second] = [open('ann'), open('ann')]
  first.hold(10)
  second.hold(10)
  open('ben').hold(10)
  const leaving = open('ann')
  const order: string[] = []
  const left = leaving.wait(10).catch((error: Error) => order.push(error.message))
  const ann = open('ann')
    .wait(10)
    .then(() => order.push('ann'))
  const cyn = open('cyn')
    .wait(10)
    .then(() => order.push('cyn'))
  first.close()
  await cyn
  leaving.abort()
  await left
  second.close()
  await ann
  expect(order).toEqual(['cyn', 'left', 'ann'])
})
