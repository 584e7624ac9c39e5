import { byteLength, bytesOfName, nameOfBytes } from './name-bytes.ts'
import { limits } from './limits.ts'

/**
 * An absolute path inside whatever storage it is given to: `/`, or names joined by `/` with no slash at the end.
 * Made only by the two doors below, so that one that exists is safe: no function after them repeats the check.
 */
export type Path = string & { readonly __path: unique symbol }

export const root = '/' as Path

/**
 * The door from a request's raw text to a Path: each segment is percent-decoded once, empty ones are dropped.
 * Null when it is malformed, climbs (`.` and `..`), holds a slash or NUL inside a name, or is over the limits.
 */
export function parsePath(raw: string): { readonly path: Path; readonly isFolder: boolean } | null {
  if (raw === root) return { path: root, isFolder: true }
  const path = toPath(raw.split('/').map(decodeSegment))
  return path === null ? null : { path, isFolder: raw.endsWith('/') }
}

/**
 * As `parsePath`, but all of the text is decoded before it is split: an encoded slash separates like a plain one. Only for addresses
 * that old clients encode whole (contract 3.8, 9.6).
 */
export function parseWholePath(raw: string): { readonly path: Path; readonly isFolder: boolean } | null {
  const text = decodeSegment(raw)
  const path = text === null ? null : pathOf(text)
  return path === null || text === null ? null : { path, isFolder: text.endsWith('/') }
}

/** The second door, for text that is not percent-encoded: from the database, from the command line. */
export const pathOf = (text: string): Path | null => toPath(text.split('/'))

/** The path of a name inside a folder; null when the name cannot be one. */
export const childOf = (folder: Path, name: string): Path | null =>
  name === '' || !isName(name) ? null : toPath([...namesOf(folder), name])

/** The names from the root down; empty for the root itself. */
export const namesOf = (path: Path): string[] => (path === root ? [] : path.slice(1).split('/'))

/** The last name; empty for the root. */
export const nameOf = (path: Path): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder that holds it; the root holds itself. */
export function parentOf(path: Path): Path {
  const at = path.lastIndexOf('/')
  return (at <= 0 ? '/' : path.slice(0, at)) as Path
}

/** Whether a path is the folder itself or lies somewhere below it. */
export const isWithin = (path: Path, folder: Path): boolean =>
  folder === root || path === folder || path.startsWith(`${folder}/`)

/** Both joined: `below` read as relative to `folder`. Null over the limits. */
export function joinPaths(folder: Path, below: Path): Path | null {
  if (folder === root) return below
  if (below === root) return folder
  // Their names were judged when they were made: only all of them together may be too many.
  const path = `${folder}${below}`
  const isShort = byteLength(path) <= limits.pathBytes && path.split('/').length <= limits.pathSegments + 1
  return isShort ? (path as Path) : null
}

/** The percent-encoded form that `parsePath` reads back: each name once. A lone surrogate becomes its byte. */
export const encodePath = (path: Path): string =>
  path === root ? '/' : `/${namesOf(path).map(encodeName).join('/')}`

/** One name, percent-encoded. */
export function encodeName(name: string): string {
  if (name.isWellFormed()) return encodeURIComponent(name)
  const bytes = bytesOfName(name) ?? new TextEncoder().encode(name)
  return Array.from(bytes, encodeByte).join('')
}

const encodeByte = (byte: number): string =>
  byte < 0x80 ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`

function toPath(segments: readonly (string | null)[]): Path | null {
  const names = segments.filter((name) => name !== '')
  if (names.length > limits.pathSegments || !names.every(isName)) return null
  const path = `/${names.join('/')}`
  return byteLength(path) <= limits.pathBytes ? (path as Path) : null
}

const isName = (name: string | null): name is string =>
  name !== null &&
  name !== '.' &&
  name !== '..' &&
  !/[\0/]/.test(name) &&
  byteLength(name) <= limits.nameBytes &&
  (name.isWellFormed() || bytesOfName(name) !== null)

function decodeSegment(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return decodeBytes(text)
  }
}

/** What is not UTF-8 after decoding names bytes on disk; what is not even percent-encoding is refused. */
function decodeBytes(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text) || !text.isWellFormed()) return null
  const bytes: number[] = []
  for (const [part] of text.matchAll(/%[0-9a-fA-F]{2}|[^%]+/g)) {
    if (part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return nameOfBytes(Uint8Array.from(bytes))
}
