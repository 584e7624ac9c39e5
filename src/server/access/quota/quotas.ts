import { isWithin, joinPaths, root, type Path } from '../../../shared/domain/path.ts'
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
import { createScopeFinder, type ScopeChange, type ScopeFinder } from './scope-finder.ts'
import { createTrackedUsages, type TrackedUsages } from './tracked-usages.ts'
import { createUsageLedger, type UsageLedger, type UsageLedgerDependencies } from './usage-ledger.ts'

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
  usedBytes(signal?: AbortSignal): Promise<number>
  /**
   * Notes that all scopes that contain a path, or are below it, may now have more bytes than reservations have counted, or
   * fewer. The path is relative to the scope.
   */
  noteInexact(path: Path, direction: 'more' | 'less'): void
  /**
   * Runs a move between two paths of the scope, or a removal of one. A scan that runs meanwhile may miss the moved entry. If the
   * server is killed meanwhile, the scope is scanned again.
   */
  moving<T>(paths: readonly Path[], move: () => Promise<T>): Promise<T>
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
  /** Stores what this server has counted, and gives back what it has reserved. */
  close(): Promise<void>
}

export type QuotaDependencies = UsageLedgerDependencies & Pick<ScopeUsageDependencies, 'volume'>

export function createQuotas(dependencies: QuotaDependencies): ScopeUsageTracker {
  const { volume, nowMs } = dependencies
  const ledger = createUsageLedger(dependencies)
  const usages = createTrackedUsages()
  const spaces = new Map<Path, ScopeSpace>()
  const reservations = createReservations()

  /** Forgets an upload that another process has ended once no usage counts it any more. */
  function onEndedUpload(claim: SpaceClaim): void {
    if (!usages.above(claim.path).some((usage) => usage.isTracking(claim))) reservations.remove(claim)
  }

  /** Begins to track a scope. It may be that of a user whom only another server serves. */
  function trackUsage(scope: Path): ScopeUsage {
    const known = usages.get(scope)
    if (known !== undefined) return known
    const usage = createScopeUsage({ volume, nowMs, ledger, onEndedUpload }, scope)
    usages.set(scope, usage)
    for (const claim of reservations.claims()) if (isWithin(claim.path, scope)) usage.track(claim, 0)
    const alone = createTrackedUsages()
    alone.set(scope, usage)
    for (const change of elsewhere.waiting()) recordChange(alone, change)
    return usage
  }

  async function readAbove(path: Path): Promise<void> {
    for (const scope of await ledger.readAbove(path)) trackUsage(scope)
  }

  const elsewhere = createScopeFinder(ledger, (scopes, changes) => {
    // A scope learns of the changes that wait when it is tracked.
    for (const scope of scopes) if (changes.some((change) => concerns(change, scope))) trackUsage(scope)
  })

  function createSpace(scope: Path): ScopeSpace {
    const usage = trackUsage(scope)
    return spaceOf({ volume, ledger, elsewhere, readAbove, usages, reservations, usage }, scope)
  }

  return {
    usageOf(scope) {
      const space = spaces.get(scope) ?? createSpace(scope)
      spaces.set(scope, space)
      return space
    },
    recordChange(change) {
      recordChange(usages, change)
      // The bytes of a folder count in the scopes below it, too, which nobody may have used at this server.
      const mayBeFolder = change.kind === 'moved' || change.kind === 'copied' || change.kind === 'removed'
      if (change.isCounted !== true || mayBeFolder) elsewhere.note(change)
    },
    releaseUploads(tokens) {
      for (const token of tokens) reservations.uploadOf(token)?.release()
    },
    async close() {
      await elsewhere.close()
      await ledger.close()
    },
  }
}

type OpeningContext = {
  readonly volume: ScopeUsageDependencies['volume']
  readonly ledger: UsageLedger
  readonly elsewhere: ScopeFinder
  readonly readAbove: (path: Path) => Promise<void>
  readonly usages: TrackedUsages
  readonly reservations: Reservations
  /** The usage of the scope whose quota limits the reservation. */
  readonly usage: ScopeUsage
}

function spaceOf(context: OpeningContext, scope: Path): ScopeSpace {
  const { elsewhere, readAbove, usages, reservations, usage } = context
  const pathOf = (path: Path): Path => joinPaths(scope, path) ?? scope
  return {
    open: ({ path, ...options }) => open(context, { ...options, path: pathOf(path) }),
    uploadOf: (token) => reservations.uploadOf(token),
    usedBytes: (signal) => usage.counter.exactBytes(signal),
    noteInexact(path, direction) {
      const change = {
        kind: direction === 'more' ? 'copied' : 'removed',
        scope: root,
        path: pathOf(path),
      } as const
      recordChange(usages, change)
      elsewhere.note(change)
    },
    async moving(paths, move) {
      // A move is made also while the records cannot be read.
      for (const path of paths) await readAbove(pathOf(path)).catch(() => {})
      const concerned = new Set(paths.flatMap((path) => usages.above(pathOf(path))))
      const ends = await Promise.all([...concerned].map(({ counter }) => counter.beginMove()))
      try {
        return await move()
      } finally {
        for (const { counter } of concerned) counter.noteChange('less')
        for (const end of ends) end()
      }
    },
  }
}

/** Opens a reservation at a path in the volume. */
function open(
  { volume, ledger, readAbove, usages, reservations, usage }: OpeningContext,
  { path, userId, isNew, isUpload = false }: ReservationOptions,
): SpaceReservation {
  const claim: SpaceClaim = {
    path,
    userId,
    sizeBytes: 0,
    arrivedBytes: 0,
    token: null,
    isSettled: false,
    isIdle: false,
  }
  const reservation = createReservation({
    ledger,
    readUsages: () => readAbove(path),
    claim,
    usage,
    usages: () => usages.above(path),
    replaces: (isUpload && reservations.uploadTo(path, userId)) || null,
    existingBytesAt: (at) => sizeOfExisting(volume, at),
    isNew,
    onAssign: (token) => reservations.assign(claim, token),
    onEnd: () => reservations.remove(claim),
  })
  for (const one of usages.above(path)) one.track(claim, 0)
  reservations.add(claim, reservation)
  return reservation
}

/** True when a change may concern a scope: one of its paths is in the scope, or contains it. */
const concerns = ({ scope: base, path, to }: ScopeChange, scope: Path): boolean =>
  [path, ...(to === undefined ? [] : [to])].some((relative) => {
    const at = joinPaths(base, relative)
    return at !== null && (isWithin(at, scope) || isWithin(scope, at))
  })

function recordChange(
  usages: TrackedUsages,
  { kind, scope, path, to, isCounted = false }: ScopeChange,
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
