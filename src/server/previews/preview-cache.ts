import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PreviewSize } from '../../shared/contract/previews.ts'
import type { PreviewFormat } from './conversion.ts'

/** What a preview is of. The source's etag tells inode, size and times: not a path, which means something else to everybody. */
export type PreviewKey = {
  readonly sourceEtag: string
  readonly size: PreviewSize
  readonly format: PreviewFormat
}

/** Previews on disk. Whoever asks has opened the source before: what is kept here is nobody's permission. */
export type PreviewCache = {
  /** Null where there is none, or one that was cut short. */
  readonly find: (key: PreviewKey) => Promise<Buffer | null>
  /** A preview that cannot be kept is told to `onFault`, and made again next time. */
  readonly keep: (key: PreviewKey, bytes: Uint8Array) => Promise<void>
}

export type PreviewCacheOptions = {
  readonly folder: string
  /** Above it, what was not used for longest goes first. */
  readonly mostBytes: number
  readonly nowMs: () => number
  readonly randomHex: () => string
  readonly onFault: (error: unknown) => void
}

/** Another number makes all kept previews strangers: for when they are made otherwise. */
const recipe = 1
/** How exactly use is noted. */
const usedWithinMs = 3_600_000
/** A file on its way is older than this only if its server was stopped. */
const stagedMs = 3_600_000
const ownName = /^[0-9a-f]{64}\.(webp|jpeg)(\.[0-9a-f]+\.new)?$/

/** Makes the cache; its folder appears with the first preview. */
export function createPreviewCache(options: PreviewCacheOptions): PreviewCache {
  /** Null until somebody has counted. */
  let totalBytes: number | null = null
  let isCounting = false

  async function count(): Promise<void> {
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
    async find(key) {
      const bytes = await readUsed(placeOf(options.folder, key), options.nowMs())
      return bytes !== null && isWhole(bytes, key.format) ? bytes : null
    },
    async keep(key, bytes) {
      const place = placeOf(options.folder, key)
      const staged = `${place}.${options.randomHex()}.new`
      try {
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
        await writeFile(staged, bytes, { mode: 0o600, flag: 'wx' })
        await rename(staged, place)
      } catch (error) {
        options.onFault(error)
        await unlink(staged).catch(() => {})
        return
      }
      totalBytes = totalBytes === null ? null : totalBytes + bytes.length
      if (totalBytes === null || totalBytes > options.mostBytes) await count()
    },
  }
}

function placeOf(folder: string, { sourceEtag, size, format }: PreviewKey): string {
  const name = createHash('sha256').update([recipe, sourceEtag, size, format].join('\0')).digest('hex')
  return path.join(folder, name.slice(0, 2), `${name}.${format}`)
}

/** Reads a file and notes that it was used. */
async function readUsed(file: string, nowMs: number): Promise<Buffer | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { mtimeMs } = await handle.stat()
    if (nowMs - mtimeMs > usedWithinMs) await handle.utimes(nowMs / 1000, nowMs / 1000).catch(() => {})
    return await handle.readFile()
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/** Nothing is flushed, so a machine that stopped may have left part of a file: both formats say where they end. */
function isWhole(bytes: Buffer, format: PreviewFormat): boolean {
  if (bytes.length < 16) return false
  return format === 'webp'
    ? bytes.readUInt32LE(4) + 8 === bytes.length && bytes.toString('latin1', 8, 12) === 'WEBP'
    : bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}

type Kept = { readonly file: string; readonly sizeBytes: number; readonly usedMs: number }

/** Removes what was not used for longest until nine tenths of the bound are left; gives what then is there, in bytes. */
async function sweep({ folder, mostBytes, nowMs }: PreviewCacheOptions): Promise<number> {
  const kept = await allKept(folder)
  let totalBytes = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const goalBytes = totalBytes > mostBytes ? mostBytes * 0.9 : totalBytes
  for (const { file, sizeBytes, usedMs } of kept.toSorted((a, b) => a.usedMs - b.usedMs)) {
    const isLeftover = file.endsWith('.new') && nowMs() - usedMs > stagedMs
    if (totalBytes <= goalBytes && !isLeftover) continue
    await unlink(file).catch(() => {})
    totalBytes -= sizeBytes
  }
  return totalBytes
}

/** Only what has a name of ours: the folder may be one that others use too. */
async function allKept(folder: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const part of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue
    const names = await readdir(path.join(folder, part)).catch(() => [])
    for (const name of names.filter((name) => ownName.test(name))) {
      const file = path.join(folder, part, name)
      const facts = await stat(file).catch(() => null)
      if (facts !== null) kept.push({ file, sizeBytes: facts.size, usedMs: facts.mtimeMs })
    }
  }
  return kept
}
