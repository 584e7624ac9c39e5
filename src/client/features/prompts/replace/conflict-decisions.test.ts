import { expect, test } from 'vitest'
import { root } from '../../../../shared/domain/path.ts'
import type { NameConflict } from '../../../state/conflicts/name-conflict.ts'
import { choiceOfDecision, decisionsFor, outcomeOf } from './conflict-decisions.ts'

const conflict = (name: string, sentMs: number, existingMs: number): NameConflict => {
  const facts = { isFolder: false, type: 'text', sizeBytes: 1 } as const
  return {
    verb: 'copy',
    folder: root,
    name,
    source: { ...facts, modifiedMs: sentMs },
    existing: { ...facts, modifiedMs: existingMs },
    freeName: `${name}(1)`,
  }
}
const [newer, older, same] = [conflict('a', 2, 1), conflict('b', 1, 2), conflict('c', 1, 1)]

test('only an older entry is replaced if newer, and an entry of unknown age is kept', () => {
  const choices = [newer, older, same, { ...newer, existing: null }].map((it) =>
    choiceOfDecision('newer', it),
  )
  expect(choices).toEqual(['overwrite', 'skip', 'skip', 'skip'])
})

test('the outcome counts each conflict once, and the entries without a conflict', () => {
  const decided = new Map([
    [newer, 'newer'],
    [older, 'rename'],
    [same, 'skip'],
  ] as const)
  const outcome = outcomeOf([newer, older, same], (it) => decided.get(it) ?? 'skip', 5)
  expect(outcome).toEqual({ replaced: 1, kept: 1, skipped: 1, sent: 2 })
})

test('keeping both is offered only while each entry can get another name', () => {
  expect(decisionsFor([newer])).toContain('rename')
  expect(decisionsFor([newer, { ...older, freeName: null }])).not.toContain('rename')
})
