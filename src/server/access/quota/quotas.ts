import { isWithin, joinPaths, type Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import {
  createScopeUsage,
  sizeOfExisting,
  type ScopeUsage,
  type ScopeUsageDependencies,
  type SpaceClaim,
} from './scope-usage.ts'
import { createReservations, type Reservations } from './reservations.ts'
import { createReservation, type SpaceReservation } from './space-reservation.ts'
import { createTrackedUsages, type TrackedUsages } from './tracked-usages.ts'

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
  /** Ends the reservations of uploads in parts that were discarded. */
  releaseUploads(tokens: readonly string[]): void
}

export function createQuotas(dependencies: Omit<ScopeUsageDependencies, 'onEndedUpload'>): ScopeUsageTracker {
  const usages = createTrackedUsages()
  const spaces = new Map<Path, ScopeSpace>()
  const reservations = createReservations()

  /** Forgets an upload that another process has ended once no usage counts it any more. */
  function onEndedUpload(claim: SpaceClaim): void {
    if (!usages.above(claim.path).some((usage) => usage.isTracking(claim))) reservations.remove(claim)
  }

  function createSpace(scope: Path): ScopeSpace {
    const usage = createScopeUsage({ ...dependencies, onEndedUpload }, scope)
    usages.set(scope, usage)
    for (const claim of reservations.claims()) if (isWithin(claim.path, scope)) usage.track(claim, 0)
    const pathOf = (path: Path): Path => joinPaths(scope, path) ?? scope
    return {
      open: ({ path, ...options }) =>
        open({ dependencies, usages, reservations, usage }, { ...options, path: pathOf(path) }),
      uploadOf: (token) => reservations.uploadOf(token),
      usedBytes: () => usage.counter.exactBytes(),
      noteGrowth: () => usage.counter.noteChange('more'),
      noteReduction: () => usage.counter.noteChange('less'),
      async moving(paths, move) {
        const concerned = new Set(paths.flatMap((path) => usages.above(pathOf(path))))
        const ends = [...concerned].map(({ counter }) => counter.beginMove())
        try {
          return await move()
        } finally {
          for (const end of ends) end()
        }
      },
    }
  }

  return {
    usageOf(scope) {
      const space = spaces.get(scope) ?? createSpace(scope)
      spaces.set(scope, space)
      return space
    },
    recordChange(change) {
      if (spaces.size > 0) recordChange(usages, change)
    },
    releaseUploads(tokens) {
      for (const token of tokens) reservations.uploadOf(token)?.release()
    },
  }
}

type OpeningContext = {
  readonly dependencies: Pick<ScopeUsageDependencies, 'volume'>
  readonly usages: TrackedUsages
  readonly reservations: Reservations
  /** The usage of the scope whose quota limits the reservation. */
  readonly usage: ScopeUsage
}

/** Opens a reservation at a path in the volume. */
function open(
  { dependencies, usages, reservations, usage }: OpeningContext,
  { path, userId, isNew, isUpload = false }: ReservationOptions,
): SpaceReservation {
  const claim: SpaceClaim = { path, userId, sizeBytes: 0, arrivedBytes: 0, token: null, isSettled: false }
  const reservation = createReservation({
    claim,
    usage,
    usages: () => usages.above(path),
    replaces: (isUpload && reservations.uploadTo(path, userId)) || null,
    existingBytesAt: (at) => sizeOfExisting(dependencies.volume, at),
    isNew,
    onAssign: (token) => reservations.assign(claim, token),
    onEnd: () => reservations.remove(claim),
  })
  for (const one of usages.above(path)) one.track(claim, 0)
  reservations.add(claim, reservation)
  return reservation
}

function recordChange(
  usages: TrackedUsages,
  { kind, scope, path, to, isCounted = false }: StorageChange,
): void {
  const at = joinPaths(scope, path)
  const destination = to === undefined ? null : joinPaths(scope, to)
  if (at === null) return
  if (kind === 'moved') return destination === null ? undefined : usages.noteMove(at, destination, isCounted)
  const changed = destination ?? at
  const direction = kind === 'removed' ? 'less' : 'more'
  if (kind === 'removed' || !isCounted) usages.noteAbove(changed, direction)
  if (kind === 'removed' || kind === 'copied') usages.noteBelow(changed, direction)
}
