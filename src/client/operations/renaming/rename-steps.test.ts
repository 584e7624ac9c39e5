import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renameStepsOf, type NewName } from './rename-steps.ts'

/** Runs all steps on a folder whose entries contain their first names. Throws when a step would replace an entry. */
function applied(present: readonly string[], names: readonly NewName[]): ReadonlyMap<string, string> {
  const folder = new Map(present.map((name) => [name, name]))
  for (const { from, to } of renameStepsOf(names, (name) => folder.has(name)).flat()) {
    const content = folder.get(from)
    if (content === undefined || folder.has(to)) throw new Error(`${from} cannot become ${to}.`)
    folder.delete(from)
    folder.set(to, content)
  }
  return folder
}

describe('the order of the steps', () => {
  test('names that nobody waits for are independent', () => {
    expect(
      renameStepsOf(
        [
          { from: 'a', to: 'b' },
          { from: 'c', to: 'd' },
        ],
        () => false,
      ),
    ).toHaveLength(2)
  })

  test('a name is free before it is taken', () => {
    const names = [1, 2, 3].map((number) => ({ from: `${number}`, to: `${number + 1}` }))
    expect(renameStepsOf(names, () => false)).toEqual([
      [
        { from: '3', to: '4', entry: '3' },
        { from: '2', to: '3', entry: '2' },
        { from: '1', to: '2', entry: '1' },
      ],
    ])
  })

  test('entries exchange their names by a name between that nobody has', () => {
    const names = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ]
    expect(renameStepsOf(names, (name) => name === '1~a')).toEqual([
      [
        { from: 'a', to: '2~a', entry: 'a' },
        { from: 'b', to: 'a', entry: 'b' },
        { from: '2~a', to: 'b', entry: 'a' },
      ],
    ])
  })

  test('each entry gets its new name and none is replaced, whatever the new names are', () => {
    const folder = fc
      .uniqueArray(fc.stringMatching(/^[a-f]{1,2}$/), { minLength: 2, maxLength: 12 })
      .chain((all) =>
        fc.record({
          present: fc.constant(all),
          others: fc.uniqueArray(fc.stringMatching(/^[g-k]{1,2}$/), { minLength: 12, maxLength: 12 }),
          order: fc.shuffledSubarray(all, { minLength: all.length }),
          isOther: fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }),
        }),
      )
    fc.assert(
      fc.property(folder, ({ present, others, order, isOther }) => {
        const names = present
          .map((from, index) => ({ from, to: (isOther[index] ? others[index] : order[index]) ?? from }))
          .filter(({ from, to }) => from !== to)
        const result = applied(present, names)
        expect(result.size).toBe(present.length)
        for (const { from, to } of names) expect(result.get(to)).toBe(from)
      }),
    )
  })
})
