import { expect, test } from 'vitest'
import { runRounds } from './rounds.ts'

const rounds = 10

test(`a server killed ${rounds} times at random moments has no lost changes, no incomplete files and no leftover files`, async () => {
  const { faults, counts } = await runRounds(rounds)
  // The summary of a run shows only the first line of a failure, so this line contains the faults.
  expect(faults.join('; ')).toBe('')
  for (const [name, { confirmed, inFlight }] of Object.entries(counts)) {
    expect([name, confirmed > 0, inFlight]).toEqual([name, true, rounds])
  }
  expect(Object.values(counts).some(({ interruptedWrites }) => interruptedWrites > 0)).toBe(true)
})
