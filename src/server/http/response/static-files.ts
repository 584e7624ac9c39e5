import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { acceptedEncoding } from './compression.ts'
import { everyResponse } from './headers.ts'
import type { ByteRange } from './ranges.ts'
import { requirePreconditions, planBytes, planNotModified, type ResponsePlan } from './send-bytes.ts'

/**
 * Plans the response with the file at the undecoded address `rest` below `/static`. Throws `not-found` for a file that
 * was not in the folder of the build when the server started.
 */
export type StaticFilePlanner = (rest: string, exchange: Exchange) => Promise<ResponsePlan>

/**
 * Finds the file at an undecoded address below `/static` that takes precedence over the build's file. Null when there
 * is no such file.
 */
export type StaticOverride = (rest: string) => Promise<StaticFile | null>

/** A complete file that is not part of the build. */
export type StaticFile = { readonly bytes: Buffer; readonly etag: string; readonly type: string }

type BuildFile = {
  readonly file: string
  readonly etag: string
  readonly isHashed: boolean
  readonly encodings: readonly ('br' | 'gzip')[]
}

/** The media types of images and fonts, which browsers only display and never execute. */
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

const typeOf: Readonly<Record<string, string>> = {
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

/** Reads the names in the folder once. Only these files are ever opened, so no address can lead out of the folder. */
export async function readStaticFiles(
  folder: string | null,
  staticOverride?: StaticOverride,
): Promise<StaticFilePlanner> {
  const files = folder === null ? new Map<string, BuildFile>() : await readFolder(folder)
  return async (rest, exchange) => {
    const override = await staticOverride?.(rest)
    if (override) return sendStaticFile(override, exchange)
    const buildFile = files.get(decoded(rest))
    if (buildFile === undefined) throw new AppError('not-found')
    return sendBuildFile(buildFile, exchange)
  }
}

/**
 * Returns the media type of an image or a font by its name, and `application/octet-stream`, which browsers do not
 * execute, for any other file.
 */
export const pictureTypeOf = (name: string): string =>
  pictureTypes[extensionOf(name)] ?? 'application/octet-stream'

const sendStaticFile = ({ bytes, etag, type }: StaticFile, exchange: Exchange): Promise<ResponsePlan> =>
  responseOf(exchange, { type, etag, read: async () => bytes })

async function sendBuildFile(
  { file, etag, isHashed, encodings }: BuildFile,
  exchange: Exchange,
): Promise<ResponsePlan> {
  const encoding = acceptedEncoding(exchange.header('accept-encoding'), encodings)
  return responseOf(exchange, {
    type: typeOf[extensionOf(file)] ?? 'application/octet-stream',
    etag: encoding === null ? etag : `${etag}-${encoding}`,
    headers: {
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

async function responseOf(
  exchange: Exchange,
  { type, etag, headers: own, read }: StaticResponse,
): Promise<ResponsePlan> {
  const headers = {
    ...everyResponse,
    'content-type': type,
    'cache-control': 'public, no-cache',
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(type === typeOf['svg'] ? { 'content-security-policy': svgPolicy } : {}),
    ...own,
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
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = found.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  const all = new Set(names)
  const files = new Map<string, BuildFile>()
  for (const file of names.filter(isShown)) {
    const { size, mtimeMs } = await stat(file)
    const encodings = (['br', 'gzip'] as const).filter((it) => all.has(file + suffixOf[it]))
    const etag = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`
    const name = `/${relative(folder, file).split(sep).join('/')}`
    files.set(name, { file, etag, isHashed: isHashed(name), encodings })
  }
  return files
}

/**
 * True for files that are served under their own name: all except source maps, page templates, dotfiles and compressed
 * copies. A compressed copy is served in place of the original file.
 */
const isShown = (file: string): boolean => !/\.(map|html|br|gz)$/.test(file) && !/[/\\]\.[^/\\]*$/.test(file)

/** True for names with a hash that the build derives from the content, such as `/assets/index-B3kX9_qa.js`. */
const isHashed = (name: string): boolean => /^\/assets\/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(name)

const extensionOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1).toLowerCase()

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}
