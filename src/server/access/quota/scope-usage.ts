import { codeOf } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Volume } from '../../storage/port.ts'
import { createByteCounter, type ByteCounter } from './byte-counter.ts'
import { keepBytes, scanNumber, slackBytes } from './scope-account.ts'
import type { UsageLedger } from './usage-ledger.ts'

export type ScopeUsageDependencies = {
  readonly volume: Pick<Volume, 'measure' | 'stat' | 'received'>
  readonly nowMs: () => number
  readonly ledger: UsageLedger
  /** Called after a scan found that another process has continued or ended the upload of a claim, which this scope no longer counts. */
  readonly onEndedUpload: (claim: SpaceClaim) => void
}

/** A file or a tree that is being stored, in all scopes that contain it. */
export type SpaceClaim = {
  /** The path in the volume. */
  readonly path: Path
  /** The user who stores it; null for a guest. */
  readonly userId: number | null
  /** The size that was announced, or that was measured for a copy. Reserves space only for the same user. */
  sizeBytes: number
  /** The number of bytes that have arrived. They take space from everybody. */
  arrivedBytes: number
  /** The token of an upload in parts, which another process may continue or end; null for other changes. */
  token: string | null
  /** True from the moment at which the file may appear. Its growth is not reduced from then on. */
  isSettled: boolean
  /**
   * True between two parts of an upload. Other servers, which may receive the next part, do not count its bytes then. This
   * server does.
   */
  isIdle: boolean
}

/** The part of a claim that a usage keeps. */
type TrackedClaim = {
  /** The size that the counter contains for the file that the claim replaces. */
  readonly existingBytes: number
  /** The scan number when the claim was settled. */
  readonly settledAtScan: number | null
}

/** Tracks the total size of the files in one scope, and the space of the files that are being stored in it. */
export type ScopeUsage = {
  readonly counter: ByteCounter
  /** Begins to count a claim. `bytes` is the size of the file that it replaces, as far as that is known. */
  track(claim: SpaceClaim, bytes: number): void
  isTracking(claim: SpaceClaim): boolean
  /** Returns the size that the counter contains for the file that a claim replaces. */
  existingBytes(claim: SpaceClaim): number
  /** Returns the bytes by which a claim of this size would enlarge the scope. */
  growthOf(claim: SpaceClaim, sizeBytes: number): number
  /** Returns the bytes by which the grant of this server is too small for a claim with those changes. */
  missingBytes(claim: SpaceClaim, changes: Partial<SpaceClaim>): number
  /** Remembers that the claim is settled now. */
  settle(claim: SpaceClaim): void
  /** Returns the free bytes of a quota, apart from those of the given claims. */
  freeBytes(quotaBytes: number, claim: SpaceClaim, except: SpaceClaim | null): number
  /** Ends a claim without counting any bytes. */
  drop(claim: SpaceClaim): void
  /** Ends a claim and counts its growth, unless a scan has found its file already. */
  keep(claim: SpaceClaim): void
}

/**
 * Creates the usage of a scope. The scope is scanned when the number of bytes is first needed and no server has scanned it,
 * and the number is then kept up to date. Bytes that other programs store are missing from it until the next scan. Removed
 * bytes are included until the next scan, which takes place before an upload is refused.
 */
export function createScopeUsage(dependencies: ScopeUsageDependencies, scope: Path): ScopeUsage {
  const { volume, ledger, nowMs } = dependencies
  const sizes = createClaimSizes()
  const { claims, existingBytes, growthOf, arrivedGrowthOf, setExisting } = sizes
  const account = ledger.accountOf(scope)
  account.arrivingBytes = sizes.arrivedBytes

  const counter = createByteCounter({
    ledger,
    account,
    nowMs,
    async prepareScan() {
      for (const claim of await dropEndedUploads(volume, claims)) dependencies.onEndedUpload(claim)
    },
    async measure(signal) {
      const { bytes, sizes: measured } = await measureScope({ volume, scope, claims, signal })
      for (const [claim, [first, last]] of measured) {
        const tracked = claims.get(claim)
        if (tracked === undefined) continue
        // For a file that is replaced meanwhile, it is unknown which of its sizes was counted. The smaller one is assumed, and the
        // result counts as inexact.
        setExisting(claim, Math.min(first, last, ...(claim.isSettled ? [tracked.existingBytes] : [])))
        if (first !== last || claim.isSettled) counter.noteChange('less')
      }
      return bytes
    },
  })

  return {
    counter,
    track: setExisting,
    isTracking: (claim) => claims.has(claim),
    existingBytes,
    growthOf,
    missingBytes(claim, changes) {
      const growth = arrivedGrowthOf(claim, { ...claim, ...changes }) - arrivedGrowthOf(claim)
      // A scope that was found after the bytes had arrived has no grant for them, although the claim does not grow any more.
      if (growth <= 0 && changes.isSettled !== true) return 0
      return Math.max(0, growth - slackBytes(account))
    },
    settle(claim) {
      const tracked = claims.get(claim)
      if (tracked !== undefined) claims.set(claim, { ...tracked, settledAtScan: scanNumber(account) })
    },
    freeBytes(quotaBytes, claim, except) {
      let bytes = quotaBytes - counter.knownBytes() - counter.bytesOfOthers()
      for (const other of claims.keys())
        if (other !== claim && other !== except) bytes -= growthOf(other, sizeFor(claim, other))
      return bytes
    },
    drop(claim) {
      claims.delete(claim)
      ledger.touch(account)
    },
    keep(claim) {
      const tracked = claims.get(claim)
      if (tracked === undefined) return
      const growth = growthOf(claim, claim.sizeBytes)
      claims.delete(claim)
      keepBytes(account, growth, tracked.settledAtScan)
      ledger.touch(account)
      if (claim.sizeBytes < tracked.existingBytes) counter.noteChange('less')
    },
  }
}

/** Creates the sizes of the claims in a scope. */
function createClaimSizes() {
  const claims = new Map<SpaceClaim, TrackedClaim>()
  const existingBytes = (claim: SpaceClaim): number => claims.get(claim)?.existingBytes ?? 0
  const growthOf = (claim: SpaceClaim, sizeBytes: number): number =>
    Math.max(0, sizeBytes - existingBytes(claim))
  /** Returns the growth by the bytes that have arrived. `as` is the claim as it will be. */
  const arrivedGrowthOf = (claim: SpaceClaim, as: SpaceClaim = claim): number =>
    as.isIdle ? 0 : growthOf(claim, as.isSettled ? as.sizeBytes : as.arrivedBytes)
  return {
    claims,
    existingBytes,
    growthOf,
    arrivedGrowthOf,
    arrivedBytes: (): number => claims.keys().reduce((sum, claim) => sum + arrivedGrowthOf(claim), 0),
    setExisting: (claim: SpaceClaim, bytes: number): void =>
      void claims.set(claim, { settledAtScan: null, ...claims.get(claim), existingBytes: bytes }),
  }
}

/** Measures a scope. Returns its bytes, and the sizes of the files that claims replace before and after that. */
async function measureScope({
  volume,
  scope,
  claims,
  signal,
}: {
  readonly volume: ScopeUsageDependencies['volume']
  readonly scope: Path
  readonly claims: ReadonlyMap<SpaceClaim, TrackedClaim>
  readonly signal: AbortSignal
}): Promise<{ readonly bytes: number; readonly sizes: ReadonlyMap<SpaceClaim, readonly [number, number]> }> {
  const before = new Map<SpaceClaim, number>()
  for (const claim of claims.keys()) before.set(claim, await sizeOfExisting(volume, claim.path))
  const bytes = await orZero(volume.measure(scope, { signal }))
  const sizes = new Map<SpaceClaim, readonly [number, number]>()
  for (const [claim, { existingBytes }] of claims) {
    const first = before.get(claim) ?? existingBytes
    sizes.set(claim, [first, await sizeOfExisting(volume, claim.path)])
  }
  return { bytes, sizes }
}

/**
 * Returns the size that another claim takes from a claim. The announcement of one user takes no space from other users
 * of the same scope, who could otherwise be kept out of it by a sender who never sends the bytes.
 */
const sizeFor = (claim: SpaceClaim, other: SpaceClaim): number =>
  other.userId !== null && other.userId === claim.userId ? other.sizeBytes : other.arrivedBytes

/**
 * Drops the claims of uploads that another process has continued or ended. It is called before a scan, which counts the
 * bytes of completed uploads. Returns the dropped claims.
 */
async function dropEndedUploads(
  volume: Pick<Volume, 'received'>,
  claims: Map<SpaceClaim, TrackedClaim>,
): Promise<readonly SpaceClaim[]> {
  const dropped: SpaceClaim[] = []
  for (const claim of claims.keys()) {
    if (claim.token === null) continue
    const receivedBytes = await volume
      .received({ path: claim.path, token: claim.token })
      .catch((error: unknown) => (codeOf(error) === 'not-found' ? null : claim.arrivedBytes))
    if (receivedBytes !== null && !(claim.isIdle && receivedBytes > claim.arrivedBytes)) continue
    claims.delete(claim)
    dropped.push(claim)
  }
  return dropped
}

/** Returns the size of the file at a path in bytes, or 0 when there is no file. */
export async function sizeOfExisting(volume: Pick<Volume, 'stat'>, path: Path): Promise<number> {
  const entry = await volume.stat(path).catch(() => null)
  const stat = entry?.target ?? entry
  return stat?.kind === 'file' ? stat.sizeBytes : 0
}

/** Returns the measured size, or 0 for a scope that does not exist. */
async function orZero(measurement: Promise<number>): Promise<number> {
  try {
    return await measurement
  } catch (error) {
    if (codeOf(error) === 'not-found' || codeOf(error) === 'not-a-folder') return 0
    throw error
  }
}
