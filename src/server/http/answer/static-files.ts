import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { acceptedEncoding } from './compression.ts'
import { everyAnswer } from './headers.ts'
import type { ByteRange } from './ranges.ts'
import { judge, planBytes, planUnchanged, type Plan } from './send-bytes.ts'

/**
 * Answers an exchange with the file of a build that has an undecoded address below `/static`. What is not in the folder at start is
 * `not-found`.
 */
export type StaticFiles = (rest: string, exchange: Exchange) => Promise<Plan>

/** What stands before the build's file of a name, by the undecoded address below `/static`; null for nothing. */
export type Foreground = (rest: string) => Promise<Shown | null>

/** A whole file that is not of the build. */
export type Shown = { readonly bytes: Buffer; readonly etag: string; readonly type: string }

type Stored = {
  readonly file: string
  readonly etag: string
  readonly isHashed: boolean
  readonly encodings: readonly ('br' | 'gzip')[]
}

/** What a page shows, and what can do nothing but be shown. */
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

/** Reads the folder's names once; only these are ever opened, so there is no path to climb out by. */
export async function readStaticFiles(folder: string | null, foreground?: Foreground): Promise<StaticFiles> {
  const files = folder === null ? new Map<string, Stored>() : await readFolder(folder)
  return async (rest, exchange) => {
    const shown = await foreground?.(rest)
    if (shown) return answerShown(shown, exchange)
    const stored = files.get(decoded(rest))
    if (stored === undefined) throw new AppError('not-found')
    return answerStored(stored, exchange)
  }
}

/** The media type of a picture or a font, by its name; what is neither is bytes that no page runs. */
export const pictureTypeOf = (name: string): string =>
  pictureTypes[extensionOf(name)] ?? 'application/octet-stream'

const answerShown = ({ bytes, etag, type }: Shown, exchange: Exchange): Promise<Plan> =>
  answerOf(exchange, { type, etag, read: async () => bytes })

async function answerStored({ file, etag, isHashed, encodings }: Stored, exchange: Exchange): Promise<Plan> {
  const encoding = acceptedEncoding(exchange.header('accept-encoding'), encodings)
  return answerOf(exchange, {
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

type Told = {
  readonly type: string
  readonly etag: string
  readonly headers?: Readonly<Record<string, string>>
  readonly read: () => Promise<Buffer>
}

async function answerOf(exchange: Exchange, { type, etag, headers: own, read }: Told): Promise<Plan> {
  const headers = {
    ...everyAnswer,
    'content-type': type,
    'cache-control': 'public, no-cache',
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    ...(type === typeOf['svg'] ? { 'content-security-policy': svgPolicy } : {}),
    ...own,
  }
  const validators = { etag, modifiedMs: null }
  if (judge(exchange.header, validators) === 'not-modified') return planUnchanged(headers)
  const whole = await read()
  return planBytes(exchange, { sizeBytes: whole.length, validators, whole, bytes: partsOf(whole) }, headers)
}

const partsOf = (whole: Buffer) =>
  async function* ({ start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    yield whole.subarray(start, end)
  }

async function readFolder(folder: string): Promise<Map<string, Stored>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = found.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name))
  const all = new Set(names)
  const files = new Map<string, Stored>()
  for (const file of names.filter(isShown)) {
    const { size, mtimeMs } = await stat(file)
    const encodings = (['br', 'gzip'] as const).filter((it) => all.has(file + suffixOf[it]))
    const etag = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`
    const name = `/${relative(folder, file).split(sep).join('/')}`
    files.set(name, { file, etag, isHashed: isHashed(name), encodings })
  }
  return files
}

/** No source maps, no page templates, no dotfiles; compressed copies only in place of what they are copies of. */
const isShown = (file: string): boolean => !/\.(map|html|br|gz)$/.test(file) && !/[/\\]\.[^/\\]*$/.test(file)

/** Names that the build gives by content: `/assets/index-B3kX9_qa.js`. */
const isHashed = (name: string): boolean => /^\/assets\/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(name)

const extensionOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1).toLowerCase()

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}
