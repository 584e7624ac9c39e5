import { expect, test } from 'vitest'
import type { ChangeMessage } from '../../../../shared/contract/events.ts'
import { createChangeQueue } from './change-queue.ts'

/** Creates a queue with a clock that the test moves, and records what the queue shows. */
function createScreen(rows: readonly string[] = []) {
  const state = { nowMs: 0, movedMs: Number.NEGATIVE_INFINITY, isHeld: false }
  const present = new Set(rows)
  const shown: string[] = []
  let reloads = 0
  const timers: { readonly atMs: number; readonly run: () => void }[] = []
  const queue = createChangeQueue({
    later: (ms, run) => {
      timers.push({ atMs: state.nowMs + ms, run })
      return () => void timers.pop()
    },
    nowMs: () => state.nowMs,
    pointerMovedMs: () => state.movedMs,
    isHeld: () => state.isHeld,
    show: (changes) => {
      for (const { kind, path } of changes) {
        shown.push(`${kind} ${path}`)
        if (kind === 'written') present.add(path)
      }
      return true
    },
    hasRow: (path) => present.has(path),
    reloadSoon: () => void (reloads += 1),
  })
  const pass = (ms: number): void => {
    const endMs = state.nowMs + ms
    for (let due = timers[0]; due !== undefined && due.atMs <= endMs; due = timers[0]) {
      timers.shift()
      state.nowMs = due.atMs
      due.run()
    }
    state.nowMs = endMs
  }
  return { queue, state, present, shown, pass, reloads: () => reloads }
}

const change = (kind: ChangeMessage['kind'], path: string, to?: string): ChangeMessage => ({
  id: 1,
  kind,
  path,
  ...(to !== undefined && { to }),
  origin: null,
})

test('changes appear together, after the pointer has rested or at the latest after 1.5 s', () => {
  const { queue, state, shown, pass } = createScreen()
  queue.add(change('written', '/a'))
  queue.add(change('written', '/b'))
  pass(50)
  expect(shown).toEqual(['written /a', 'written /b'])
  queue.add(change('written', '/c'))
  state.movedMs = Number.POSITIVE_INFINITY
  pass(1400)
  expect(shown).toHaveLength(2)
  pass(400)
  expect(shown).toHaveLength(3)
})

test('changes wait while a menu is open or a name is edited', () => {
  const { queue, state, shown, pass } = createScreen()
  state.isHeld = true
  queue.add(change('removed', '/a'))
  pass(60_000)
  expect(shown).toEqual([])
  state.isHeld = false
  pass(400)
  expect(shown).toEqual(['removed /a'])
})

test('a waiting change does not bring back an entry that this tab has deleted or renamed meanwhile', () => {
  const { queue, state, shown, pass, reloads } = createScreen(['/a', '/b', '/c'])
  state.isHeld = true
  for (const path of ['/a', '/b', '/c']) queue.add(change('written', path))
  queue.addOwn(change('removed', '/a'))
  queue.addOwn(change('moved', '/b', '/b2'))
  state.isHeld = false
  pass(400)
  expect([shown, reloads()]).toEqual([['written /c'], 0])
})

test('the folder is fetched again when a change was shown before the server told of the deletion', () => {
  const { queue, present, pass, reloads } = createScreen(['/a', '/b'])
  present.delete('/a')
  queue.add(change('written', '/a'))
  pass(50)
  expect(present.has('/a')).toBe(true)
  queue.addOwn(change('removed', '/b'))
  expect(reloads()).toBe(0)
  queue.addOwn(change('removed', '/a'))
  expect(reloads()).toBe(1)
})

test('the folder is fetched again when a waiting move led to an entry that this tab has deleted', () => {
  const { queue, pass, shown, reloads } = createScreen(['/a'])
  queue.add(change('moved', '/a', '/b'))
  queue.addOwn(change('removed', '/b'))
  pass(400)
  expect([shown, reloads()]).toEqual([[], 1])
})
