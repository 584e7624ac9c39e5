import type { DoctorEcho } from '../../../../shared/contract/doctor.ts'
import type { ProxyFindingCode } from '../../../../shared/domain/doctor/proxy-findings.ts'
import { config } from '../../../api/config.ts'
import { addressOf, opensSocket, probe, sendBody, timeStream, type ProbeResponse } from './probe.ts'
import * as verdicts from './verdicts.ts'
import type { Verdict } from './verdicts.ts'

/** The time in seconds for which the last measurement waits. Most proxies wait for 60 seconds unless they are told otherwise. */
export const longWaitSeconds = 75

/** Returns a text that no earlier request contained. `crypto.randomUUID` exists only where the page has TLS. */
const newWord = (): string => crypto.getRandomValues(new Uint32Array(3)).join('-')

const pageAddress = (): verdicts.PageAddress => ({
  host: window.location.host,
  isSecure: window.location.protocol === 'https:',
})

/** Reports a result as soon as it is known. */
export type ResultListener = (code: ProxyFindingCode, verdict: Verdict) => void

type Measurement = { readonly signal: AbortSignal; readonly report: ResultListener }

/**
 * Measures the way from this browser to the server and reports each result. The wait for a slow response begins early and ends
 * last. `onPeer` gets the address of a proxy that is not trusted, or an empty text. Throws the reason of the signal when it aborts
 * before a request is sent.
 */
export async function measureAll(
  measurement: Measurement & { readonly onPeer: (peer: string) => void },
): Promise<void> {
  const { signal, report, onPeer } = measurement
  const first = await probe(addressOf('doctor.echo', { n: newWord() }), { signal })
  const echo = verdicts.echoOf(first)
  if (echo === null) return reportNoEcho(first, report)
  onPeer(echo.peer)
  report('proxy-token', verdicts.tokenVerdict(echo))
  report('proxy-untrusted', verdicts.trustVerdict(echo))
  report('proxy-host', verdicts.hostVerdict(echo, pageAddress()))
  report('proxy-scheme', verdicts.schemeVerdict(echo, pageAddress()))
  report('proxy-base-path', verdicts.basePathVerdict(first, addressOf('doctor.echo'), window.location.origin))
  await Promise.all([measureLongWait(measurement), measureOthers(measurement, echo)])
}

/** Measures all that does not wait for more than a minute. */
async function measureOthers(measurement: Measurement, echo: DoctorEcho): Promise<void> {
  const { signal, report } = measurement
  const compression = await measureRequests(measurement)
  const isSocketOpen = await opensSocket(signal)
  // A socket is refused where the host is wrong.
  const isHostWrong = verdicts.hostVerdict(echo, pageAddress()) === 'found'
  report('proxy-upgrade', isSocketOpen ? 'ok' : isHostWrong ? 'unmeasured' : 'found')
  await measureBodies({ ...measurement, isCompressed: compression === 'found' })
}

/** Reports the only things that can be said when the first request did not get the response of the server. */
function reportNoEcho(response: ProbeResponse, report: ResultListener): void {
  if (verdicts.showsPage(response)) report('proxy-base-path', 'found')
  if (response?.status === 401 && verdicts.isOfServer(response)) report('proxy-token', 'found')
}

/** Measures what the way does to single requests. Returns whether it compresses files. */
async function measureRequests({ signal, report }: Measurement): Promise<Verdict> {
  const word = newWord()
  const files = `${config().BaseURL}/api/resources`
  const escaped = await Promise.all(
    [`${word}%2F${word}`, `${word}%252F%23%3F%3B%5C`].map((name) => probe(`${files}/${name}`, { signal })),
  )
  report('proxy-escapes', verdicts.escapesVerdict(escaped[0] ?? null, escaped[1] ?? null))

  const methods = ['PUT', 'PATCH', 'DELETE'].map((method) =>
    probe(addressOf('doctor.echo', { n: newWord() }), { signal, method }),
  )
  report('proxy-methods', verdicts.methodsVerdict(await Promise.all(methods)))

  const long = await probe(addressOf('doctor.echo', { n: newWord(), fill: 'x'.repeat(60_000) }), { signal })
  const tall = await probe(addressOf('doctor.echo', { n: newWord(), headerBytes: '16000' }), { signal })
  report('proxy-header-size', verdicts.headerSizeVerdict(long, tall))

  const file = addressOf('doctor.file', { n: newWord() })
  const part = { signal, cache: 'no-store', headers: { Range: verdicts.testedRange.header } } as const
  report('proxy-ranges', verdicts.rangeVerdict(await probe(file, part)))
  const compression = verdicts.compressionVerdict(await probe(file, { signal, cache: 'no-store' }))
  report('proxy-compression', compression)

  const same = addressOf('doctor.echo', { n: newWord() })
  const [one, other] = [await probe(same, { signal }), await probe(same, { signal })]
  const page = await probe(`${config().BaseURL}/`, { signal, cache: 'no-store' })
  report('proxy-cache', verdicts.cacheVerdict(one, other, page))
  return compression
}

const mebibyte = 1024 * 1024

/**
 * The sizes of the bodies. The default limit of nginx is 1 MiB, and that of some services 100 MB. The second body is larger
 * than the buffers of two connections, which have up to 20 MiB on Linux.
 */
const bodyBytes = { small: 2 * mebibyte, medium: 32 * mebibyte, large: 110 * mebibyte } as const
/** On a line on which the second body takes longer than this time in milliseconds, the third one is not sent. */
const slowMs = 8000

/** Measures what the way does to large bodies and to streams. */
async function measureBodies({
  signal,
  report,
  isCompressed,
}: Measurement & { readonly isCompressed: boolean }): Promise<void> {
  const block = randomBlock()
  const send = (bytes: number, pauseMs: number) => {
    const body = new Blob(Array.from({ length: bytes / mebibyte }, () => block))
    return sendBody(addressOf('doctor.receive', { pauseMs: String(pauseMs), n: newWord() }), body, signal)
  }
  let limit = verdicts.bodyLimitVerdict(await send(bodyBytes.small, 0))
  let buffer: Verdict = 'unmeasured'
  if (limit === 'ok') {
    const medium = await send(bodyBytes.medium, verdicts.pauseMs)
    limit = verdicts.bodyLimitVerdict(medium)
    buffer = verdicts.uploadBufferVerdict(medium)
    if (limit === 'ok' && medium.totalMs < slowMs)
      limit = verdicts.bodyLimitVerdict(await send(bodyBytes.large, 0))
  }
  report('proxy-body-limit', limit)
  const { lines, everyMs } = verdicts.measuredLines
  const query = { lines: String(lines), everyMs: String(everyMs), n: newWord() }
  const times = verdicts.streamVerdict(await timeStream(addressOf('doctor.stream', query), signal))
  // A proxy that compresses a stream also keeps its lines.
  const stream = isCompressed ? 'unmeasured' : times
  report('proxy-buffering', [buffer, stream].includes('found') ? 'found' : buffer === 'ok' ? stream : buffer)
}

/** Returns 1 MiB that cannot be compressed. */
function randomBlock(): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(mebibyte)
  // The browser gives at most 64 KiB at once.
  for (let at = 0; at < block.length; at += 65_536) crypto.getRandomValues(block.subarray(at, at + 65_536))
  return block
}

async function measureLongWait({ signal, report }: Measurement): Promise<void> {
  const query = { delayMs: String(longWaitSeconds * 1000), n: newWord() }
  const startMs = performance.now()
  const response = await probe(addressOf('doctor.stream', query), {
    signal,
    patienceMs: 2 * longWaitSeconds * 1000,
  })
  // A connection that breaks at once was not ended by a limit of time.
  const verdict = verdicts.timeoutVerdict(response)
  report('proxy-timeout', verdict === 'found' && performance.now() - startMs < 2000 ? 'unmeasured' : verdict)
}
