import { expect, test } from 'vitest'
import { pathOf, root } from '../../../shared/domain/path.ts'
import { createConflictQueue } from './conflict-queue.ts'
import type { NameConflict } from './name-conflict.ts'
import type { Prompt } from '../prompt.ts'
import { createStore } from '../store.ts'

const photos = pathOf('/Photos') ?? root
const facts = { isFolder: false, type: 'text', sizeBytes: 1, modifiedMs: 0 } as const
const conflict = (verb: NameConflict['verb'], name: string): NameConflict => ({
  verb,
  folder: photos,
  name,
  source: facts,
  existing: facts,
  freeName: null,
})
const named = (...names: string[]) => names.map((name) => conflict('upload', name))

function openQueue() {
  const prompt = createStore<Prompt>({ kind: 'none' })
  return { prompt, queue: createConflictQueue(prompt), shown: () => shownBy(prompt) }
}

function shownBy(prompt: { get: () => Prompt }) {
  const now = prompt.get()
  if (now.kind !== 'replace') throw new Error(`expected the replace prompt, not ${now.kind}`)
  return { ...now, names: now.conflicts.map(({ name }) => name) }
}

test('one answer for all conflicts closes the dialog', async () => {
  const { queue, prompt, shown } = openQueue()
  const choices = queue.ask(named('a', 'b'), 12)
  expect([shown().names, shown().total]).toEqual([['a', 'b'], 12])
  shown().resolve(() => 'overwrite')
  expect(await choices).toEqual(['overwrite', 'overwrite'])
  expect(prompt.get().kind).toBe('none')
})

test('each conflict gets its own answer', async () => {
  const { queue, shown } = openQueue()
  const choices = queue.ask(named('a', 'b'), 2)
  shown().resolve(({ name }) => (name === 'a' ? 'skip' : 'overwrite'))
  expect(await choices).toEqual(['skip', 'overwrite'])
})

test('a late conflict joins the open dialog', async () => {
  const { queue, shown } = openQueue()
  const early = queue.ask(named('a'), 3)
  const late = queue.ask(named('b'), 0)
  expect(shown().names).toEqual(['a', 'b'])
  shown().resolve(() => 'skip')
  expect([await early, await late]).toEqual([['skip'], ['skip']])
})

test('the dialog waits until another dialog is closed', async () => {
  const { queue, prompt, shown } = openQueue()
  prompt.set({ kind: 'help' })
  const choices = queue.ask(named('a'), 1)
  expect(prompt.get().kind).toBe('help')
  prompt.set({ kind: 'none' })
  shown().resolve(() => 'overwrite')
  expect(await choices).toEqual(['overwrite'])
})

test('closing the dialog without an answer cancels all conflicts', async () => {
  const { queue, prompt } = openQueue()
  const choices = queue.ask(named('a', 'b'), 2)
  prompt.set({ kind: 'none' })
  expect(await choices).toEqual(['cancel', 'cancel'])
  expect(prompt.get().kind).toBe('none')
})

test('cancelling all includes conflicts that wait for another dialog or have another verb', async () => {
  const { queue, prompt } = openQueue()
  const uploads = queue.ask(named('a'), 1)
  const transfers = queue.ask([conflict('move', 'b')], 1)
  queue.cancelAll()
  expect([await uploads, await transfers, prompt.get().kind]).toEqual([['cancel'], ['cancel'], 'none'])
  prompt.set({ kind: 'help' })
  const late = queue.ask(named('c'), 1)
  queue.cancelAll()
  expect(await late).toEqual(['cancel'])
  prompt.set({ kind: 'none' })
  expect(prompt.get().kind).toBe('none')
})
