import { runRounds } from './rounds.ts'

/** `node test/faults/run.ts 200`: so many rounds; prints what was asked for, answered and hit in the middle, and what was lost. */
const rounds = Number(process.argv[2] ?? 10)
const startedAt = performance.now()
const { counts, faults } = await runRounds(rounds, (round) => {
  if (process.stdout.isTTY) process.stdout.write(`\r${round + 1} of ${rounds}`)
  else if ((round + 1) % 50 === 0) console.log(`${round + 1} of ${rounds}`)
})
const seconds = Math.round((performance.now() - startedAt) / 1000)
const middles = Object.values(counts).reduce((sum, { inTheMiddle }) => sum + inTheMiddle, 0)
console.log(`\n${rounds} rounds in ${seconds} s, ${middles} staged names left by killed servers`)
console.table(counts)
for (const fault of faults) console.error(fault)
console.log(`${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
