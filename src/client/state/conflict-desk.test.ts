import { expect, test } from 'vitest'
import { pathOf, root } from '../../shared/domain/path.ts'
import { createConflictDesk } from './conflict-desk.ts'
import type { Prompt } from './prompt.ts'
import { createStore } from './store.ts'

const photos = pathOf('/Photos') ?? root
const named = (...names: string[]) =>
  names.map((name) => ({ cause: 'upload' as const, folder: photos, name }))

function openDesk() {
  const prompt = createStore<Prompt>({ kind: 'none' })
  return { prompt, desk: createConflictDesk(prompt), shown: () => shownBy(prompt) }
}

function shownBy(prompt: { get: () => Prompt }) {
  const now = prompt.get()
  if (now.kind !== 'replace') throw new Error(`expected the replace prompt, not ${now.kind}`)
  return now
}

test('one answer for all of them closes the dialog', async () => {
  const { desk, prompt, shown } = openDesk()
  const choices = desk.ask(named('a', 'b'), 12)
  expect([shown().names, shown().of]).toEqual([['a', 'b'], 12])
  shown().answer('overwrite', true)
  expect(await choices).toEqual(['overwrite', 'overwrite'])
  expect(prompt.get().kind).toBe('none')
})

test('an answer for one asks about the next', async () => {
  const { desk, shown } = openDesk()
  const choices = desk.ask(named('a', 'b'), 2)
  shown().answer('skip', false)
  expect(shown().names).toEqual(['b'])
  shown().answer('overwrite', false)
  expect(await choices).toEqual(['skip', 'overwrite'])
})

test('a late conflict joins the open dialog', async () => {
  const { desk, shown } = openDesk()
  const early = desk.ask(named('a'), 3)
  const late = desk.ask(named('b'), 0)
  expect(shown().names).toEqual(['a', 'b'])
  shown().answer('skip', true)
  expect([await early, await late]).toEqual([['skip'], ['skip']])
})

test('it waits until another dialog is closed', async () => {
  const { desk, prompt, shown } = openDesk()
  prompt.set({ kind: 'help' })
  const choices = desk.ask(named('a'), 1)
  expect(prompt.get().kind).toBe('help')
  prompt.set({ kind: 'none' })
  shown().answer('overwrite', true)
  expect(await choices).toEqual(['overwrite'])
})

test('closed without an answer, everything is cancelled', async () => {
  const { desk, prompt } = openDesk()
  const choices = desk.ask(named('a', 'b'), 2)
  prompt.set({ kind: 'none' })
  expect(await choices).toEqual(['cancel', 'cancel'])
  expect(prompt.get().kind).toBe('none')
})
