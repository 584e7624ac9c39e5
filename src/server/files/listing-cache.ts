import { childOf, type Path } from '../../shared/domain/path.ts'
import type { Timer } from '../concurrency/later.ts'
import { monotonicMs, type FolderVersions } from '../storage/folder-watcher.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { DiskIdentity } from '../storage/local-disk.ts'
import { localFolderOf } from '../storage/local-folder-of.ts'
import { entryFlag, type EntryPage, type Listing, type Storage } from '../storage/port.ts'
import type { FolderResponse } from './response-tags.ts'

/** A request for a listing. Requests with the same key get the same response while the folder stays the same. */
export type CachedListingRequest = OperationOptions & {
  readonly key: string
  readonly storage: Storage
  readonly path: Path
}

/**
 * Responses of large folders that clients show. A response is sent again while the watch of its folder shows that
 * nothing has changed (docs/decisions, 48).
 */
export type ListingCache = {
  /** Returns the stored response if it is what a new listing would contain. */
  readonly find: (request: CachedListingRequest) => Promise<FolderResponse | null>
  /**
   * Encodes a listing, and stores the response when the folder is watched and has not changed since `startedAtMs`, a time
   * before the listing began.
   */
  readonly record: (
    request: CachedListingRequest & { readonly startedAtMs: number },
    listing: Listing,
    encode: (pages: Listing['pages']) => AsyncIterable<string>,
  ) => FolderResponse
}

export type ListingCacheDependencies = {
  readonly versions: FolderVersions
  readonly later: Timer
  /** The size of all stored responses in bytes. */
  readonly maxBytes?: number
  /** The size of all responses in bytes that are recorded at the same time, while they are sent. */
  readonly maxRecordedBytes?: number
}

/** The default of both sizes in bytes: 32 MB hold about seven folders of 100,000 entries. */
const listingCacheBytes = 32 * 1024 * 1024
/** Larger responses than this are not stored, in bytes, so that one folder does not evict all others. */
const maxResponseBytes = 16 * 1024 * 1024
/**
 * The minimum number of entries of a stored folder. Smaller folders are listed in about the time that `isCurrent`
 * takes.
 */
const minRows = 1000
/**
 * The maximum number of subfolders of a stored listing. A watch does not report what happens inside of subfolders, which
 * changes their times, so each of them is looked up before the response is sent again.
 */
const maxSubfolders = 64
/** The time without use after which a response is dropped, in ms: before the memory of an idle server is released. */
const maxIdleMs = 30_000
/**
 * The age from which a response is not sent again, in ms. The kernel reports neither writes through a memory map nor
 * writes to a file that has got a second name in another folder since the listing.
 */
const maxAgeMs = 60_000
/** The response is sent in parts of this size in bytes, each of which waits for the client. */
const partBytes = 256 * 1024

/** The stat of a subfolder, as its row shows it. */
type SubfolderRow = { readonly name: string; readonly sizeBytes: number; readonly modifiedMs: number }

type StoredResponse = {
  readonly identity: DiskIdentity
  readonly versionId: string
  readonly subfolders: readonly SubfolderRow[]
  readonly folderEtag: string
  readonly bytes: Buffer
  readonly listedAtMs: number
}

export function createListingCache({
  versions,
  later,
  maxBytes = listingCacheBytes,
  maxRecordedBytes = listingCacheBytes,
}: ListingCacheDependencies): ListingCache {
  const responses = createResponseStore({ later, maxBytes })
  const recordings = createRecordings(maxRecordedBytes)

  async function* recorded(
    { key, startedAtMs }: Parameters<ListingCache['record']>[0],
    listing: Listing,
    encode: (pages: Listing['pages']) => AsyncIterable<string>,
  ): AsyncGenerator<Uint8Array> {
    const subfolders: SubfolderRow[] = []
    const recording = recordings.start(key)
    try {
      for await (const text of encode(withSubfoldersInto(subfolders, listing.pages))) {
        const chunk = Buffer.from(text)
        recording.add(chunk)
        yield chunk
      }
      const bytes = recording.bytes()
      const { localDisk, folder } = listing
      if (bytes === null || subfolders.length > maxSubfolders || localDisk?.isCoveredByWatch() !== true)
        return
      const { identity } = localDisk
      const version = await versions.versionOf(identity).catch(() => null)
      if (version === null || version.changedAtMs >= startedAtMs) return
      const proof = { identity, versionId: version.id, subfolders, listedAtMs: startedAtMs }
      responses.put(key, { ...proof, folderEtag: folder.etag, bytes })
    } finally {
      recording.stop()
    }
  }

  return {
    async find(request) {
      const { key } = request
      const response = responses.get(key)
      if (response === undefined) return null
      // When the check fails, the request does not fail. The folder is listed instead.
      const isSame = await isCurrent(response, request, versions).catch(() => false)
      // Another request may have replaced the response meanwhile.
      if (responses.get(key) === response) {
        if (isSame) responses.put(key, response)
        else responses.remove(key)
      }
      return isSame ? { folderEtag: response.folderEtag, chunks: partsOf(response.bytes) } : null
    },
    record(request, listing, encode) {
      const isRecorded = listing.localDisk !== undefined && listing.total >= minRows && versions.count() > 0
      const chunks = isRecorded ? recorded(request, listing, encode) : encode(listing.pages)
      return { folderEtag: listing.folder.etag, chunks }
    },
  }
}

/** Creates the store of the responses, which drops those that were used least recently. */
function createResponseStore({
  later,
  maxBytes,
}: Required<Pick<ListingCacheDependencies, 'later' | 'maxBytes'>>) {
  /** The stored responses, the one that was used least recently first. */
  const responses = new Map<
    string,
    { readonly response: StoredResponse; readonly cancelExpiry: () => void }
  >()
  let totalBytes = 0

  function remove(key: string): void {
    const stored = responses.get(key)
    if (stored === undefined) return
    stored.cancelExpiry()
    responses.delete(key)
    totalBytes -= stored.response.bytes.length
  }

  return {
    get: (key: string): StoredResponse | undefined => responses.get(key)?.response,
    remove,
    /** Stores a response as the one that was used last. */
    put(key: string, response: StoredResponse): void {
      remove(key)
      responses.set(key, { response, cancelExpiry: later(maxIdleMs, () => remove(key)) })
      totalBytes += response.bytes.length
      for (const oldest of responses.keys()) if (totalBytes > maxBytes) remove(oldest)
    },
  }
}

/**
 * Creates the set of recordings of responses that are being sent. A client that reads slowly keeps its recording for a
 * long time, so each response is recorded once at a time, and all recordings share a limit.
 */
function createRecordings(maxRecordedBytes: number) {
  const keys = new Set<string>()
  let totalBytes = 0
  return {
    start(key: string) {
      let chunks: Buffer[] | null = keys.has(key) ? null : []
      let ownBytes = 0
      if (chunks !== null) keys.add(key)

      function stop(): void {
        if (chunks === null) return
        chunks = null
        totalBytes -= ownBytes
        keys.delete(key)
      }

      return {
        stop,
        add(chunk: Buffer): void {
          if (chunks === null) return
          chunks.push(chunk)
          ownBytes += chunk.length
          totalBytes += chunk.length
          if (ownBytes > maxResponseBytes || totalBytes > maxRecordedBytes) stop()
        },
        /** Returns the whole response, or null when it was too large or when another request records the same key. */
        bytes: (): Buffer | null => (chunks === null ? null : Buffer.concat(chunks)),
      }
    },
  }
}

/** Returns true when a new listing would contain what the stored response contains. */
async function isCurrent(
  response: StoredResponse,
  request: CachedListingRequest,
  versions: FolderVersions,
): Promise<boolean> {
  if (monotonicMs() - response.listedAtMs > maxAgeMs) return false
  const folder = await localFolderOf(request.storage, request.path, { signal: request.signal })
  if (folder === null || !isSameFolder(folder, response.identity)) return false
  const [version, ...areSame] = await Promise.all([
    versions.versionOf(folder),
    ...response.subfolders.map((row) => isSameSubfolder(request, row)),
  ])
  return version?.id === response.versionId && areSame.every(Boolean)
}

const isSameFolder = (a: DiskIdentity, b: DiskIdentity): boolean => a.dev === b.dev && a.ino === b.ino

async function isSameSubfolder(
  { storage, path, signal }: CachedListingRequest,
  { name, sizeBytes, modifiedMs }: SubfolderRow,
): Promise<boolean> {
  const subfolder = childOf(path, name)
  if (subfolder === null) return false
  const entry = await storage.stat(subfolder, { signal })
  return (
    entry.kind === 'folder' &&
    entry.sizeBytes === sizeBytes &&
    Math.floor(entry.modifiedMs) === Math.floor(modifiedMs)
  )
}

/** Yields pages unchanged, and collects the rows of subfolders. */
async function* withSubfoldersInto(
  subfolders: SubfolderRow[],
  pages: Listing['pages'],
): AsyncGenerator<EntryPage> {
  for await (const page of pages) {
    for (let at = 0; at < page.names.length && subfolders.length <= maxSubfolders; at += 1) {
      // An entry that cannot be reached is looked up again as well: it is reachable when its disk is back.
      if (((page.flags[at] ?? 0) & (entryFlag.folder | entryFlag.unreachable)) === 0) continue
      const [name = '', sizeBytes = 0, modifiedMs = 0] = [
        page.names[at],
        page.sizesBytes[at],
        page.modifiedMs[at],
      ]
      subfolders.push({ name, sizeBytes, modifiedMs })
    }
    yield page
  }
}

async function* partsOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += partBytes) yield bytes.subarray(from, from + partBytes)
}
