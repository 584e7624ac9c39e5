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
  /** Limits that replace the defaults. */
  readonly limits?: Partial<DoctorLimits>
}

/** The limits of a single measurement. */
export type DoctorLimits = {
  readonly maxBodyBytes: number
  /** The time in milliseconds after which a measurement ends or makes room for others. */
  readonly totalMs: number
}

/** The number of bodies and of streams that the server serves at the same time for all administrators. */
export const concurrentMeasurements = 8
/** The number of them for one administrator. The page has two at the same time: the long wait and another one. */
export const measurementsOfUser = 3
/** The largest body that is read. Some services allow 100 MB, which a measurement must be able to exceed. */
export const maxBodyBytes = 128 * 1024 * 1024
/** The longest stream takes 109 s: 90 s until the first line, and 19 times 1 s. */
const defaultLimits: DoctorLimits = { maxBodyBytes, totalMs: 120_000 }

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
export function doctorRoutes({
  basePath,
  nowMs,
  randomBytes,
  limits: changedLimits,
}: DoctorRouteDependencies): readonly Route[] {
  const limits = { ...defaultLimits, ...changedLimits }
  const takeSlot = createSlots()
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
    route(sendDoctorBody, async ({ bytes, caller, header, query, signal, sizeBytes }) => {
      const startMs = nowMs()
      requireSameOrigin(header)
      if (sizeBytes !== undefined && sizeBytes > limits.maxBodyBytes) throw new AppError('too-large')
      const release = await takeSlot(caller.user.id, signal)
      try {
        await pause(numberOf(query.pauseMs, 'pauseMs'), signal)
        const receivedBytes = await countBytes(bytes, limits)
        return { kind: 'json', json: { receivedBytes, receivingMs: Math.round(nowMs() - startMs) } }
      } finally {
        release()
      }
    }),
    route(getDoctorStream, ({ caller, header, query, signal }) => {
      requireSameOrigin(header)
      const times = {
        delayMs: numberOf(query.delayMs, 'delayMs'),
        everyMs: numberOf(query.everyMs, 'everyMs'),
        lines: numberOf(query.lines, 'lines'),
      }
      const slot = { signal, totalMs: limits.totalMs, takeSlot: () => takeSlot(caller.user.id, signal) }
      return { kind: 'stream', contentType: 'text/plain; charset=utf-8', chunks: linesOf(times, slot) }
    }),
    route(getDoctorFile, () => ({
      kind: 'file',
      file,
      isInline: true,
      type: 'text/plain; charset=utf-8',
    })),
  ]
}

/** Returns the function that takes a slot of a user and one of the server, and that resolves with the function to release both. */
function createSlots(): (userId: number, signal: AbortSignal) => Promise<() => void> {
  const ofUsers = createKeyedLimiter({ maxConcurrent: measurementsOfUser, maxQueued: 0 })
  const ofServer = createKeyedLimiter({ maxConcurrent: concurrentMeasurements, maxQueued: 0 })
  return async (userId, signal) => {
    const releaseUser = await ofUsers.acquire(userId, signal)
    try {
      const releaseServer = await ofServer.acquire('all', signal)
      return () => {
        releaseServer()
        releaseUser()
      }
    } catch (thrown) {
      releaseUser()
      throw thrown
    }
  }
}

/** Refuses a request that a page of another server makes the browser of an administrator send. */
function requireSameOrigin(header: (name: string) => string | undefined): void {
  if ((header('sec-fetch-site') ?? 'same-origin') !== 'same-origin') throw new AppError('forbidden')
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

/** Reads a body. A body that arrives more slowly than in the total time is given up with the next bytes that arrive. */
async function countBytes(
  bytes: AsyncIterable<Uint8Array>,
  { maxBodyBytes: maxBytes, totalMs }: DoctorLimits,
): Promise<number> {
  const startMs = performance.now()
  let received = 0
  for await (const chunk of bytes) {
    received += chunk.length
    if (received > maxBytes) throw new AppError('too-large')
    if (performance.now() - startMs > totalMs) throw new AppError('timeout')
  }
  return received
}

type StreamTimes = { readonly delayMs: number; readonly everyMs: number; readonly lines: number }

type StreamSlot = {
  readonly signal: AbortSignal
  readonly totalMs: number
  readonly takeSlot: () => Promise<() => void>
}

/**
 * Sends lines one after the other. The slot is taken with the first line, because a stream that is never read is never ended
 * either, and released when the last line was sent, the client has gone, or a client that does not read has used up its time.
 */
async function* linesOf(
  { delayMs, everyMs, lines }: StreamTimes,
  { signal, totalMs, takeSlot }: StreamSlot,
): AsyncGenerator<string, void, undefined> {
  const release = await takeSlot()
  const timer = setTimeout(release, totalMs)
  try {
    await pause(delayMs, signal)
    for (let line = 1; line <= Math.max(1, lines); line += 1) {
      if (line > 1) await pause(everyMs, signal)
      yield `${line}\n`
    }
  } finally {
    clearTimeout(timer)
    release()
  }
}
