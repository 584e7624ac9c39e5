import type { getSubtitle } from '../../shared/contract/subtitles.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import { nameOf } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
import { inTurn, type Turns } from '../turns/turns.ts'
import { converters, type Subtitle } from './to-vtt.ts'

export type SubtitleNeeds = {
  /** Makes WebVTT beside the main thread; null when no cue is in it. */
  readonly toVtt: (subtitle: Subtitle, signal: AbortSignal) => Promise<Uint8Array | null>
  /** Few of them are in memory at once, whosever they are. */
  readonly turns: Turns
}

/** WebVTT as it is, and what can be made into it (contract 8.3). */
export async function subtitle(
  needs: SubtitleNeeds,
  { caller, path, query, signal }: Asked<typeof getSubtitle>,
): Promise<Answer> {
  const extension = wireExtension(nameOf(path)).toLowerCase()
  const isVtt = extension === '.vtt'
  const file = await caller.storage.open(path, { signal }).catch(refuseFolder)
  try {
    if (!isVtt && !Object.hasOwn(converters, extension))
      throw new AppError('bad-request', { reason: 'this is no subtitle' })
    if (sizeOf(file) > limits.subtitleBytes) throw new AppError('too-large')
    const vtt = isVtt ? file : await converted(needs, { file, extension, signal })
    return { kind: 'file', file: vtt, isInline: query.inline === 'true', type: 'text/vtt; charset=utf-8' }
  } catch (error) {
    await file.close()
    throw error
  }
}

function refuseFolder(cause: unknown): never {
  if (codeOf(cause) !== 'is-a-folder') throw cause
  throw new AppError('bad-request', { reason: 'a folder is no subtitle', cause })
}

type Converting = { readonly file: OpenFile; readonly extension: string; readonly signal: AbortSignal }

/** The converted text in place of the file that it was made from. */
async function converted(
  { toVtt, turns }: SubtitleNeeds,
  { file, extension, signal }: Converting,
): Promise<OpenFile> {
  const bytes = await inTurn({ turns, line: 'subtitles', signal }, async () =>
    toVtt({ extension, bytes: await bytesOf(file) }, signal),
  )
  if (bytes === null) throw new AppError('undecodable')
  await file.close()
  const { name, etag, target } = file.entry
  const { modifiedMs, mode } = target ?? file.entry
  return {
    entry: { name, kind: 'file', sizeBytes: bytes.length, modifiedMs, mode, etag: `${etag}-vtt` },
    async *bytes({ start, end }) {
      if (start < end) yield bytes.subarray(start, end)
    },
    close: async () => {},
  }
}

/** What a link leads to is what is open. */
const sizeOf = ({ entry }: OpenFile): number => (entry.target ?? entry).sizeBytes

async function bytesOf(file: OpenFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: sizeOf(file) })) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}
