import { byteLength, bytesOfName, nameOfBytes, pathLimits } from './name-bytes.ts'

/**
 * An absolute path inside a storage: `/`, or names joined by `/` with no slash at the end. Only the functions
 * `parsePath`, `parseWholePath` and `pathOf` create paths from strings, so every path is valid and no other function
 * has to check it again.
 */
export type Path = string & { readonly __path: unique symbol }

export const root = '/' as Path

/**
 * Parses the raw path of a request: each segment is percent-decoded once, and empty segments are dropped. Null when the
 * path is malformed, contains `.` or `..`, contains an encoded slash or NUL inside a name, or exceeds the limits.
 */
export function parsePath(raw: string): { readonly path: Path; readonly isFolder: boolean } | null {
  if (raw === root) return { path: root, isFolder: true }
  const path = toPath(raw.split('/').map(decodeSegment))
  return path === null ? null : { path, isFolder: raw.endsWith('/') }
}

/**
 * Works like `parsePath`, but decodes the whole string before splitting it, so that an encoded slash separates names
 * like an unencoded slash. Used only for URLs whose path old clients encode as a whole (contract 3.8, 9.6).
 */
export function parseWholePath(raw: string): { readonly path: Path; readonly isFolder: boolean } | null {
  const text = decodeSegment(raw)
  const path = text === null ? null : pathOf(text)
  return path === null || text === null ? null : { path, isFolder: text.endsWith('/') }
}

/**
 * Converts a string that is not percent-encoded, for example from the database or the command line, to a path. Null
 * when the string is not a valid path.
 */
export const pathOf = (text: string): Path | null => toPath(text.split('/'))

/**
 * Returns the path of the entry with this name in a folder. Null when the name is not valid or the path exceeds the
 * limits.
 */
export const childOf = (folder: Path, name: string): Path | null =>
  name === '' || !isName(name) ? null : toPath([...namesOf(folder), name])

/** Joins names to the path that begins at the root. The names are valid, because they come from a path or from a disk. */
export const pathOfNames = (names: readonly string[]): Path => `/${names.join('/')}` as Path

/** Returns the names in a path, from the root down. The list is empty for the root itself. */
export const namesOf = (path: Path): string[] => (path === root ? [] : path.slice(1).split('/'))

/** Returns the last name in a path. Empty for the root. */
export const nameOf = (path: Path): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns the path of the parent folder. The root is its own parent. */
export function parentOf(path: Path): Path {
  const at = path.lastIndexOf('/')
  return (at <= 0 ? '/' : path.slice(0, at)) as Path
}

/** Returns the path of a folder or of an entry below it, as seen from the folder. */
export const relativePath = (path: Path, folder: Path): Path =>
  folder === root ? path : ((path.slice(folder.length) || '/') as Path)

/** True when a path is the folder itself or is anywhere below it. */
export const isWithin = (path: Path, folder: Path): boolean =>
  folder === root || path === folder || path.startsWith(`${folder}/`)

/**
 * Joins a folder and a second path, which is interpreted relative to the folder. Null when the result exceeds the
 * limits.
 */
export function joinPaths(folder: Path, relative: Path): Path | null {
  if (folder === root) return relative
  if (relative === root) return folder
  // The names were checked when both paths were created, so only the total length or the number of names can exceed a
  // limit.
  const path = `${folder}${relative}`
  const isShort =
    byteLength(path) <= pathLimits.pathBytes && path.split('/').length <= pathLimits.pathSegments + 1
  return isShort ? (path as Path) : null
}

/**
 * Percent-encodes each name of a path once, so that `parsePath` returns the same path again. A lone surrogate is
 * encoded as the byte that it represents.
 */
export const encodePath = (path: Path): string =>
  path === root ? '/' : `/${namesOf(path).map(encodeName).join('/')}`

/** Percent-encodes one name. */
export function encodeName(name: string): string {
  if (name.isWellFormed()) return encodeURIComponent(name)
  const bytes = bytesOfName(name) ?? new TextEncoder().encode(name)
  return Array.from(bytes, encodeByte).join('')
}

const encodeByte = (byte: number): string =>
  byte < 0x80 ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`

function toPath(segments: readonly (string | null)[]): Path | null {
  const names = segments.filter((name) => name !== '')
  if (names.length > pathLimits.pathSegments || !names.every(isName)) return null
  const path = `/${names.join('/')}`
  return byteLength(path) <= pathLimits.pathBytes ? (path as Path) : null
}

const isName = (name: string | null): name is string =>
  name !== null &&
  name !== '.' &&
  name !== '..' &&
  !/[\0/]/.test(name) &&
  byteLength(name) <= pathLimits.nameBytes &&
  (name.isWellFormed() || bytesOfName(name) !== null)

function decodeSegment(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return decodeBytes(text)
  }
}

/**
 * Decodes a path segment whose bytes are not UTF-8 to the name that has these bytes on disk. Null when the segment is
 * not valid percent-encoding.
 */
function decodeBytes(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text) || !text.isWellFormed()) return null
  const bytes: number[] = []
  for (const [part] of text.matchAll(/%[0-9a-fA-F]{2}|[^%]+/g)) {
    if (part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return nameOfBytes(Uint8Array.from(bytes))
}
