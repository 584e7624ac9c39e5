import { canMountImages } from '../kit/mounts.ts'
import { cutPower } from './power-cuts.ts'
import { runQuotaRounds } from './quota-rounds.ts'
import { runRounds } from './rounds.ts'

/**
 * `node test/faults/run.ts 200` kills a server 200 times. It prints the numbers of requests, responses and interrupted
 * writes, and every fault. It then kills servers that keep quotas together 200 times. On machines that can mount disks, it finally cuts the power of a disk 200 times, once with and
 * once without a journal. An interrupt (SIGINT) ends the program after the current round.
 */
const wantedRounds = Number(process.argv[2] ?? 10)
const startedAt = performance.now()
let isInterrupted = false
process.once('SIGINT', () => (isInterrupted = true))
const { rounds, counts, faults } = await runRounds(wantedRounds, (round, found) => {
  for (const fault of found) console.error(`round ${round}: ${fault}`)
  if ((round + 1) % 10 === 0) console.log(`${round + 1} of ${wantedRounds}`)
  return isInterrupted ? 'stop' : 'continue'
})
const seconds = Math.round((performance.now() - startedAt) / 1000)
const interruptedWrites = Object.values(counts).reduce((sum, writes) => sum + writes.interruptedWrites, 0)
console.log(`${rounds} rounds in ${seconds} s, ${interruptedWrites} staged names left by killed servers`)
console.table(counts)
const quotaFaults = isInterrupted ? [] : await killWithQuotas()
const allFaults = [...faults, ...quotaFaults, ...(isInterrupted ? [] : await cutPowerRepeatedly())]
console.log(`${allFaults.length} faults`)
process.exitCode = allFaults.length === 0 ? 0 : 1

async function cutPowerRepeatedly(): Promise<readonly string[]> {
  if (!canMountImages()) return []
  const found: string[] = []
  for (const hasJournal of [true, false]) {
    found.push(...(await cutPower(wantedRounds, { hasJournal })))
    console.log(`the power was cut ${wantedRounds} times, ${hasJournal ? 'with' : 'without'} a journal`)
  }
  for (const fault of found) console.error(fault)
  return found
}

async function killWithQuotas(): Promise<readonly string[]> {
  const seed = Date.now() % 1_000_000
  const found = await runQuotaRounds(wantedRounds, seed, () => (isInterrupted ? 'stop' : 'continue'))
  for (const fault of found.faults) console.error(fault)
  console.log(`servers with quotas were killed ${found.kills} times, with the seed ${seed}`)
  console.table(found.statuses)
  return found.faults
}
