import type { PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import type { OpenFile } from '../storage/port.ts'
import { inTurn, type Turns } from '../turns/turns.ts'
import { conversionLimits, type PreviewFormat } from './conversion.ts'
import type { Converters } from './converters.ts'
import { sizeOf } from './image.ts'
import type { PreviewCache, PreviewKey } from './preview-cache.ts'

export type Wish = {
  /** Stays the asker's to close. */
  readonly file: OpenFile
  readonly size: PreviewSize
  readonly format: PreviewFormat
  readonly personId: number
  readonly signal: AbortSignal
}

/** The bytes of a preview; null where the image is better shown as it is. */
export type MakePreview = (wish: Wish) => Promise<Buffer | null>

export type MakingNeeds = {
  readonly cache: PreviewCache
  readonly converters: Converters
  /** A line for each person. */
  readonly turns: Turns
  readonly nowMs: () => number
  /** Told once that there is no library to convert with. */
  readonly onMissing: () => void
}

/** Bytes that were too much for a process are too much again: nobody tries for so long. */
const hopelessMs = 600_000
const mostHopeless = 1000

/** Makes previews, each once: from the cache, by a process, or together with whoever asks for the same just now. */
export function createMakePreview(needs: MakingNeeds): MakePreview {
  const underWay = new Map<string, Promise<Buffer | null>>()
  const hopeless = new Map<string, { readonly code: ErrorCode; readonly untilMs: number }>()
  let isMissing = false

  function refuseHopeless(id: string): void {
    const known = hopeless.get(id)
    if (known === undefined) return
    if (known.untilMs > needs.nowMs()) throw new AppError(known.code)
    hopeless.delete(id)
  }

  function remember(id: string, code: ErrorCode): void {
    if (hopeless.size >= mostHopeless) hopeless.clear()
    hopeless.set(id, { code, untilMs: needs.nowMs() + hopelessMs })
  }

  async function convert(wish: Wish, key: PreviewKey): Promise<Buffer | null> {
    const { kind, bytes } = await converted(needs, wish)
    if (kind === 'without-library') {
      if (!isMissing) needs.onMissing()
      isMissing = true
    }
    if (kind === 'too-large' || kind === 'undecodable') throw new AppError(kind)
    if (kind !== 'made') return null
    await needs.cache.keep(key, bytes)
    return bytes
  }

  async function make(wish: Wish, key: PreviewKey, id: string): Promise<Buffer | null> {
    const kept = await needs.cache.find(key)
    if (kept !== null) return kept
    refuseHopeless(id)
    try {
      return await convert(wish, key)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'too-large' || code === 'undecodable' || code === 'timeout') remember(id, code)
      throw error
    }
  }

  return async (wish) => {
    const { size, format } = wish
    const key = { sourceEtag: wish.file.entry.etag, size, format }
    const id = [key.sourceEtag, size, format].join('\0')
    for (let other = underWay.get(id); other !== undefined; other = underWay.get(id)) {
      const bytes = await other.catch(onlyAborted)
      if (bytes !== 'aborted') return bytes
    }
    if (isMissing) return null
    const making = make(wish, key, id).finally(() => underWay.delete(id))
    underWay.set(id, making)
    return making
  }
}

/** Whoever was first may have left: then the next one makes it. */
function onlyAborted(error: unknown): 'aborted' {
  if (codeOf(error) === 'aborted') return 'aborted'
  throw error
}

/** Has the image converted when it is this person's turn. */
function converted({ converters, turns }: MakingNeeds, { file, size, format, personId, signal }: Wish) {
  const sizeBytes = sizeOf(file)
  if (sizeBytes > conversionLimits.sourceBytes) throw new AppError('too-large')
  const source = { sizeBytes, bytes: () => file.bytes({ start: 0, end: sizeBytes }) }
  return inTurn({ turns, line: personId, signal }, () => converters.convert({ size, format }, source, signal))
}
