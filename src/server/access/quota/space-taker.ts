import { AppError } from '../../../shared/domain/failure.ts'
import type { GrantRequest } from '../../records/scope-usage-record.ts'
import { slackBytes, type ScopeAccount } from './scope-account.ts'
import type { ScopeUsage, SpaceClaim } from './scope-usage.ts'
import type { UsageLedger } from './usage-ledger.ts'

/**
 * Maximum number of scans before space is refused. Without a maximum, concurrent changes that make every scan inexact
 * would cause endless scans.
 */
const maxScans = 3

/** Maximum number of times that a change asks for a larger grant, because others used the grant before it did. */
const maxRequests = 100

/**
 * Maximum number of bytes (16 MiB) that this server may store without asking for a grant again. Far from the limit, one
 * transaction is then enough for thousands of small files.
 */
const grantBytes = 16 * 1024 * 1024

/** The scopes that contain a claim. */
export type SpaceTakerContext = {
  readonly ledger: UsageLedger
  readonly claim: SpaceClaim
  /** The usage of the scope whose quota limits the claim. */
  readonly usage: ScopeUsage
  /** Returns the usages of all tracked scopes that contain the claim, among them `usage`. */
  readonly usages: () => readonly ScopeUsage[]
  /** An earlier claim of the same upload. It is not counted, because it ends as soon as the new one begins. */
  readonly replaces: SpaceClaim | null
}

/** The quota of a request. The request waits for space until its signal aborts. */
export type SpaceLimit = { readonly quotaBytes: number; readonly signal: AbortSignal | undefined }

type ClaimChanges = Partial<SpaceClaim> & Pick<SpaceClaim, 'sizeBytes'>

/** Changes a claim when there is space for it. */
export type SpaceTaker = {
  /**
   * Changes the claim as soon as it fits and the grants of this server cover it, in the same step. `prepare` is called before
   * each attempt, because the scan between two attempts also changes the size that counts as replaced.
   */
  take(next: ClaimChanges, limit: SpaceLimit, prepare?: () => void): Promise<void>
  /** Enlarges the claim of a copy, as `SpaceReservation` describes it. */
  enlarge(maxBytes: number, limit: SpaceLimit): Promise<number>
  /** Sets the size that counts as replaced. */
  trackAll(existingBytes: number): void
}

export function createSpaceTaker(context: SpaceTakerContext): SpaceTaker {
  const { claim, usage, usages, replaces, ledger } = context
  const accountsNow = (): readonly ScopeAccount[] => usages().map((one) => one.counter.account)

  const fits = (sizeBytes: number, quotaBytes: number): boolean => {
    const growth = usage.growthOf(claim, sizeBytes)
    return growth === 0 || growth <= usage.freeBytes(quotaBytes, claim, replaces)
  }

  async function take(next: ClaimChanges, limit: SpaceLimit, prepare = (): void => {}): Promise<void> {
    const { quotaBytes, signal } = limit
    const progress = { hasReclaimed: false, scans: 0 }
    for (let requests = 0; requests < maxRequests;) {
      prepare()
      if (!fits(next.sizeBytes, quotaBytes)) {
        await makeSpace(context, progress, signal)
        continue
      }
      const missing = missingGrants(context, next, quotaBytes)
      if (missing === null) return applyChanges(context, next)
      requests += 1
      const extraBytes = await ledger.request(accountsNow(), missing)
      if (extraBytes === null && fits(next.sizeBytes, quotaBytes)) await makeSpace(context, progress, signal)
    }
    throw new AppError('overloaded', {
      reason: 'other uploads took the free bytes of the quota again and again',
    })
  }

  return {
    take,
    async enlarge(maxBytes, limits) {
      const { quotaBytes } = limits
      const { sizeBytes } = claim
      await take({ sizeBytes, arrivedBytes: sizeBytes, isSettled: true }, limits)
      const growth = usage.growthOf(claim, sizeBytes)
      const accounts = accountsNow()
      const slack = (): number => Math.max(0, Math.min(...accounts.map(slackBytes)))
      const wanted = (): number =>
        Math.max(0, Math.min(maxBytes, usage.freeBytes(quotaBytes, claim, replaces) - growth))
      if (wanted() > slack()) {
        const limit = { key: usage.counter.account.key, quotaBytes }
        const scopes = accounts.map(({ key }) => ({ key, bytes: 0 }))
        await ledger.request(accounts, { limit, scopes, extraBytes: wanted() - slack(), takesAll: true })
      }
      const maxGrowth = growth + Math.min(wanted(), slack())
      const maxSize = usage.existingBytes(claim) + maxGrowth
      applyChanges(context, { sizeBytes: maxSize, arrivedBytes: maxSize, isSettled: true })
      return maxGrowth
    },
    trackAll(existingBytes) {
      for (const one of usages()) one.track(claim, existingBytes)
    },
  }
}

/** Returns the request for what the grants of this server lack for a change of the claim. Null when they suffice. */
function missingGrants(
  { claim, usage, usages }: SpaceTakerContext,
  changes: ClaimChanges,
  quotaBytes: number,
): GrantRequest | null {
  const scopes = usages().map((one) => ({
    key: one.counter.account.key,
    bytes: one.missingBytes(claim, changes),
  }))
  if (scopes.every(({ bytes }) => bytes === 0)) return null
  const limit = { key: usage.counter.account.key, quotaBytes }
  return { limit, scopes, extraBytes: grantBytes, takesAll: false }
}

/**
 * Makes space for a claim that does not fit. Other servers are asked for what they do not need, and then the scope is scanned.
 * Throws when neither has made space.
 */
async function makeSpace(
  { usage: { counter }, ledger }: SpaceTakerContext,
  progress: { hasReclaimed: boolean; scans: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!progress.hasReclaimed && counter.bytesOfOthers() > 0) {
    progress.hasReclaimed = true
    return ledger.reclaim(counter.account)
  }
  if (progress.scans >= maxScans || (progress.scans > 0 && counter.isExact()))
    throw new AppError('over-quota', { reason: 'not enough space is left in the quota' })
  progress.scans += 1
  return counter.rescan(signal)
}

function applyChanges({ claim, usages, ledger }: SpaceTakerContext, next: ClaimChanges): void {
  Object.assign(claim, next)
  for (const one of usages()) {
    if (claim.isSettled) one.settle(claim)
    ledger.touch(one.counter.account)
  }
}
