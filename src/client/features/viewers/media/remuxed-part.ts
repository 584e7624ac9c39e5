/** A part of a file: its media type with the codecs, its bytes, and the duration of the whole file in seconds or 0. */
export type RemuxedPart = { readonly type: string; readonly durationS: number; readonly bytes: ArrayBuffer }

/** The reason why there is no part: the time is after the end, the server makes none of this file, or it is out of reach. */
export type RemuxFailure = 'ended' | 'refused' | 'failed'

/** A failed request is repeated after these times in milliseconds. */
const retriesMs = [1000, 3000] as const

/** Loads the part of a file from a time in seconds on. Resolves with `failed` when the signal aborts. */
export async function loadPart(
  address: string,
  fromS: number,
  signal: AbortSignal,
): Promise<RemuxedPart | RemuxFailure> {
  for (const waitMs of [...retriesMs, null]) {
    const result = await requestPart(`${address}${fromS.toFixed(3)}`, signal)
    if (result !== 'failed' || waitMs === null || signal.aborted) return result
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return 'failed'
}

async function requestPart(address: string, signal: AbortSignal): Promise<RemuxedPart | RemuxFailure> {
  try {
    const response = await fetch(address, { signal })
    if (response.ok)
      return {
        type: response.headers.get('content-type') ?? '',
        durationS: Number(response.headers.get('x-content-duration') ?? 0),
        bytes: await response.arrayBuffer(),
      }
    await response.body?.cancel()
    if (response.status === 416) return 'ended'
    return response.status === 429 || response.status === 503 ? 'failed' : 'refused'
  } catch {
    return 'failed'
  }
}
