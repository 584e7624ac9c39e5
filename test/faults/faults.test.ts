import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'

const rounds = 10

test(`a server killed ${rounds} times at random moments has lost nothing, torn nothing, and left nothing`, async () => {
  const { faults, counts } = await runRounds(rounds)
  expect(faults).toEqual([])
  for (const [name, { answered, found }] of Object.entries(counts)) {
    expect([name, answered > 0]).toEqual([name, true])
    expect([name, found >= answered]).toEqual([name, true])
  }
})
