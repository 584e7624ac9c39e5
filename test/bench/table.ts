/** A row of the benchmark: our figure, the figure of the baseline in the same run, and the required ratio. */
export type BenchResult = {
  readonly what: string
  readonly ours: number
  readonly floor: number | null
  readonly unit: string
  readonly against: string
  /**
   * `more` when larger figures are better, such as speeds; `less` when smaller figures are better, such as times and
   * sizes.
   */
  readonly better: 'more' | 'less'
  /**
   * The limit for the ratio of our figure to the baseline. It is the limit for our figure itself when there is no
   * baseline or `isBarAbsolute` is true. Null when there is no limit.
   */
  readonly bar: number | null
  /** True when the baseline is only shown for comparison. */
  readonly isBarAbsolute?: boolean
}

/** Returns the ratio of our figure to the baseline, or our figure itself when there is no baseline. */
export const ratioOf = ({ ours, floor }: BenchResult): number => (floor === null ? ours : ours / floor)

/** Returns true when the result is within its limit. Returns null when there is no limit. */
export function isWithinLimit(result: BenchResult): boolean | null {
  if (result.bar === null) return null
  const figure = result.isBarAbsolute === true ? result.ours : ratioOf(result)
  return result.better === 'more' ? figure >= result.bar : figure <= result.bar
}

const formatted = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** Returns the results as a Markdown table. */
export function tableOf(results: readonly BenchResult[]): string {
  const lines = results.map((result) => {
    const floor = result.floor === null ? '–' : `${formatted(result.floor)} ${result.unit}`
    const ratio = result.floor === null ? '–' : `${ratioOf(result).toFixed(2)} ×`
    const sign = result.better === 'more' ? '≥' : '≤'
    const isRatio = result.floor !== null && result.isBarAbsolute !== true
    const bar = result.bar === null ? '–' : `${sign} ${result.bar} ${isRatio ? '×' : result.unit}`
    const verdict = { true: 'holds', false: 'MISSED', null: '' }[String(isWithinLimit(result))] ?? ''
    return `| ${result.what} | ${formatted(result.ours)} ${result.unit} | ${result.against} ${floor} | ${ratio} | ${bar} | ${verdict} |`
  })
  return [
    '| What | Ours | Floor in the same run | Ratio | Bar | |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** Returns the median of several runs. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Runs our function and the baseline alternately, so that other load on the machine affects both measurements. Each
 * function first runs once to warm up. Returns the two medians.
 */
export async function measureAlternately(
  rounds: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ readonly ours: number; readonly floor: number }> {
  const [ourFigures, baselineFigures]: [number[], number[]] = [[], []]
  await ours()
  await floor()
  for (let round = 0; round < rounds; round += 1) {
    ourFigures.push(await ours())
    baselineFigures.push(await floor())
  }
  return { ours: median(ourFigures), floor: median(baselineFigures) }
}
