import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { joinPaths, type Path } from '../../../shared/domain/path.ts'
import type { UploadSession, Volume } from '../../storage/port.ts'
import { createByteCounter, type ByteCounter } from './byte-counter.ts'

export type ScopeUsageDependencies = {
  readonly volume: Pick<Volume, 'measure' | 'stat' | 'received'>
  readonly nowMs: () => number
}

/**
 * Maximum number of scans before space is refused. Without a maximum, concurrent changes that make every scan inexact
 * would cause endless scans.
 */
const maxScans = 3

/**
 * Space reserved for bytes that are being stored. The caller that opens a reservation must end it with `keep` or
 * `release`.
 */
export type SpaceReservation = {
  /**
   * Reserves space for a file of this size, which replaces the size reserved before. Throws `no-space` when a scan that
   * started after this call shows that the file does not fit.
   */
  claim(sizeBytes: number, quotaBytes: number): Promise<void>
  /**
   * Enlarges the reservation by up to `maxBytes` bytes, as far as there is space. Returns the number of bytes added.
   */
  enlarge(maxBytes: number, quotaBytes: number): number
  /** Assigns the reservation to an upload in parts, which another process may continue or end. */
  assignTo(upload: QuotaUpload): void
  /** Ends the reservation and counts `sizeBytes` stored bytes as used, by default the reserved number of bytes. */
  keep(sizeBytes?: number): void
  /** Ends the reservation without counting any bytes, because none were stored. */
  release(): void
}

/**
 * An upload in parts that counts towards a quota. Its path is relative to the scope. It includes the user because two
 * users with the same scope may upload to the same path.
 */
export type QuotaUpload = UploadSession & { readonly userId: number }

export type ReservationOptions = {
  /** The path of the file, relative to the scope. When it replaces a file, only the difference in size counts. */
  readonly path: Path
  /** True when no file exists at the path, so that no bytes are replaced. */
  readonly isNew: boolean
  /**
   * An earlier reservation for the same upload. It is not counted, because it ends as soon as the new reservation
   * begins.
   */
  readonly replaces?: SpaceReservation | undefined
}

/** Tracks the total size of the files in a scope, and the bytes reserved for running uploads. */
export type ScopeUsage = {
  open(options: ReservationOptions): SpaceReservation
  uploadOf(token: string): SpaceReservation | undefined
  uploadTo(to: Pick<QuotaUpload, 'userId' | 'path'>): SpaceReservation | undefined
  usedBytes(): Promise<number>
  /**
   * Notes a change that had no reservation: `more` when the scope may now contain more bytes, `less` when it may
   * contain fewer bytes.
   */
  noteChange(direction: 'more' | 'less'): void
}

type SpaceClaim = {
  readonly reservation: SpaceReservation
  readonly path: Path
  sizeBytes: number
  existingBytes: number
  upload: QuotaUpload | null
}

type ScopeState = {
  readonly claims: Set<SpaceClaim>
  readonly counter: ByteCounter
  readonly existingBytesAt: (path: Path) => Promise<number>
}

const growthOf = ({ sizeBytes, existingBytes }: Pick<SpaceClaim, 'sizeBytes' | 'existingBytes'>): number =>
  Math.max(0, sizeBytes - existingBytes)

/**
 * Creates the usage of a scope. The scope is scanned when the number of bytes is first needed, and the number is then
 * kept up to date. Bytes that other programs store are missing from it until the next scan. Removed bytes are included
 * until the next scan, which takes place before an upload is refused.
 */
export function createScopeUsage(dependencies: ScopeUsageDependencies, scope: Path): ScopeUsage {
  const claims = new Set<SpaceClaim>()
  const existingBytesAt = (path: Path): Promise<number> => sizeOfExisting(dependencies, scope, path)
  const counter: ByteCounter = createByteCounter(async () => {
    await dropEndedUploads(dependencies, scope, claims)
    const before = new Map<SpaceClaim, number>()
    for (const claim of claims) before.set(claim, await existingBytesAt(claim.path))
    const bytes = await orZero(dependencies.volume.measure(scope))
    for (const claim of claims) {
      const [first, last] = [before.get(claim) ?? claim.existingBytes, await existingBytesAt(claim.path)]
      // For a file that changed during the scan, it is unknown which of its sizes the scan has counted. The smaller
      // size is assumed, and the result counts as inexact.
      claim.existingBytes = Math.min(first, last)
      if (first !== last) counter.noteChange('less')
    }
    return bytes
  }, dependencies.nowMs)
  const find = (matches: (upload: QuotaUpload) => boolean): SpaceReservation | undefined =>
    [...claims].find(({ upload }) => upload !== null && matches(upload))?.reservation
  return {
    open: (options) => openReservation({ claims, counter, existingBytesAt }, options),
    uploadOf: (token) => find((upload) => upload.token === token),
    uploadTo: ({ userId, path }) => find((upload) => upload.userId === userId && upload.path === path),
    usedBytes: async () => counter.exactBytes(),
    noteChange: (direction) => counter.noteChange(direction),
  }
}

function openReservation(
  { claims, counter, existingBytesAt }: ScopeState,
  options: ReservationOptions,
): SpaceReservation {
  let isExistingSizeKnown = options.isNew
  const claimedByOthers = (): number =>
    [...claims]
      .filter((it) => it !== claim && it.reservation !== options.replaces)
      .reduce((sum, it) => sum + growthOf(it), 0)
  const freeBytes = (quotaBytes: number): number => quotaBytes - counter.knownBytes() - claimedByOthers()
  const fits = (sizeBytes: number, quotaBytes: number): boolean => {
    const growth = growthOf({ ...claim, sizeBytes })
    return growth === 0 || growth <= freeBytes(quotaBytes)
  }
  const reservation: SpaceReservation = {
    async claim(sizeBytes, quotaBytes) {
      if (!isExistingSizeKnown) claim.existingBytes = await existingBytesAt(options.path)
      isExistingSizeKnown = true
      await counter.refresh()
      for (let scans = 0; !fits(sizeBytes, quotaBytes); scans += 1) {
        if (scans >= maxScans || (scans > 0 && counter.isExact())) throw overQuota()
        await counter.rescan()
      }
      claim.sizeBytes = sizeBytes
    },
    enlarge(maxBytes, quotaBytes) {
      const moreBytes = Math.max(0, Math.min(maxBytes, freeBytes(quotaBytes) - growthOf(claim)))
      claim.sizeBytes += moreBytes
      return moreBytes
    },
    assignTo: (upload) => void (claim.upload = upload),
    keep(sizeBytes = claim.sizeBytes) {
      claims.delete(claim)
      claim.sizeBytes = sizeBytes
      counter.add(growthOf(claim))
      if (claim.sizeBytes < claim.existingBytes) counter.noteChange('less')
    },
    release: () => void claims.delete(claim),
  }
  const claim: SpaceClaim = { reservation, path: options.path, sizeBytes: 0, existingBytes: 0, upload: null }
  claims.add(claim)
  return reservation
}

/**
 * Drops the reservations of uploads that another process has ended. It is called before a scan, which counts the bytes
 * of completed uploads.
 */
async function dropEndedUploads(
  { volume }: ScopeUsageDependencies,
  scope: Path,
  claims: Set<SpaceClaim>,
): Promise<void> {
  for (const claim of claims) {
    const path = claim.upload === null ? null : joinPaths(scope, claim.upload.path)
    if (claim.upload === null || path === null) continue
    const code = await volume.received({ path, token: claim.upload.token }).then(() => null, codeOf)
    if (code === 'not-found') claims.delete(claim)
  }
}

async function sizeOfExisting({ volume }: ScopeUsageDependencies, scope: Path, path: Path): Promise<number> {
  const at = joinPaths(scope, path)
  const entry = at === null ? null : await volume.stat(at).catch(() => null)
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

const overQuota = (): AppError => new AppError('no-space', { reason: 'the quota is used up' })
