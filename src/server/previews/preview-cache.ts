import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import type { PreviewFormat } from './conversion.ts'

/**
 * The key of a cached preview. The source's etag contains inode, size and times but no path, because the same path
 * refers to different files for users with different scopes.
 */
export type PreviewKey = {
  readonly sourceEtag: string
  readonly size: PreviewSize
  readonly format: PreviewFormat
}

/**
 * A cache of previews on disk. The cache checks no permissions, so the caller must open the source image first, which
 * checks them.
 */
export type PreviewCache = {
  /** Returns a cached preview, or null when there is none or its file is incomplete. */
  readonly get: (key: PreviewKey) => Promise<Buffer | null>
  /**
   * Stores a preview. The promise never rejects. When the preview cannot be stored, `onFault` receives the error, and
   * the next request makes the preview again.
   */
  readonly put: (key: PreviewKey, bytes: Uint8Array) => Promise<void>
}

export type PreviewCacheOptions = {
  readonly folder: string
  /** The maximum total size in bytes. Above this size, the least recently used previews are evicted. */
  readonly maxBytes: number
  readonly nowMs: () => number
  readonly randomHex: () => string
  readonly onFault: (error: unknown) => void
}

/**
 * A version number in each cache key and in the ETag of each preview. Increase this number when previews are made
 * differently, so that neither the server nor a browser goes on to use outdated previews.
 */
export const previewVersion = 2
/**
 * The minimum interval in milliseconds (one hour) between two updates of a preview's time of last use. The interval
 * saves a write on most reads.
 */
const touchIntervalMs = 3_600_000
/**
 * The age in milliseconds (one hour) above which a staged file is considered abandoned by a server that has stopped.
 */
const stagedMaxAgeMs = 3_600_000
const cacheFileName = /^[0-9a-f]{64}\.(webp|jpeg)(\.[0-9a-f]+\.new)?$/

/** Creates the cache. Its folder is created when the first preview is stored. */
export function createPreviewCache(options: PreviewCacheOptions): PreviewCache {
  /** The size in bytes of all cached previews. Null until it has been determined. */
  let totalBytes: number | null = null
  let isCounting = false

  async function recount(): Promise<void> {
    if (isCounting) return
    isCounting = true
    try {
      totalBytes = await sweep(options)
    } catch (error) {
      options.onFault(error)
    } finally {
      isCounting = false
    }
  }

  return {
    async get(key) {
      const bytes = await readAndTouch(cacheFileOf(options.folder, key), options.nowMs())
      return bytes !== null && isComplete(bytes, key.format) ? bytes : null
    },
    async put(key, bytes) {
      const file = cacheFileOf(options.folder, key)
      const staged = `${file}.${options.randomHex()}.new`
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(staged, bytes, { mode: 0o600, flag: 'wx' })
        await rename(staged, file)
      } catch (error) {
        options.onFault(error)
        await unlink(staged).catch(() => {})
        return
      }
      totalBytes = totalBytes === null ? null : totalBytes + bytes.length
      if (totalBytes === null || totalBytes > options.maxBytes) await recount()
    },
  }
}

function cacheFileOf(folder: string, { sourceEtag, size, format }: PreviewKey): string {
  const name = createHash('sha256')
    .update([previewVersion, sourceEtag, size, format].join('\0'))
    .digest('hex')
  return path.join(folder, name.slice(0, 2), `${name}.${format}`)
}

/** Reads a file and updates its time of last use. */
async function readAndTouch(file: string, nowMs: number): Promise<Buffer | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { mtimeMs } = await handle.stat()
    if (nowMs - mtimeMs > touchIntervalMs) await handle.utimes(nowMs / 1000, nowMs / 1000).catch(() => {})
    return await handle.readFile()
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/**
 * True when a cached file is complete, which the end of both formats shows. A crash of the machine may leave a partial
 * file, because files are not flushed to disk.
 */
function isComplete(bytes: Buffer, format: PreviewFormat): boolean {
  if (bytes.length < 16) return false
  return format === 'webp'
    ? bytes.readUInt32LE(4) + 8 === bytes.length && bytes.toString('latin1', 8, 12) === 'WEBP'
    : bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}

type CachedPreviewFile = { readonly file: string; readonly sizeBytes: number; readonly usedMs: number }

/**
 * Evicts the least recently used previews until the cache uses at most 90 % of its size limit, and deletes old staged
 * files. Returns the total size of the remaining files in bytes.
 */
async function sweep({ folder, maxBytes, nowMs }: PreviewCacheOptions): Promise<number> {
  const files = await listCachedFiles(folder)
  let totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const targetBytes = totalBytes > maxBytes ? maxBytes * 0.9 : totalBytes
  for (const { file, sizeBytes, usedMs } of files.toSorted((a, b) => a.usedMs - b.usedMs)) {
    const isAbandoned = file.endsWith('.new') && nowMs() - usedMs > stagedMaxAgeMs
    if (totalBytes <= targetBytes && !isAbandoned) continue
    await unlink(file).catch(() => {})
    totalBytes -= sizeBytes
  }
  return totalBytes
}

/**
 * Lists the files whose names have the form of cache files. All other files are skipped, because other programs may use
 * the folder too.
 */
async function listCachedFiles(folder: string): Promise<CachedPreviewFile[]> {
  const files: CachedPreviewFile[] = []
  for (const part of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue
    const names = await readdir(path.join(folder, part)).catch(() => [])
    for (const name of names.filter((name) => cacheFileName.test(name))) {
      const file = path.join(folder, part, name)
      const stats = await stat(file).catch(() => null)
      if (stats !== null) files.push({ file, sizeBytes: stats.size, usedMs: stats.mtimeMs })
    }
  }
  return files
}
