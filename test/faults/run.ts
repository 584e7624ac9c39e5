import { canMountImages } from '../kit/mounts.ts'
import { cutPower } from './power-cuts.ts'
import { runRounds } from './rounds.ts'

/**
 * `node test/faults/run.ts 200` kills a server 200 times and prints the numbers of requests, answers and interrupted
 * writes, and every fault. On machines that can mount disks, it then cuts the power of a disk 200 times, with a journal
 * and without a journal. An interrupt (SIGINT) ends the program after the current round.
 */
const wished = Number(process.argv[2] ?? 10)
const startedAt = performance.now()
let isEnough = false
process.once('SIGINT', () => (isEnough = true))
const { rounds, counts, faults } = await runRounds(wished, (round, found) => {
  for (const fault of found) console.error(`round ${round}: ${fault}`)
  if ((round + 1) % 10 === 0) console.log(`${round + 1} of ${wished}`)
  return isEnough ? 'enough' : 'on'
})
const seconds = Math.round((performance.now() - startedAt) / 1000)
const middles = Object.values(counts).reduce((sum, { inTheMiddle }) => sum + inTheMiddle, 0)
console.log(`${rounds} rounds in ${seconds} s, ${middles} staged names left by killed servers`)
console.table(counts)
const all = [...faults, ...(isEnough ? [] : await cuts())]
console.log(`${all.length} faults`)
process.exitCode = all.length === 0 ? 0 : 1

async function cuts(): Promise<readonly string[]> {
  if (!canMountImages()) return []
  const found: string[] = []
  for (const hasJournal of [true, false]) {
    found.push(...(await cutPower(wished, { hasJournal })))
    console.log(`the power was cut ${wished} times, ${hasJournal ? 'with' : 'without'} a journal`)
  }
  for (const fault of found) console.error(fault)
  return found
}
