import type { getSubtitle } from '../../shared/contract/subtitles.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import { nameOf } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
import { vttOfAss, vttOfSrt } from './to-vtt.ts'

const converters: Readonly<Record<string, ((text: string) => string | null) | null>> = {
  '.vtt': null,
  '.srt': vttOfSrt,
  '.ass': vttOfAss,
  '.ssa': vttOfAss,
}

/** WebVTT as it is, and what can be made into it (contract 8.3). */
export async function subtitle({ caller, path, query, signal }: Asked<typeof getSubtitle>): Promise<Answer> {
  const convert = converters[wireExtension(nameOf(path)).toLowerCase()]
  const file = await caller.storage.open(path, { signal }).catch(refuseFolder)
  try {
    if (convert === undefined) throw new AppError('bad-request', { reason: 'this is no subtitle' })
    if (file.entry.sizeBytes > limits.subtitleBytes) throw new AppError('too-large')
    const vtt = convert === null ? file : await converted(file, convert)
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

/** The converted text in place of the file that it was made from. */
async function converted(file: OpenFile, convert: (text: string) => string | null): Promise<OpenFile> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: file.entry.sizeBytes })) chunks.push(chunk.slice())
  const vtt = convert(decoded(Buffer.concat(chunks)))
  if (vtt === null) throw new AppError('undecodable')
  await file.close()
  const bytes = Buffer.from(vtt)
  return {
    entry: { ...file.entry, sizeBytes: bytes.length, etag: `${file.entry.etag}-vtt` },
    async *bytes({ start, end }) {
      if (start < end) yield bytes.subarray(start, end)
    },
    close: async () => {},
  }
}

/** By its mark, as UTF-8, or else as what old Western subtitles are written in. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
