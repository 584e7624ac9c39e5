import { AppError, codeOf } from '../../../shared/domain/failure.ts'
import { joinPaths, type Path } from '../../../shared/domain/path.ts'
import type { UploadSession, Volume } from '../../storage/port.ts'
import { createCounting, type Counting } from './counting.ts'

export type CountNeeds = {
  readonly volume: Pick<Volume, 'measure' | 'stat' | 'received'>
  readonly nowMs: () => number
}

/** Before a refusal it is counted so often while others change what is counted. */
const mostCounts = 3

/** Room for bytes on their way. Whoever opened one ends it, by `keep` or `release`. */
export type Reservation = {
  /**
   * Claims room for a file of this size, in place of what was claimed before. `no-space` where it does not fit, by a count that began
   * later than this call.
   */
  claim(sizeBytes: number, quotaBytes: number): Promise<void>
  /** As much more as there is room for, up to this; gives how much that is. */
  stretch(mostBytes: number, quotaBytes: number): number
  /** It is for an upload in parts, which may go on, or end, by another process. */
  isFor(upload: CountedUpload): void
  /** The bytes are there, as many as were claimed where their number is not said. */
  keep(sizeBytes?: number): void
  /** Nothing came of it. */
  release(): void
}

/** Its path is that of the scope. Two people of one scope may upload to one path. */
export type CountedUpload = UploadSession & { readonly userId: number }

export type ReservationWish = {
  /** Where the bytes are put, in the scope. Of what they replace only the difference counts. */
  readonly path: Path
  /** Nothing has this name. */
  readonly isNew: boolean
  /** Ends as soon as this one has begun. */
  readonly insteadOf?: Reservation | undefined
}

/** What the files within a scope hold together, and what is on its way there. */
export type ScopeCount = {
  open(wish: ReservationWish): Reservation
  uploadOf(token: string): Reservation | undefined
  uploadTo(to: Pick<CountedUpload, 'userId' | 'path'>): Reservation | undefined
  usedBytes(): Promise<number>
  /** Something was changed without a reservation: `more` where there may be more now. */
  hear(news: 'more' | 'less'): void
}

type Claim = {
  readonly reservation: Reservation
  readonly path: Path
  sizeBytes: number
  standingBytes: number
  upload: CountedUpload | null
}

type Parts = { readonly claims: Set<Claim>; readonly counting: Counting } & Standing
type Standing = { readonly standing: (path: Path) => Promise<number> }

const growthOf = ({ sizeBytes, standingBytes }: Pick<Claim, 'sizeBytes' | 'standingBytes'>): number =>
  Math.max(0, sizeBytes - standingBytes)

/**
 * Counts the bytes of a scope when they are first needed, and moves the count along. Between two counts it never says less than is
 * there, but for what comes by other ways than this server: what goes stays in it until somebody would be refused for it.
 */
export function createScopeCount(needs: CountNeeds, scope: Path): ScopeCount {
  const claims = new Set<Claim>()
  const standing = (path: Path): Promise<number> => standingBytes(needs, scope, path)
  const counting: Counting = createCounting(async () => {
    await dropEnded(needs, scope, claims)
    const before = new Map<Claim, number>()
    for (const claim of claims) before.set(claim, await standing(claim.path))
    const bytes = await orNothing(needs.volume.measure(scope))
    for (const claim of claims) {
      const [first, last] = [before.get(claim) ?? claim.standingBytes, await standing(claim.path)]
      // What came or went while it ran may be in it or not: it is credited to nobody, and the count is no exact one.
      claim.standingBytes = Math.min(first, last)
      if (first !== last) counting.hear('less')
    }
    return bytes
  }, needs.nowMs)
  const find = (isIt: (upload: CountedUpload) => boolean): Reservation | undefined =>
    [...claims].find(({ upload }) => upload !== null && isIt(upload))?.reservation
  return {
    open: (wish) => openReservation({ claims, counting, standing }, wish),
    uploadOf: (token) => find((upload) => upload.token === token),
    uploadTo: ({ userId, path }) => find((upload) => upload.userId === userId && upload.path === path),
    usedBytes: async () => counting.exactBytes(),
    hear: (news) => counting.hear(news),
  }
}

function openReservation({ claims, counting, standing }: Parts, wish: ReservationWish): Reservation {
  let isLooked = wish.isNew
  const claimedByOthers = (): number =>
    [...claims]
      .filter((it) => it !== claim && it.reservation !== wish.insteadOf)
      .reduce((sum, it) => sum + growthOf(it), 0)
  const freeBytes = (quotaBytes: number): number => quotaBytes - counting.heldBytes() - claimedByOthers()
  const fits = (sizeBytes: number, quotaBytes: number): boolean => {
    const growth = growthOf({ ...claim, sizeBytes })
    return growth === 0 || growth <= freeBytes(quotaBytes)
  }
  const reservation: Reservation = {
    async claim(sizeBytes, quotaBytes) {
      if (!isLooked) claim.standingBytes = await standing(wish.path)
      isLooked = true
      await counting.upToDate()
      for (let counts = 0; !fits(sizeBytes, quotaBytes); counts += 1) {
        if (counts >= mostCounts || (counts > 0 && counting.isExact())) throw overQuota()
        await counting.anew()
      }
      claim.sizeBytes = sizeBytes
    },
    stretch(mostBytes, quotaBytes) {
      const moreBytes = Math.max(0, Math.min(mostBytes, freeBytes(quotaBytes) - growthOf(claim)))
      claim.sizeBytes += moreBytes
      return moreBytes
    },
    isFor: (upload) => void (claim.upload = upload),
    keep(sizeBytes = claim.sizeBytes) {
      claims.delete(claim)
      claim.sizeBytes = sizeBytes
      counting.add(growthOf(claim))
      if (claim.sizeBytes < claim.standingBytes) counting.hear('less')
    },
    release: () => void claims.delete(claim),
  }
  const claim: Claim = { reservation, path: wish.path, sizeBytes: 0, standingBytes: 0, upload: null }
  claims.add(claim)
  return reservation
}

/** Forgets uploads that ended elsewhere. Earlier than the count: those that were put in place are in it. */
async function dropEnded({ volume }: CountNeeds, scope: Path, claims: Set<Claim>): Promise<void> {
  for (const claim of claims) {
    const path = claim.upload === null ? null : joinPaths(scope, claim.upload.path)
    if (claim.upload === null || path === null) continue
    const code = await volume.received({ path, token: claim.upload.token }).then(() => null, codeOf)
    if (code === 'not-found') claims.delete(claim)
  }
}

async function standingBytes({ volume }: CountNeeds, scope: Path, path: Path): Promise<number> {
  const at = joinPaths(scope, path)
  const entry = at === null ? null : await volume.stat(at).catch(() => null)
  const facts = entry?.target ?? entry
  return facts?.kind === 'file' ? facts.sizeBytes : 0
}

/** A scope that is not there holds nothing. */
async function orNothing(measuring: Promise<number>): Promise<number> {
  try {
    return await measuring
  } catch (error) {
    if (codeOf(error) === 'not-found' || codeOf(error) === 'not-a-folder') return 0
    throw error
  }
}

const overQuota = (): AppError => new AppError('no-space', { reason: 'the quota is used up' })
