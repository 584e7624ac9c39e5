import { isUtf8 } from 'node:buffer'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import { nameOf, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { OpenFile } from '../storage/port.ts'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { converters, type SubtitleFile } from './to-vtt.ts'

/** The bytes of converted subtitles that one user may have in memory: three of the largest size that can be converted. */
export const convertedBytesPerUser = 32 * 1024 * 1024

export type SubtitleDependencies = {
  /** Converts a subtitle to WebVTT in a worker thread. Resolves with null when the subtitle has no cue. */
  readonly toVtt: (subtitle: SubtitleFile, signal: AbortSignal) => Promise<Uint8Array | null>
  /** Limits the total number of subtitles that are in memory for all users. */
  readonly limiter: KeyedLimiter
  /** The bytes of converted subtitles that are in memory until their clients have read them. */
  readonly memory: ByteBudget
}

/**
 * Opens a subtitle as WebVTT. A WebVTT file in UTF-8 is returned unchanged. One in another encoding and the other supported
 * formats are converted (contract 8.3).
 */
export async function openSubtitle(
  dependencies: SubtitleDependencies,
  { storage, user }: Actor,
  { path, signal }: { readonly path: Path; readonly signal: AbortSignal },
): Promise<OpenFile> {
  const extension = wireExtension(nameOf(path)).toLowerCase()
  const file = await storage.open(path, { signal }).catch(refuseFolder)
  try {
    if (!Object.hasOwn(converters, extension))
      throw new AppError('bad-request', { reason: 'this file is not a supported subtitle' })
    if (sizeOf(file) > limits.subtitleBytes) throw new AppError('too-large')
    const source = { file, name: nameOf(path), principal: `user ${user.id}`, signal }
    return await convertToVtt(dependencies, source)
  } catch (error) {
    await file.close()
    throw error
  }
}

function refuseFolder(cause: unknown): never {
  if (codeOf(cause) !== 'is-a-folder') throw cause
  throw new AppError('bad-request', { reason: 'a folder is not a subtitle', cause })
}

type SubtitleSource = {
  readonly file: OpenFile
  readonly name: string
  readonly principal: string
  readonly signal: AbortSignal
}

/**
 * Returns the converted subtitle as an open file, and closes the source file. Returns the source file itself when it is WebVTT in
 * UTF-8.
 */
async function convertToVtt(
  { toVtt, limiter, memory }: SubtitleDependencies,
  { file, name, principal, signal }: SubtitleSource,
): Promise<OpenFile> {
  const bytes = await runLimited({ limiter, key: 'subtitles', signal }, async () => {
    const source = await bytesOf(file)
    return isVttInUtf8(name, source) ? 'unchanged' : toVtt({ name, bytes: source }, signal)
  })
  if (bytes === 'unchanged') return file
  if (bytes === null) throw new AppError('undecodable')
  const release = memory.take(principal, Math.min(bytes.length, convertedBytesPerUser))
  await file.close()
  const { etag, target } = file.entry
  const { modifiedMs, mode } = target ?? file.entry
  return {
    entry: {
      name: file.entry.name,
      kind: 'file',
      sizeBytes: bytes.length,
      modifiedMs,
      mode,
      etag: `${etag}-vtt`,
    },
    async *bytes({ start, end }) {
      if (start < end) yield bytes.subarray(start, end)
    },
    close: async () => release(),
  }
}

const isVttInUtf8 = (name: string, bytes: Uint8Array): boolean =>
  wireExtension(name).toLowerCase() === '.vtt' && isUtf8(bytes)

/** Returns the size in bytes of the open file. For a link, this is the size of its target. */
const sizeOf = ({ entry }: OpenFile): number => (entry.target ?? entry).sizeBytes

async function bytesOf(file: OpenFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: sizeOf(file) })) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}
