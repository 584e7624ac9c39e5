import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run slowest` prints the twenty slowest tests of the last `npm test`, with their durations in seconds, and the
 * sum of all durations. `npm run slowest -- 50` prints fifty tests.
 */
type VitestReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[]
  }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = path.join(root, 'node_modules', '.stowage-reports')
const count = Number(process.argv[2] ?? 20)

const tests = readdirSync(reports).flatMap((file) => {
  const { testResults } = JSON.parse(readFileSync(path.join(reports, file), 'utf8')) as VitestReport
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      seconds: (duration ?? 0) / 1000,
      test: `${path.relative(root, name)} > ${fullName.trim()}`,
    })),
  )
})
const total = tests.reduce((sum, { seconds }) => sum + seconds, 0)
for (const { seconds, test } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, count))
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${test}`)
console.log(`\n${tests.length} tests, ${total.toFixed(0)} s in all`)
