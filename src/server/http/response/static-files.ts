import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { HttpExchange } from '../exchange.ts'
import { acceptedEncoding } from './compression.ts'
import { everyResponseHeaders } from './headers.ts'
import type { ByteRange } from './ranges.ts'
import { requirePreconditions, planBytes, planNotModified, type ResponsePlan } from './send-bytes.ts'

/**
 * Plans the response with the file at the percent-encoded path `rest` below `/static`. Throws `not-found` for a file
 * that was not in the folder of the client build when the server started.
 */
export type StaticFilePlanner = (rest: string, exchange: HttpExchange) => Promise<ResponsePlan>

/**
 * Finds the file at the percent-encoded path `rest` below `/static` that replaces the file of the client build. Returns
 * null when there is no replacement.
 */
export type StaticOverrideFinder = (rest: string) => Promise<StaticFile | null>

/** A file in memory that is not part of the client build. */
export type StaticFile = { readonly bytes: Buffer; readonly etag: string; readonly type: string }

/**
 * The service worker of the client. Its scope is the base path, which is the folder above its own. Browsers allow that only
 * when this header names the folder, relative to the address of the worker.
 */
const serviceWorker = { name: '/service-worker.js', headers: { 'service-worker-allowed': '../' } }

type BuildFile = {
  readonly file: string
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly isHashed: boolean
  readonly encodings: readonly ('br' | 'gzip')[]
}

/** The media types of images and fonts by extension. Browsers display these files and never execute them. */
const pictureTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
}

const mediaTypes: Readonly<Record<string, string>> = {
  ...pictureTypes,
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
}

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
const suffixOf = { br: '.br', gzip: '.gz' } as const

/**
 * Lists the files of the folder once, and creates the planner of responses with static files. Only the listed files are
 * ever opened, so no URL can lead out of the folder.
 */
export async function readStaticFiles(
  folder: string | null,
  staticOverride?: StaticOverrideFinder,
): Promise<StaticFilePlanner> {
  const files = folder === null ? new Map<string, BuildFile>() : await readFolder(folder)
  return async (rest, exchange) => {
    const override = await staticOverride?.(rest)
    if (override) return planStaticFile(override, exchange)
    const buildFile = files.get(decode(rest))
    if (buildFile === undefined) throw new AppError('not-found')
    return planBuildFile(buildFile, exchange)
  }
}

/**
 * Returns the media type of an image or a font by its name. For any other file, returns `application/octet-stream`,
 * which browsers do not execute.
 */
export const pictureTypeOf = (name: string): string =>
  pictureTypes[extensionOf(name)] ?? 'application/octet-stream'

const planStaticFile = ({ bytes, etag, type }: StaticFile, exchange: HttpExchange): Promise<ResponsePlan> =>
  planStaticResponse(exchange, { type, etag, read: async () => bytes })

async function planBuildFile(
  { file, headers, etag, isHashed, encodings }: BuildFile,
  exchange: HttpExchange,
): Promise<ResponsePlan> {
  const encoding = acceptedEncoding(exchange.header('accept-encoding'), encodings)
  return planStaticResponse(exchange, {
    type: mediaTypes[extensionOf(file)] ?? 'application/octet-stream',
    etag: encoding === null ? etag : `${etag}-${encoding}`,
    headers: {
      ...headers,
      ...(isHashed ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
      ...(encodings.length > 0 ? { vary: 'accept-encoding' } : {}),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    read: () => readFile(encoding === null ? file : file + suffixOf[encoding]),
  })
}

type StaticResponse = {
  readonly type: string
  readonly etag: string
  readonly headers?: Readonly<Record<string, string>>
  readonly read: () => Promise<Buffer>
}

async function planStaticResponse(
  exchange: HttpExchange,
  { type, etag, headers: additionalHeaders, read }: StaticResponse,
): Promise<ResponsePlan> {
  const headers = {
    ...everyResponseHeaders,
    'content-type': type,
    'cache-control': 'public, no-cache',
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(type === mediaTypes['svg'] ? { 'content-security-policy': svgPolicy } : {}),
    ...additionalHeaders,
  }
  const validators = { etag, modifiedMs: null }
  if (requirePreconditions(exchange.header, validators) === 'not-modified') return planNotModified(headers)
  const whole = await read()
  return planBytes(exchange, { sizeBytes: whole.length, validators, whole, bytes: partsOf(whole) }, headers)
}

const partsOf = (whole: Buffer) =>
  async function* ({ start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    yield whole.subarray(start, end)
  }

async function readFolder(folder: string): Promise<Map<string, BuildFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const allNames = new Set(names)
  const files = new Map<string, BuildFile>()
  for (const file of names.filter(isServed)) {
    const { size, mtimeMs } = await stat(file)
    const encodings = (['br', 'gzip'] as const).filter((encoding) => allNames.has(file + suffixOf[encoding]))
    const etag = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`
    const name = `/${relative(folder, file).split(sep).join('/')}`
    const headers = name === serviceWorker.name ? serviceWorker.headers : {}
    files.set(name, { file, headers, etag, isHashed: isHashed(name), encodings })
  }
  return files
}

/**
 * True for files that can be requested by their name: all except source maps, page templates, dotfiles and compressed
 * copies. A compressed copy is only sent in response to a request for the uncompressed file.
 */
const isServed = (file: string): boolean => !/\.(map|html|br|gz)$/.test(file) && !/[/\\]\.[^/\\]*$/.test(file)

/** True for names that contain a hash of the file's content, such as `/assets/index-B3kX9_qa.js`. */
const isHashed = (name: string): boolean => /^\/assets\/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(name)

const extensionOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1).toLowerCase()

function decode(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}
