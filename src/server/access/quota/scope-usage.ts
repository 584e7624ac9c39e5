import { codeOf } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Volume } from '../../storage/port.ts'
import { createByteCounter, type ByteCounter } from './byte-counter.ts'

export type ScopeUsageDependencies = {
  readonly volume: Pick<Volume, 'measure' | 'stat' | 'received'>
  readonly nowMs: () => number
  /** Called after a scan found that another process has ended the upload of a claim, which this scope no longer counts. */
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
  /** Returns the free bytes of a quota, apart from those of the given claims. */
  freeBytes(quotaBytes: number, claim: SpaceClaim, except: SpaceClaim | null): number
  /** Ends a claim without counting any bytes. */
  drop(claim: SpaceClaim): void
  /** Ends a claim and counts its growth, unless a scan has found its file already. */
  keep(claim: SpaceClaim): void
}

/**
 * Creates the usage of a scope. The scope is scanned when the number of bytes is first needed, and the number is then
 * kept up to date. Bytes that other programs store are missing from it until the next scan. Removed bytes are included
 * until the next scan, which takes place before an upload is refused.
 */
export function createScopeUsage(dependencies: ScopeUsageDependencies, scope: Path): ScopeUsage {
  const { volume } = dependencies
  /** The running claims, each with the size that the counter contains for the file that the claim replaces. */
  const existing = new Map<SpaceClaim, number>()
  const counter = createByteCounter(async () => {
    for (const claim of await dropEndedUploads(volume, existing)) dependencies.onEndedUpload(claim)
    const before = new Map<SpaceClaim, number>()
    for (const claim of existing.keys()) before.set(claim, await sizeOfExisting(volume, claim.path))
    const bytes = await orZero(volume.measure(scope))
    for (const [claim, known] of existing) {
      const [first, last] = [before.get(claim) ?? known, await sizeOfExisting(volume, claim.path)]
      if (!existing.has(claim)) continue
      // For a file that changed during the scan, it is unknown which of its sizes the scan has counted. The smaller
      // size is assumed, and the result counts as inexact.
      existing.set(claim, claim.isSettled ? Math.min(known, first, last) : Math.min(first, last))
      if (first !== last || claim.isSettled) counter.noteChange('less')
    }
    return bytes
  }, dependencies.nowMs)
  const existingBytes = (claim: SpaceClaim): number => existing.get(claim) ?? 0
  const growthOf = (claim: SpaceClaim, sizeBytes: number): number =>
    Math.max(0, sizeBytes - existingBytes(claim))
  return {
    counter,
    track: (claim, bytes) => void existing.set(claim, bytes),
    isTracking: (claim) => existing.has(claim),
    existingBytes,
    growthOf,
    freeBytes(quotaBytes, claim, except) {
      let bytes = quotaBytes - counter.knownBytes()
      for (const other of existing.keys())
        if (other !== claim && other !== except) bytes -= growthOf(other, sizeFor(claim, other))
      return bytes
    },
    drop: (claim) => void existing.delete(claim),
    keep(claim) {
      if (!existing.has(claim)) return
      counter.add(growthOf(claim, claim.sizeBytes))
      if (claim.sizeBytes < existingBytes(claim)) counter.noteChange('less')
      existing.delete(claim)
    },
  }
}

/**
 * Returns the size that another claim takes from a claim. The announcement of one user takes no space from other users
 * of the same scope, who could otherwise be kept out of it by a sender who never sends the bytes.
 */
const sizeFor = (claim: SpaceClaim, other: SpaceClaim): number =>
  other.userId !== null && other.userId === claim.userId ? other.sizeBytes : other.arrivedBytes

/**
 * Drops the claims of uploads that another process has ended. It is called before a scan, which counts the bytes of
 * completed uploads. Returns the dropped claims.
 */
async function dropEndedUploads(
  volume: Pick<Volume, 'received'>,
  existing: Map<SpaceClaim, number>,
): Promise<readonly SpaceClaim[]> {
  const dropped: SpaceClaim[] = []
  for (const claim of existing.keys()) {
    if (claim.token === null) continue
    const code = await volume.received({ path: claim.path, token: claim.token }).then(() => null, codeOf)
    if (code !== 'not-found') continue
    existing.delete(claim)
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
