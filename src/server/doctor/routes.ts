import { setTimeout as sleep } from 'node:timers/promises'
import {
  getDoctorEcho,
  getDoctorFile,
  getDoctorStream,
  sendDoctorBody,
} from '../../shared/contract/doctor.ts'
import { routes as patterns } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { route, type Route } from '../http/route.ts'
import { testFile } from './test-file.ts'

export type DoctorRouteDependencies = {
  /** The base path of the server. Empty without one. */
  readonly basePath: string
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

/** The number of bodies and of streams that the server serves at the same time for all administrators. */
export const concurrentMeasurements = 8
/** The largest body that is read. Some services allow 100 MB, which a measurement must be able to exceed. */
export const maxBodyBytes = 128 * 1024 * 1024

const mostOf = { pauseMs: 3000, delayMs: 90_000, everyMs: 1000, lines: 20, headerBytes: 16_384 } as const

/** Returns the number in a query value. Values that are no numbers count as 0, and larger ones as the largest. */
function numberOf(text: string | undefined, name: keyof typeof mostOf): number {
  const number = /^\d+$/.test(text ?? '') ? Number(text) : 0
  return Math.min(number, mostOf[name])
}

/**
 * Returns the routes below `/api/doctor`, with which the page of an administrator measures what a proxy does. The server only
 * responds: it keeps nothing of a request, and connects to no address.
 */
export function doctorRoutes({ basePath, nowMs, randomBytes }: DoctorRouteDependencies): readonly Route[] {
  const limiter = createKeyedLimiter({ maxConcurrent: concurrentMeasurements, maxQueued: 0 })
  const takeSlot = (signal: AbortSignal) => limiter.acquire('all', signal)
  const file = testFile()
  return [
    route(getDoctorEcho, ({ client, header, query }) => ({
      kind: 'json',
      json: {
        id: Buffer.from(randomBytes(8)).toString('hex'),
        host: header('host') ?? '',
        forwardedHost: client.isProxy ? (header('x-forwarded-host') ?? '') : '',
        isSecure: client.isSecure,
        isProxyTrusted: client.isProxy,
        isForwarded: isForwarded(header),
        peer: client.isProxy ? '' : client.address,
        hasToken: header('x-auth') !== undefined,
        fillCharacters: query.fill?.length ?? 0,
      },
      headers: {
        location: `${basePath}${patterns['doctor.echo'].pattern}`,
        'x-fill': 'x'.repeat(numberOf(query.headerBytes, 'headerBytes')),
      },
    })),
    route(sendDoctorBody, async ({ bytes, query, signal, sizeBytes }) => {
      const startMs = nowMs()
      if (sizeBytes !== undefined && sizeBytes > maxBodyBytes) throw new AppError('too-large')
      const release = await takeSlot(signal)
      try {
        await pause(numberOf(query.pauseMs, 'pauseMs'), signal)
        const receivedBytes = await countBytes(bytes)
        return { kind: 'json', json: { receivedBytes, receivingMs: Math.round(nowMs() - startMs) } }
      } finally {
        release()
      }
    }),
    route(getDoctorStream, ({ query, signal }) => ({
      kind: 'stream',
      contentType: 'text/plain; charset=utf-8',
      chunks: linesOf(
        {
          delayMs: numberOf(query.delayMs, 'delayMs'),
          everyMs: numberOf(query.everyMs, 'everyMs'),
          lines: numberOf(query.lines, 'lines'),
        },
        { signal, takeSlot },
      ),
    })),
    route(getDoctorFile, () => ({
      kind: 'file',
      file,
      isInline: true,
      type: 'text/plain; charset=utf-8',
    })),
  ]
}

/** Returns true for a request to which a proxy has added a header. */
const isForwarded = (header: (name: string) => string | undefined): boolean =>
  (['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'] as const).some(
    (name) => header(name) !== undefined,
  )

/** Waits. Throws `aborted` when the request ends before. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    if (ms > 0) await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new AppError('aborted', { cause })
  }
}

async function countBytes(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let received = 0
  for await (const chunk of bytes) {
    received += chunk.length
    if (received > maxBodyBytes) throw new AppError('too-large')
  }
  return received
}

type StreamTimes = { readonly delayMs: number; readonly everyMs: number; readonly lines: number }

type StreamSlot = {
  readonly signal: AbortSignal
  readonly takeSlot: (signal: AbortSignal) => Promise<() => void>
}

/**
 * Sends lines one after the other. The slot is taken with the first line, because a stream that is never read is never ended
 * either, and released when the last line was sent or the client has gone.
 */
async function* linesOf(
  { delayMs, everyMs, lines }: StreamTimes,
  { signal, takeSlot }: StreamSlot,
): AsyncGenerator<string, void, undefined> {
  const release = await takeSlot(signal)
  try {
    await pause(delayMs, signal)
    for (let line = 1; line <= Math.max(1, lines); line += 1) {
      if (line > 1) await pause(everyMs, signal)
      yield `${line}\n`
    }
  } finally {
    release()
  }
}
