import { createHash } from 'node:crypto'
import { parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { createBoundedMap } from '../../concurrency/bounded-map.ts'

/** The maximum number of digests of paths that are cached, and of the characters of those paths together (1 MiB). */
const maxCachedKeys = 5000
const maxCachedCharacters = 1024 * 1024

/** Returns a path and all folders above it. */
export function scopesAbove(path: Path): readonly Path[] {
  const scopes: Path[] = [path]
  for (let folder = path; folder !== root; scopes.push(folder)) folder = parentOf(folder)
  return scopes
}

/** Creates the function that returns the key of a scope: a digest, since a path may be longer than a key of PostgreSQL. */
export function createKeyCache(folder: string): (scope: Path) => string {
  const keys = createBoundedMap<Path, string>(maxCachedKeys, maxCachedCharacters)
  return (scope) => {
    const known = keys.get(scope)
    if (known !== undefined) return known
    const key = createHash('sha256').update(`${folder}\0${scope}`).digest('base64url')
    keys.set(scope, key)
    return key
  }
}
