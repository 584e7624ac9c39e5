import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSameDisk } from '../../shared/domain/mounted-disk.ts'
import {
  pathOfNames,
  joinPaths,
  nameOf,
  parentOf,
  parsePath,
  root,
  type Path,
} from '../../shared/domain/path.ts'
import { type SharedPlace, type ShareStore, placesWithin } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'
import type { MountedDisks } from '../storage/local-disk.ts'
import type { Volume } from '../storage/port.ts'
import { pathInScope, pathOnVolume } from './scoped-path.ts'

/**
 * Resolves the links in the paths of entries. One entry has several paths when links lead to its folders, but a share
 * belongs to the entry: it ends or moves with the entry, whichever path was used.
 */
export type RealPathResolver = {
  /** Returns the path of an entry with all links before its last name resolved, or the given path when that fails. */
  readonly of: (path: Path) => Promise<Path>
  /** Returns the path of an entry with all links resolved, also in its last name. Throws when that fails. */
  readonly ofTarget: Volume['realPath']
  /**
   * Translates a path in a user's scope to the entry's real path on the volume. Returns null when {@link pathOnVolume}
   * does.
   */
  readonly ofScoped: (user: Pick<User, 'scope'>, path: Path) => Promise<Path | null>
  /**
   * Translates a real path on the volume to a path in a user's scope, which itself may be behind a link. Returns null
   * for a path outside the scope.
   */
  readonly inScope: (user: Pick<User, 'scope'>, path: Path) => Promise<Path | null>
  /** Clears the cache. It is called after an entry was moved or removed, because links may lead elsewhere then. */
  readonly clearCache: () => void
}

export type RealPathsDependencies = {
  readonly volume: Pick<Volume, 'realPath'>
  readonly nowMs: () => number
}

/**
 * Maximum age of a cached path in milliseconds. Other programs may change links too, but are unlikely to do so between
 * two files of one upload.
 */
const maxAgeMs = 1000
const maxCachedFolders = 1000

export function createRealPaths({ volume, nowMs }: RealPathsDependencies): RealPathResolver {
  const cache = createBoundedMap<Path, { readonly found: Promise<Path>; readonly atMs: number }>(
    maxCachedFolders,
  )

  function realFolder(folder: Path): Promise<Path> {
    if (folder === root) return Promise.resolve(root)
    const known = cache.get(folder)
    if (known !== undefined && nowMs() - known.atMs < maxAgeMs) return known.found
    const found = volume.realPath(folder).catch(() => {
      cache.delete(folder)
      return folder
    })
    cache.set(folder, { found, atMs: nowMs() })
    return found
  }

  async function of(path: Path): Promise<Path> {
    if (path === root) return root
    const folder = await realFolder(parentOf(path))
    return joinPaths(folder, pathOfNames([nameOf(path)])) ?? path
  }

  return {
    of,
    ofTarget: (path, options) => volume.realPath(path, options),
    async ofScoped(user, path) {
      const at = pathOnVolume(user, path)
      if (at === null) return null
      // When a whole scope is shared, its last name may be a link too.
      return path === root ? realFolder(at) : of(at)
    },
    async inScope(user, path) {
      const seen = pathInScope(user, path)
      const scope = pathOnVolume(user, root)
      if (seen !== null || scope === null) return seen
      return pathInScope({ scope: await realFolder(scope) }, path)
    },
    clearCache: () => cache.clear(),
  }
}

/** The number of places that are looked up at the same time, so that many shares do not occupy all storage threads. */
const concurrentCorrections = 4

export type SharedPlacesDependencies = {
  readonly shares: Pick<ShareStore, 'sharedPlaces' | 'correctPlace'>
  readonly realPaths: Pick<RealPathResolver, 'of'>
  readonly disks: MountedDisks
}

/**
 * Updates the stored places of the shares in a folder to the real paths of their entries and the disks on which these are:
 * older versions stored the requested path and no disk, and a folder in a share's path may have been replaced by a link since.
 * A share whose disk is missing keeps its place.
 */
export async function correctSharedPlaces(
  { shares, realPaths, disks }: SharedPlacesDependencies,
  folder: Path = root,
): Promise<void> {
  const correct = async (place: SharedPlace): Promise<void> => {
    const path = parsePath(place.path)?.path
    if (path === undefined) return
    if (place.disk !== null && (await disks.isDiskMissing(path, place.disk))) return
    const real = await realPaths.of(path)
    const disk = await disks.diskOf(real)
    if (real !== path || !isSameDisk(disk, place.disk)) await shares.correctPlace(place, { path: real, disk })
  }
  const places = placesWithin(shares, folder)
  const correctRest = async (): Promise<void> => {
    for (let place = await places.next(); place.done !== true; place = await places.next()) {
      await correct(place.value)
      // Nothing of a place may need the disk, and other requests must get their turn among ten thousand places.
      await nextTurn()
    }
  }
  await Promise.all(Array.from({ length: concurrentCorrections }, correctRest))
}
