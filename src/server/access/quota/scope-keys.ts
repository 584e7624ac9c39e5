import { createHash } from 'node:crypto'
import { parentOf, root, type Path } from '../../../shared/domain/path.ts'

/** The maximum number of digests of scopes that are cached. */
const maxCachedKeys = 5000

/** Returns a path and all folders above it. */
export function scopesAbove(path: Path): readonly Path[] {
  const scopes: Path[] = [path]
  for (let folder = path; folder !== root; scopes.push(folder)) folder = parentOf(folder)
  return scopes
}

/** Creates the function that returns the key of a scope: a digest, since a path may be longer than a key of PostgreSQL. */
export function createKeyCache(folder: string): (scope: Path) => string {
  const keys = new Map<Path, string>()
  return (scope) => {
    const known = keys.get(scope)
    if (known !== undefined) return known
    const key = createHash('sha256').update(`${folder}\0${scope}`).digest('base64url')
    if (keys.size >= maxCachedKeys) keys.clear()
    keys.set(scope, key)
    return key
  }
}
