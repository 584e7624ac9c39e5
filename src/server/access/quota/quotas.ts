import { isWithin, joinPaths, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import {
  createScopeUsage,
  sizeOfExisting,
  type ScopeUsage,
  type ScopeUsageDependencies,
  type SpaceClaim,
} from './scope-usage.ts'
import { createReservation, type SpaceReservation } from './space-reservation.ts'

export type ReservationOptions = {
  /** The path of the file, relative to the scope. When it replaces a file, only the difference in size counts. */
  readonly path: Path
  /** The user who stores the file; null for a guest. */
  readonly userId: number | null
  /** True when no file exists at the path, so that no bytes are replaced. */
  readonly isNew: boolean
  /** True when the reservation replaces that of an earlier upload in parts of the same user to the same path. */
  readonly isUpload?: boolean
}

/** The space of one scope, for users whose quota limits what is stored there. */
export type ScopeSpace = {
  open(options: ReservationOptions): SpaceReservation
  /** Returns the reservation of an upload in parts. */
  uploadOf(token: string): SpaceReservation | undefined
  usedBytes(): Promise<number>
  /** Notes that the scope may now contain more bytes, which no reservation has counted. */
  noteGrowth(): void
  /** Notes that the scope may contain fewer bytes than its reservations have counted. */
  noteReduction(): void
  /** Runs a move between two paths of the scope. A scan that runs meanwhile may miss the moved entry. */
  moving<T>(paths: readonly [from: Path, to: Path], move: () => Promise<T>): Promise<T>
}

/**
 * Tracks the bytes used in each scope whose user has a quota. What is stored in a scope counts in all tracked scopes that
 * contain it.
 */
export type ScopeUsageTracker = {
  /** Returns the space of a scope. Users with the same scope share its usage. */
  usageOf(scope: Path): ScopeSpace
  /** Updates the usage of every scope that a change concerns, after this server has made the change. */
  recordChange(change: StorageChange): void
}

type TrackedSpace = ScopeSpace & { readonly usage: ScopeUsage }

export function createQuotas(dependencies: ScopeUsageDependencies): ScopeUsageTracker {
  const { volume } = dependencies
  const spaces = new Map<Path, TrackedSpace>()
  const reservations = new Map<SpaceClaim, SpaceReservation>()

  function usagesAbove(path: Path): readonly ScopeUsage[] {
    const usages: ScopeUsage[] = []
    for (let folder = path; ; folder = parentOf(folder)) {
      const space = spaces.get(folder)
      if (space !== undefined) usages.push(space.usage)
      if (folder === root) return usages
    }
  }

  function open(usage: ScopeUsage, path: Path, options: ReservationOptions): SpaceReservation {
    const { userId, isNew, isUpload = false } = options
    const claim: SpaceClaim = { path, userId, sizeBytes: 0, arrivedBytes: 0, token: null, isSettled: false }
    const isEarlier = (one: SpaceClaim): boolean =>
      isUpload && one.token !== null && one.userId === userId && one.path === path
    const reservation = createReservation({
      claim,
      usage,
      usages: () => usagesAbove(path),
      replaces: [...reservations.keys()].find(isEarlier) ?? null,
      existingBytesAt: (at) => sizeOfExisting(volume, at),
      isNew,
      onEnd: () => void reservations.delete(claim),
    })
    for (const one of usagesAbove(path)) one.track(claim, 0)
    reservations.set(claim, reservation)
    return reservation
  }

  function createSpace(scope: Path): TrackedSpace {
    const usage = createScopeUsage(dependencies, scope)
    const pathOf = (path: Path): Path => joinPaths(scope, path) ?? scope
    for (const claim of reservations.keys()) if (isWithin(claim.path, scope)) usage.track(claim, 0)
    return {
      usage,
      open: (options) => open(usage, pathOf(options.path), options),
      uploadOf: (token) => [...reservations].find(([claim]) => claim.token === token)?.[1],
      usedBytes: () => usage.counter.exactBytes(),
      noteGrowth: () => usage.counter.noteChange('more'),
      noteReduction: () => usage.counter.noteChange('less'),
      async moving(paths, move) {
        const usages = new Set(paths.flatMap((path) => usagesAbove(pathOf(path))))
        const ends = [...usages].map(({ counter }) => counter.beginMove())
        try {
          return await move()
        } finally {
          for (const end of ends) end()
        }
      },
    }
  }

  function noteAbove(path: Path, direction: 'more' | 'less'): void {
    for (const { counter } of usagesAbove(path)) counter.noteChange(direction)
  }

  /** Notes a change of the scopes that are in a folder. It is called for whole entries only, since it visits all scopes. */
  function noteBelow(path: Path, direction: 'more' | 'less'): void {
    for (const [scope, { usage }] of spaces)
      if (scope !== path && isWithin(scope, path)) usage.counter.noteChange(direction)
  }

  function recordMove(from: Path, to: Path, isCounted: boolean): void {
    noteAbove(from, 'less')
    noteBelow(from, 'less')
    const above = new Set(usagesAbove(from))
    // Within a scope, a counted move can only reduce the usage, by replacing an entry. A scan may have missed an entry
    // that somebody without a quota has moved.
    for (const usage of usagesAbove(to)) if (!isCounted || !above.has(usage)) usage.counter.noteChange('more')
    noteBelow(to, 'more')
  }

  return {
    usageOf(scope) {
      const space = spaces.get(scope) ?? createSpace(scope)
      spaces.set(scope, space)
      return space
    },
    recordChange({ kind, scope, path, to, isCounted = false }) {
      if (spaces.size === 0) return
      const at = joinPaths(scope, path)
      const destination = to === undefined ? null : joinPaths(scope, to)
      if (at === null) return
      if (kind === 'moved') return destination === null ? undefined : recordMove(at, destination, isCounted)
      const changed = destination ?? at
      const direction = kind === 'removed' ? 'less' : 'more'
      if (kind === 'removed' || !isCounted) noteAbove(changed, direction)
      if (kind === 'removed' || kind === 'copied') noteBelow(changed, direction)
    },
  }
}
