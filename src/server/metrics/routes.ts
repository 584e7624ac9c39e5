import { getMetrics } from '../../shared/contract/server.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { isSameSecret } from '../auth/tokens.ts'
import { route, type Route } from '../http/route.ts'
import type { SessionStore } from '../records/session-store.ts'
import type { Storage } from '../storage/port.ts'
import { openMetricsText, openMetricsType, type Metric } from './open-metrics.ts'
import type { RequestCounts } from './request-counts.ts'

export type MetricsDependencies = {
  /** The token that a monitoring program sends. Empty when there are no metrics. */
  readonly token: string
  readonly version: string
  /** The number of this process when several serve together, of which each has its own counts. */
  readonly processNumber?: number | undefined
  readonly requests: Pick<RequestCounts, 'metrics'>
  readonly volume: Pick<Storage, 'usage'>
  readonly sessions: Pick<SessionStore, 'count'>
  readonly nowMs: () => number
}

/**
 * Returns the route of the metrics. Without the token, the response is the one for a path that does not exist, so that
 * strangers do not learn whether a server has metrics.
 */
export function metricsRoutes(dependencies: MetricsDependencies): readonly Route[] {
  const startSeconds = dependencies.nowMs() / 1000 - process.uptime()
  return [
    route(getMetrics, async ({ header }) => {
      const [, given = ''] = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '') ?? []
      const { token, processNumber } = dependencies
      if (token === '' || !isSameSecret(given, token)) throw new AppError('not-found')
      const metrics = [
        ...processMetrics(dependencies.version, startSeconds),
        ...(await stateMetrics(dependencies)),
        ...dependencies.requests.metrics(),
      ]
      const commonLabels = processNumber === undefined ? {} : { process: String(processNumber) }
      const chunks = [openMetricsText(metrics, commonLabels)]
      return { kind: 'stream', contentType: openMetricsType, chunks: streamOf(chunks) }
    }),
  ]
}

async function* streamOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks
}

/** Returns the memory and the processor time of the process. The names without a prefix are those of Prometheus' client libraries. */
function processMetrics(version: string, startSeconds: number): Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const bytes = { type: 'gauge', unit: 'bytes' } as const
  return [
    {
      name: 'stowage_build',
      type: 'info',
      help: 'The version of the server.',
      samples: [{ suffix: '_info', labels: { version }, value: 1 }],
    },
    {
      name: 'process_start_time_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'The start of the process, in seconds since 1970.',
      samples: [{ value: startSeconds }],
    },
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'Processor time of the process, without the programs that it starts.',
      samples: [{ suffix: '_total', value: (user + system) / 1e6 }],
    },
    {
      name: 'process_resident_memory_bytes',
      ...bytes,
      help: 'Resident memory of the process.',
      samples: [{ value: rss }],
    },
    {
      name: 'stowage_heap_bytes',
      ...bytes,
      help: 'JavaScript objects of the main thread.',
      samples: [{ value: heapUsed }],
    },
  ]
}

/** The served disk and the sessions. A part that cannot be read is left out, so that the others are still reported. */
async function stateMetrics({ volume, sessions }: MetricsDependencies): Promise<Metric[]> {
  const [disk, count] = await Promise.all([
    volume.usage(root).catch(() => null),
    sessions.count().catch(() => null),
  ])
  const disks =
    disk === null
      ? []
      : [
          { labels: { kind: 'total' }, value: disk.totalBytes },
          { labels: { kind: 'used' }, value: disk.usedBytes },
        ]
  return [
    {
      name: 'stowage_disk_bytes',
      type: 'gauge',
      unit: 'bytes',
      help: 'Space of the disk with the served folder.',
      samples: disks,
    },
    {
      name: 'stowage_sessions',
      type: 'gauge',
      help: 'Sessions of users that have not ended.',
      samples: count === null ? [] : [{ value: count }],
    },
  ]
}
