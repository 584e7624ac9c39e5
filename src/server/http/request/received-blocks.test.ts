import { expect, test } from 'vitest'
import { createBlockCollector } from './received-blocks.ts'

const kibibyte = 1024

test('bytes leave a collector in the order in which they came, whatever their sizes are', () => {
  const sizes = [1, 100_000, 65_536, 700_000, 3, 1_200_000, 524_288, 7]
  const bytes = Buffer.from(
    Array.from({ length: sizes.reduce((sum, size) => sum + size) }, (_, at) => at % 251),
  )
  const collector = createBlockCollector(Number.POSITIVE_INFINITY)
  const taken: Buffer[] = []
  let start = 0
  for (const size of sizes) {
    collector.add(Buffer.from(bytes.subarray(start, (start += size))))
    while (collector.isFull()) taken.push(Buffer.from(collector.take()!))
  }
  expect(taken.every(({ length }) => length === 512 * kibibyte)).toBe(true)
  expect(Buffer.concat([...taken, collector.take()!]).equals(bytes)).toBe(true)
  expect(collector.take()).toBeUndefined()
})

test('a block is as small as the announced body', () => {
  const collector = createBlockCollector(10)
  collector.add(Buffer.from('ten bytes.'))
  expect(collector.isFull()).toBe(true)
  expect(collector.take()!.buffer.byteLength).toBe(10)
})

test('the memory of a large chunk is given back when it is copied', () => {
  const collector = createBlockCollector(Number.POSITIVE_INFINITY)
  const chunk = Buffer.allocUnsafeSlow(64 * kibibyte)
  collector.add(chunk)
  expect(chunk.byteLength).toBe(0)
})

test('one block is filled while the other one is written', () => {
  const collector = createBlockCollector(Number.POSITIVE_INFINITY)
  const buffers = ['a', 'b', 'c', 'd', 'e'].map((text) => {
    collector.add(Buffer.from(text))
    return collector.take()!.buffer
  })
  const [first, second] = buffers
  expect(first).not.toBe(second)
  expect(buffers).toStrictEqual([first, second, first, second, first])
  expect(new Set(buffers).size).toBe(2)
})

test('the bytes of a slow client use one block', () => {
  const collector = createBlockCollector(Number.POSITIVE_INFINITY)
  const buffers = new Set<ArrayBufferLike>()
  for (const text of ['a', 'b', 'c']) {
    collector.add(Buffer.from(text))
    buffers.add(collector.take()!.buffer)
    expect(collector.take()).toBeUndefined()
  }
  expect(buffers.size).toBe(1)
})
