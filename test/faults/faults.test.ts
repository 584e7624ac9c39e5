import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'

const rounds = 10

test(`a server killed ${rounds} times at random moments has lost nothing, torn nothing, and left nothing`, async () => {
  const { faults, counts } = await runRounds(rounds)
  expect(faults).toEqual([])
  for (const [name, { answered, underWay }] of Object.entries(counts)) {
    expect([name, answered > 0, underWay]).toEqual([name, true, rounds])
  }
  expect(Object.values(counts).some(({ inTheMiddle }) => inTheMiddle > 0)).toBe(true)
})
