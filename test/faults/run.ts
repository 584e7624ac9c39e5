import { runRounds } from './rounds.ts'

/** `node test/faults/run.ts 200`: so many rounds; prints what was asked for, answered and found, and what was lost. */
const rounds = Number(process.argv[2] ?? 10)
const { counts, left, faults } = await runRounds(rounds, (round) =>
  process.stdout.write(`\r${round + 1} of ${rounds}`),
)
console.log(`\n${rounds} rounds, ${left} staged names left by killed servers`)
console.table(counts)
for (const fault of faults) console.error(fault)
console.log(`${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
