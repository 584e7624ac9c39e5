import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Header } from './preconditions.ts'
import { acceptedEncoding } from './compression.ts'
import { everyAnswer } from './headers.ts'

export type StaticAnswer = {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The files of a build by their undecoded address below `/static`. What is not in the folder at start is `not-found`. */
export type StaticFiles = (rest: string, header: Header) => Promise<StaticAnswer>

type Stored = { readonly file: string; readonly etag: string; readonly encodings: readonly ('br' | 'gzip')[] }

const typeOf: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
}

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
const suffixOf = { br: '.br', gzip: '.gz' } as const

/** Reads the folder's names once; only these are ever opened, so there is no path to climb out by. */
export async function readStaticFiles(folder: string | null): Promise<StaticFiles> {
  const files = folder === null ? new Map<string, Stored>() : await readFolder(folder)
  return async (rest, header) => {
    const stored = files.get(decoded(rest))
    if (stored === undefined) throw new AppError('not-found')
    return answerOf(stored, header)
  }
}

async function answerOf({ file, etag, encodings }: Stored, header: Header): Promise<StaticAnswer> {
  const encoding = acceptedEncoding(header('accept-encoding'), encodings)
  const tag = encoding === null ? `"${etag}"` : `"${etag}-${encoding}"`
  const headers: Record<string, string> = {
    ...everyAnswer,
    'content-type': typeOf[extensionOf(file)] ?? 'application/octet-stream',
    'cache-control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    etag: tag,
    ...(encodings.length > 0 ? { vary: 'accept-encoding' } : {}),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
    ...(file.endsWith('.svg') ? { 'content-security-policy': svgPolicy } : {}),
  }
  if (header('if-none-match')?.includes(tag) === true) {
    return { status: 304, headers, body: Buffer.alloc(0) }
  }
  const body = await readFile(encoding === null ? file : file + suffixOf[encoding])
  return { status: 200, headers, body }
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
    files.set(`/${relative(folder, file).split(sep).join('/')}`, { file, etag, encodings })
  }
  return files
}

/** No source maps, no page templates, no dotfiles; compressed copies only in place of what they are copies of. */
const isShown = (file: string): boolean => !/\.(map|html|br|gz)$/.test(file) && !/[/\\]\.[^/\\]*$/.test(file)

/** Names that the build gives by content: `index-B3kX9_qa.js`. */
const isHashed = (file: string): boolean => /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/.test(file)

const extensionOf = (file: string): string => file.slice(file.lastIndexOf('.') + 1).toLowerCase()

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch (cause) {
    throw new AppError('bad-request', { cause })
  }
}
