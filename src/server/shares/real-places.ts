import { joinPaths, nameOf, parentOf, parsePath, root, type Path } from '../../shared/domain/path.ts'
import type { Shares, User } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { inScope, onVolume } from './place.ts'

/**
 * Where entries really are. One entry has many paths where links lead to folders, and a share is of the entry: it ends, and goes
 * along, whichever path that is done by.
 */
export type RealPlaces = {
  /** The path of an entry with no link in what leads to it; as it was given where that cannot be told. */
  readonly of: (path: Path) => Promise<Path>
  /** Where an entry of somebody's scope is on the volume; null as with {@link onVolume}. */
  readonly ofScoped: (user: Pick<User, 'scope'>, path: Path) => Promise<Path | null>
  /** A place on the volume as somebody sees it, whose scope may itself be behind a link; null outside of it. */
  readonly inScope: (user: Pick<User, 'scope'>, place: Path) => Promise<Path | null>
  /** Looks everything up anew: links may lead elsewhere, since something was moved or removed. */
  readonly forget: () => void
}

export type RealPlacesNeeds = {
  readonly volume: Pick<Volume, 'realFolder'>
  readonly nowMs: () => number
}

/** Other programs change links, too, but hardly between two files of one upload. */
const freshMs = 1000
const mostKept = 1000

export function createRealPlaces({ volume, nowMs }: RealPlacesNeeds): RealPlaces {
  const kept = new Map<Path, { readonly found: Promise<Path>; readonly atMs: number }>()

  function realFolder(folder: Path): Promise<Path> {
    if (folder === root) return Promise.resolve(root)
    const known = kept.get(folder)
    if (known !== undefined && nowMs() - known.atMs < freshMs) return known.found
    if (kept.size >= mostKept) kept.clear()
    const found = volume.realFolder(folder).catch(() => {
      kept.delete(folder)
      return folder
    })
    kept.set(folder, { found, atMs: nowMs() })
    return found
  }

  async function of(path: Path): Promise<Path> {
    if (path === root) return root
    const folder = await realFolder(parentOf(path))
    return joinPaths(folder, `/${nameOf(path)}` as Path) ?? path
  }

  return {
    of,
    async ofScoped(user, path) {
      const at = onVolume(user, path)
      if (at === null) return null
      // A whole scope: its last name may be a link, too.
      return path === root ? realFolder(at) : of(at)
    },
    async inScope(user, place) {
      const seen = inScope(user, place)
      const scope = onVolume(user, root)
      if (seen !== null || scope === null) return seen
      return inScope({ scope: await realFolder(scope) }, place)
    },
    forget: () => kept.clear(),
  }
}

/** Has every share say where its entry really is: those of before shares said so, and of before a link was put in its way. */
export async function correctPlaces(
  shares: Pick<Shares, 'places' | 'correct'>,
  realPlaces: Pick<RealPlaces, 'of'>,
): Promise<void> {
  const correct = async (encoded: string): Promise<void> => {
    const path = parsePath(encoded)?.path
    if (path === undefined) return
    const real = await realPlaces.of(path)
    if (real !== path) await shares.correct(path, real)
  }
  await Promise.all((await shares.places()).map(correct))
}
