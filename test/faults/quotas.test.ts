import { expect, test } from 'vitest'
import { runQuotaRounds } from './quota-rounds.ts'

const wantedKills = 20

test(`two servers of which some are killed ${wantedKills} times count each byte of a quota once`, async () => {
  const { kills, statuses, faults } = await runQuotaRounds(wantedKills, 7)
  // The summary of a run shows only the first line of a failure, so this line contains the faults.
  expect(faults.join('; ')).toBe('')
  expect(kills).toBeGreaterThanOrEqual(wantedKills)
  // The quotas were reached, requests succeeded, and requests were interrupted.
  for (const status of [0, 200, 507]) expect([status, (statuses[status] ?? 0) > 0]).toEqual([status, true])
})
