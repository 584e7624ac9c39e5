import type { RouteName } from '../../shared/contract/routes.ts'
import type { EndedRequest } from '../http/exchange-tracker.ts'
import type { ChunkListener } from '../http/http-options.ts'
import type { Metric, Sample } from './open-metrics.ts'

/** The upper bounds of the buckets of durations in seconds: what feels immediate, noticeable, slow, and transfers. */
const bucketSeconds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60] as const

/** The requests of one route that have ended. */
type RouteCounts = {
  /** The number of requests by the first digit of their status. */
  readonly byStatusClass: Map<string, number>
  /** The number of requests in each bucket, and beyond the last one. */
  readonly buckets: number[]
  seconds: number
}

/** Counts requests by their routes, and the bytes of their bodies. Its size depends on the number of routes, and not on clients. */
export type RequestCounts = {
  readonly add: (request: EndedRequest) => void
  readonly addChunk: ChunkListener
  readonly metrics: () => readonly Metric[]
}

export function createRequestCounts(): RequestCounts {
  const routes = new Map<RouteName | 'other', RouteCounts>()
  let [receivedBytes, sentBytes] = [0, 0]

  function countsOf(route: RouteName | 'other'): RouteCounts {
    const known = routes.get(route)
    if (known !== undefined) return known
    const counts = { byStatusClass: new Map(), buckets: [...bucketSeconds, 0].map(() => 0), seconds: 0 }
    routes.set(route, counts)
    return counts
  }

  return {
    add({ route, status, seconds }) {
      const counts = countsOf(route ?? 'other')
      const statusClass = `${Math.floor(status / 100)}xx`
      counts.byStatusClass.set(statusClass, (counts.byStatusClass.get(statusClass) ?? 0) + 1)
      counts.seconds += seconds
      const bucket = bucketSeconds.findIndex((bound) => seconds <= bound)
      const index = bucket < 0 ? bucketSeconds.length : bucket
      counts.buckets[index] = (counts.buckets[index] ?? 0) + 1
    },
    addChunk(bytes, direction) {
      if (direction === 'received') receivedBytes += bytes
      else sentBytes += bytes
    },
    metrics: () => [
      {
        name: 'stowage_http_requests',
        type: 'counter',
        help: 'Requests that have ended, without health checks.',
        samples: [...routes].flatMap(([route, { byStatusClass }]) =>
          [...byStatusClass].map(([status, value]) => ({
            suffix: '_total',
            labels: { route, status },
            value,
          })),
        ),
      },
      {
        name: 'stowage_http_request_duration_seconds',
        type: 'histogram',
        unit: 'seconds',
        help: 'Time from the head of a request to the end of its response, which includes the transfer.',
        samples: [...routes].flatMap(([route, counts]) => histogramOf(route, counts)),
      },
      {
        name: 'stowage_http_bytes',
        type: 'counter',
        unit: 'bytes',
        help: 'Bytes of the bodies of requests and responses, compressed where they were sent so, without health checks.',
        samples: [
          { suffix: '_total', labels: { direction: 'received' }, value: receivedBytes },
          { suffix: '_total', labels: { direction: 'sent' }, value: sentBytes },
        ],
      },
    ],
  }
}

function histogramOf(route: string, { buckets, seconds }: RouteCounts): Sample[] {
  let total = 0
  const bounds = [...bucketSeconds.map(String), '+Inf']
  const samples = bounds.map((le, index) => {
    total += buckets[index] ?? 0
    return { suffix: '_bucket', labels: { route, le }, value: total }
  })
  return [
    ...samples,
    { suffix: '_sum', labels: { route }, value: seconds },
    { suffix: '_count', labels: { route }, value: total },
  ]
}
