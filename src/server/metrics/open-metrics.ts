/** Labels of a sample by their names. */
type Labels = Readonly<Record<string, string>>

/** One value of a metric. */
export type Sample = {
  /** The end of the name, such as `_total` for a counter. Empty for a gauge. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

/** A metric with its values. */
export type Metric = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info'
  /** The unit, with which the name ends. */
  readonly unit?: 'seconds' | 'bytes'
  /** A sentence about the metric, without line breaks, quotes and backslashes. */
  readonly help: string
  readonly samples: readonly Sample[]
}

/** The media type of metrics (OpenMetrics 1.0). */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/**
 * Writes metrics in the format OpenMetrics 1.0, which Prometheus and its relatives read. Each sample has the common labels
 * besides its own.
 */
export const openMetricsText = (metrics: readonly Metric[], commonLabels: Labels = {}): string =>
  `${metrics.flatMap((metric) => linesOf(metric, commonLabels)).join('\n')}\n# EOF\n`

const linesOf = ({ name, type, unit, help, samples }: Metric, commonLabels: Labels): string[] => [
  `# TYPE ${name} ${type}`,
  ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
  `# HELP ${name} ${help}`,
  ...samples.map(
    ({ suffix = '', labels, value }) =>
      `${name}${suffix}${labelsText({ ...commonLabels, ...labels })} ${value}`,
  ),
]

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
