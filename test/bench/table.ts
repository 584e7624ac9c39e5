/** One row of the bench: our figure, the figure that it is compared with in the same run, and the bar. */
export type Result = {
  readonly what: string
  readonly ours: number
  readonly floor: number | null
  readonly unit: string
  readonly against: string
  /** `more` when larger figures are better (a speed), `less` when smaller ones are (a time, a size). */
  readonly better: 'more' | 'less'
  /**
   * The ratio to the floor that must hold, or the figure itself where there is no floor. Null where nothing is
   * promised.
   */
  readonly bar: number | null
}

/** Returns the ratio of our figure to the floor, or our figure itself when there is no floor. */
export const ratioOf = ({ ours, floor }: Result): number => (floor === null ? ours : ours / floor)

/** True when the result holds its bar. Null where nothing is promised. */
export function holds(result: Result): boolean | null {
  if (result.bar === null) return null
  return result.better === 'more' ? ratioOf(result) >= result.bar : ratioOf(result) <= result.bar
}

const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

/** Returns the results as a Markdown table. */
export function tableOf(results: readonly Result[]): string {
  const lines = results.map((result) => {
    const floor = result.floor === null ? '–' : `${shown(result.floor)} ${result.unit}`
    const ratio = result.floor === null ? '–' : `${ratioOf(result).toFixed(2)} ×`
    const sign = result.better === 'more' ? '≥' : '≤'
    const bar =
      result.bar === null ? '–' : `${sign} ${result.bar}${result.floor === null ? ` ${result.unit}` : ' ×'}`
    const verdict = { true: 'holds', false: 'MISSED', null: '' }[String(holds(result))] ?? ''
    return `| ${result.what} | ${shown(result.ours)} ${result.unit} | ${result.against} ${floor} | ${ratio} | ${bar} | ${verdict} |`
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
 * Runs both sides alternately, so that a busy moment of the machine affects both, after one run of each to warm up.
 * Returns the median of each side.
 */
export async function measureAlternately(
  rounds: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ readonly ours: number; readonly floor: number }> {
  const [left, right]: [number[], number[]] = [[], []]
  await ours()
  await floor()
  for (let round = 0; round < rounds; round += 1) {
    left.push(await ours())
    right.push(await floor())
  }
  return { ours: median(left), floor: median(right) }
}
