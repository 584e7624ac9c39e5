import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { eventLimits } from './event-limits.ts'
import { createSentStateStores, type SentStates } from './watched-folder.ts'

const pathTo = (n: number): Path => pathOf(`/docs/${String(n).padStart(4, '0')}`)!
/** The characters of each path and its state together. */
const size = 20
const rememberAt = (states: SentStates, n: number): void =>
  states.remember(pathTo(n), { kind: 'gone', state: 's'.repeat(size - pathTo(n).length) })
const knows = (states: SentStates, n: number): boolean => states.get(pathTo(n)) !== undefined

test('what was sent to one client and to all clients is limited', () => {
  const newStates = createSentStateStores({ sentCharactersPerClient: 3 * size, sentCharacters: 5 * size })
  const [one, other, last] = [newStates(), newStates(), newStates()]
  for (const n of [1, 2, 3]) rememberAt(one, n)
  // The state of a known path replaces the former one.
  rememberAt(one, 3)
  expect([1, 2, 3].map((n) => knows(one, n))).toEqual([true, true, true])
  rememberAt(one, 4)
  expect([1, 2, 3, 4].map((n) => knows(one, n))).toEqual([false, false, false, true])
  for (const n of [5, 6]) rememberAt(one, n)
  for (const n of [1, 2]) rememberAt(other, n)
  // All clients together have no room left.
  rememberAt(last, 1)
  expect([knows(last, 1), knows(one, 5), knows(other, 2)]).toEqual([false, true, true])
  one.forget(pathOf('/docs')!)
  rememberAt(last, 1)
  expect(knows(last, 1)).toBe(true)
})

test('a client that has left gives back its room, and takes none afterwards', () => {
  const newStates = createSentStateStores({ sentCharactersPerClient: 2 * size, sentCharacters: 2 * size })
  const [gone, other] = [newStates(), newStates()]
  rememberAt(gone, 1)
  rememberAt(gone, 2)
  gone.end()
  rememberAt(gone, 1)
  for (const n of [1, 2]) rememberAt(other, n)
  expect([knows(gone, 1), knows(other, 1), knows(other, 2)]).toEqual([false, true, true])
})

test('a thousand entries with ordinary names fit', () => {
  const states = createSentStateStores(eventLimits)()
  for (let n = 0; n < 1000; n += 1)
    states.remember(pathOf(`/a folder/photo ${n}.jpg`)!, {
      kind: 'present',
      row: [`photo ${n}.jpg`, 5_000_000, 1_800_000_000_000, 'image', 0],
      state: JSON.stringify([`photo ${n}.jpg`, 5_000_000, 1_800_000_000_000, 'image', 0]),
    })
  expect(states.get(pathOf('/a folder/photo 0.jpg')!)).toBeDefined()
})
