import type { FileResource, ResourceItem } from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { maxTextBytes, typeOfFile, typeOfName } from '../../shared/domain/file-kind.ts'
import type { FileType } from '../../shared/domain/file-types.ts'
import { imageHeadBytes, imageSizeOf } from '../../shared/photos/image-size.ts'
import { nameOf, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { OperationOptions } from '../storage/change.ts'
import { readHead, type FileHead, type HeadReader } from '../storage/read-head.ts'
import type { Storage } from '../storage/port.ts'
import type { RateLimiter } from '../concurrency/rate-limiter.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { resourceHead } from './resource-head.ts'
import { subtitlesOf } from './subtitle-index.ts'

/** A file to describe. */
export type FileRequest = {
  readonly path: Path
  /** True when the path ended with a slash, as that in the description then does. */
  readonly isFolder: boolean
  readonly entry: Entry
  readonly signal: AbortSignal
}

/** Describes a file without its content: name, size, times, permission bits and type. */
export async function describeFile(
  { storage, may }: Actor,
  { path, isFolder: endsWithSlash, entry, signal }: FileRequest,
): Promise<ResourceItem> {
  const detected = await fileTypeAt(storage.headOf, { path, entry, signal })
  const type = detected === 'text' && !may('modify') ? 'textImmutable' : detected
  return resourceHead({ entry, path, endsWithSlash, type })
}

/**
 * The limits for reading texts: `textLimiter` limits the number of texts that are read concurrently, and `pace` limits
 * the rate at which large texts are decoded.
 */
export type TextReadingDependencies = { readonly textLimiter: KeyedLimiter; readonly pace: RateLimiter }

/**
 * Size in bytes above which a text waits for the rate limiter `pace` before it is decoded, because decoding a large
 * text blocks the event loop.
 */
const largeTextBytes = 256 * 1024

/**
 * Returns the details of a file that are not part of its attributes: the subtitles of a film, the content of a text
 * file, and the resolution of an image. Content and resolution are left out for actors who may not download, because their
 * storage does not return them.
 */
export async function detailsOf(
  dependencies: TextReadingDependencies,
  { storage }: Pick<Actor, 'storage'>,
  { path, type, signal }: Pick<FileRequest, 'path' | 'signal'> & Pick<ResourceItem, 'type'>,
): Promise<Pick<FileResource, 'content' | 'subtitles' | 'resolution'>> {
  if (type === 'video') {
    const subtitles = await subtitlesOf({ storage, signal }, path)
    return subtitles.length === 0 ? {} : { subtitles }
  }
  if (type === 'image') return resolutionOf(storage, { path, signal })
  if (type !== 'text' && type !== 'textImmutable') return {}
  const part = { path, end: maxTextBytes, signal }
  const content = await runLimited({ limiter: dependencies.textLimiter, key: 'texts', signal }, async () =>
    textOf(dependencies, storage, part),
  )
  return content === null || content === '' ? {} : { content }
}

/** Returns the resolution of an image. It is left out where the storage does not return it or the file does not tell it. */
export async function resolutionOf(
  storage: Pick<Storage, 'open'>,
  { path, signal }: OperationOptions & { readonly path: Path },
): Promise<Pick<FileResource, 'resolution'>> {
  const head = await readHead(storage, { path, end: imageHeadBytes, signal })
  const resolution = head === null ? null : imageSizeOf(head)
  return resolution === null ? {} : { resolution }
}

/** A file of which the type is determined: its path, and its entry from the storage. */
type FileTypeOptions = OperationOptions & { readonly path: Path; readonly entry: Entry }

/**
 * Returns the type of a file, which is determined by its name, or by its first bytes when the name is not conclusive.
 */
export async function fileTypeAt(
  headOf: HeadReader,
  { path, entry, signal }: FileTypeOptions,
): Promise<FileType> {
  if ((entry.target?.kind ?? entry.kind) !== 'file') return 'blob'
  const name = nameOf(path)
  const sizeBytes = entry.target?.sizeBytes ?? entry.sizeBytes
  const head = typeOfName(name) === null ? await headOf(path, { signal }) : null
  return typeOfFile(name, sizeBytes, head)
}

/**
 * Returns the content of a text file. The content is always decoded as UTF-8, even if it has another encoding, as in
 * File Browser. A byte order mark is kept, because the client sends the complete text back when the user saves it.
 * Returns null for a file that the server may not read.
 */
async function textOf(
  { pace }: TextReadingDependencies,
  storage: Pick<Storage, 'open'>,
  part: FileHead,
): Promise<string | null> {
  const bytes = await readHead(storage, part)
  if (bytes !== null && bytes.length > largeTextBytes) await pace()
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
