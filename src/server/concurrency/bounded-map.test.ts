import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('a full map removes the entry that was set first', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4])
})

test('long keys take the room of several entries, and a removed or replaced one takes none', () => {
  const map = createBoundedMap<string, number>(10, 6)
  map.set('aaa', 1)
  map.set('aaa', 2)
  map.set('bbb', 3)
  expect(['aaa', 'bbb'].map((key) => map.get(key))).toEqual([2, 3])
  expect([map.delete('aaa'), map.delete('aaa')]).toEqual([true, false])
  map.set('cc', 4)
  map.set('d', 5)
  expect(['bbb', 'cc', 'd'].map((key) => map.get(key))).toEqual([3, 4, 5])
  map.set('eeeeeee', 6)
  expect(['bbb', 'cc', 'd', 'eeeeeee'].map((key) => map.has(key))).toEqual([false, false, false, false])
  map.set('f', 7)
  map.clear()
  map.set('gggggg', 8)
  expect([map.has('f'), map.get('gggggg')]).toEqual([false, 8])
})
