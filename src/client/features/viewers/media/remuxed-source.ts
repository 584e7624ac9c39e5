import { rangesOf } from './player.ts'
import { loadPart, type RemuxedPart } from './remuxed-part.ts'
import { nextPartS, startAfterGapS } from './remuxed-ranges.ts'

export type RemuxedSourceOptions = {
  /** The URL of the parts, to which the time in seconds is added. */
  readonly address: string
  /** Returns true when the user wants the file to play. */
  readonly isWanted: () => boolean
  /** Called when the server or the browser cannot play the file in this way, either. */
  readonly onBroken: () => void
}

/** The number of seconds before the position that stay in memory, so that a small step back needs no request. */
const keptS = 60

/**
 * Plays a file in parts that the server makes of it, which are loaded some seconds before they are needed. Playing goes on
 * at the position of the file. Returns the function that ends the requests.
 */
export function playRemuxed(
  media: HTMLMediaElement,
  { address, isWanted, onBroken }: RemuxedSourceOptions,
): () => void {
  const owner = new AbortController()
  const { signal } = owner
  const start = async (): Promise<void> => {
    const first = await loadPart(address, 0, signal)
    if (signal.aborted) return
    if (typeof first === 'string' || !isPlayable(first.type)) return onBroken()
    const source = new MediaSource()
    const url = URL.createObjectURL(source)
    signal.addEventListener('abort', () => URL.revokeObjectURL(url))
    // The source is opened again when the element is loaded again after a lost connection.
    source.addEventListener('sourceopen', () => {
      const open = new AbortController()
      source.addEventListener('sourceclose', () => open.abort(), { once: true })
      fillSource({ media, source, address, first, signal: AbortSignal.any([signal, open.signal]) })
    })
    const { currentTime } = media
    const mustPlay = isWanted()
    media.src = url
    media.currentTime = currentTime
    if (mustPlay) media.play().catch(() => undefined)
  }
  void start()
  return () => owner.abort()
}

const isPlayable = (type: string): boolean => 'MediaSource' in globalThis && MediaSource.isTypeSupported(type)

type FillOptions = {
  readonly media: HTMLMediaElement
  readonly source: MediaSource
  readonly address: string
  /** The first part, whose header contains the codecs and the duration. */
  readonly first: RemuxedPart
  readonly signal: AbortSignal
}

/** Keeps the next seconds of a file loaded until the signal aborts. */
function fillSource({ media, source, address, first, signal }: FillOptions): void {
  const buffer = source.addSourceBuffer(first.type)
  if (first.durationS > 0) source.duration = first.durationS
  let request: { readonly fromS: number; readonly abort: () => void } | null = null
  /** The time from which a part brought nothing new: nothing follows in the file. */
  let deadEndS: number | null = null

  const neededS = (): number | null =>
    nextPartS(rangesOf(media.buffered), { timeS: media.currentTime, durationS: source.duration })

  const end = (reason?: 'network'): void => {
    if (source.readyState === 'open' && !buffer.updating) source.endOfStream(reason)
  }

  const loadFrom = async (fromS: number, own: AbortSignal): Promise<void> => {
    const part = fromS === 0 ? first : await loadPart(address, fromS, own)
    if (own.aborted) return
    if (part === 'refused' || part === 'failed') return end('network')
    if (part !== 'ended') await addPart({ media, buffer }, part.bytes)
    if (own.aborted) return
    const startS = startAfterGapS(rangesOf(media.buffered), media.currentTime)
    if (startS !== null) media.currentTime = startS
    const nextS = neededS()
    if (part === 'ended' || nextS === fromS) deadEndS = fromS
    if (nextS === null || nextS === deadEndS) endWhenComplete()
  }

  /** Tells the element that nothing follows, so that playing ends there. */
  const endWhenComplete = (): void => {
    const { endS } = rangesOf(media.buffered).at(-1) ?? { endS: 0 }
    if (deadEndS !== null || endS >= source.duration - 0.5) end()
  }

  const fill = (): void => {
    if (signal.aborted || media.error !== null || buffer.updating) return
    const fromS = neededS()
    if (fromS === null || fromS === deadEndS || request?.fromS === fromS) return
    // After a jump, the part that is on its way is not needed any more.
    request?.abort()
    const own = new AbortController()
    const current = { fromS, abort: () => own.abort() }
    request = current
    void loadFrom(fromS, AbortSignal.any([signal, own.signal]))
      .catch(() => end('network'))
      .finally(() => {
        if (request !== current) return
        request = null
        fill()
      })
  }

  for (const name of ['timeupdate', 'seeking', 'waiting'] as const)
    media.addEventListener(name, fill, { signal })
  buffer.addEventListener('updateend', fill, { signal })
  fill()
}

/** Appends a part, and removes buffered data far before the position. */
async function addPart(
  { media, buffer }: { readonly media: HTMLMediaElement; readonly buffer: SourceBuffer },
  bytes: ArrayBuffer,
): Promise<void> {
  const keptFromS = media.currentTime - keptS
  if (keptFromS > 0) await updated(buffer, () => buffer.remove(0, keptFromS))
  await updated(buffer, () => buffer.appendBuffer(bytes))
}

/** Waits until a change of a buffer is complete. Rejects when the bytes cannot be decoded. */
function updated(buffer: SourceBuffer, change: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    buffer.addEventListener('updateend', () => resolve(), { once: true })
    buffer.addEventListener('error', () => reject(new Error('the part cannot be decoded')), { once: true })
    change()
  })
}
