import { AppError } from '../../shared/domain/failure.ts'
import { createBoundedMap } from '../concurrency/bounded-map.ts'
import type { ShareStore, StoredShare } from '../records/share-store.ts'
import type { CountedUse, ShareUseStore } from '../records/shares/share-uses.ts'

export type ShareUseDependencies = {
  readonly shares: Pick<ShareStore, 'takeDownload'>
  readonly shareUses: Pick<ShareUseStore, 'count'>
  /** Returns the network to which a client address belongs. */
  readonly networkOf: (address: string) => string
  readonly nowMs: () => number
  readonly onFault: (error: unknown) => void
}

/** A response with bytes of a share. */
export type GuestDownload = {
  readonly address: string
  /** The tag of the file. Archives have none, because they are made anew for each request. */
  readonly tag: string
  /** True when the response contains the first byte. */
  readonly isFromStart: boolean
}

/** A description of an entry of a share that a guest has requested. */
type GuestView = {
  readonly address: string
  /** True for the shared entry itself, with which a visit begins. */
  readonly isSharedEntry: boolean
}

/**
 * The time after which a guest who comes back makes another visit. Web statistics commonly end a session after 30 minutes without a
 * request.
 */
const visitEndsAfterMs = 30 * 60 * 1000

/** The number of guests whose last request is remembered. An entry has about 150 bytes, so they are about 1.5 MB. */
const maxVisitors = 10_000

/** Counts how guests use shares. */
export type ShareUses = {
  /** Counts a visit when a network sees the shared entry for the first time, or has seen nothing of the share for 30 minutes. */
  readonly countVisit: (share: StoredShare, view: GuestView) => void
  /**
   * Counts a download when its first byte is about to be sent. Throws `forbidden` when the share allows no more downloads. Only a
   * share with a limit waits for its count.
   */
  readonly countDownload: (share: StoredShare, download: GuestDownload) => Promise<void>
  /** Resolves when everything is stored that was counted so far. */
  readonly settled: () => Promise<void>
}

/** Returns true when the share allows no more downloads. */
export const isUsedUp = ({ maxDownloads, downloads }: StoredShare): boolean =>
  maxDownloads !== null && downloads >= maxDownloads

/** Throws `forbidden` when a share allows no more downloads. */
export function requireDownloadsLeft(share: StoredShare): void {
  if (isUsedUp(share)) throw noDownloadsLeft()
}

const noDownloadsLeft = (): AppError =>
  new AppError('forbidden', { reason: 'the link allows no more downloads', refused: 'downloads' })

/** Creates the counter of visits and downloads. Counts that arrive while others are being stored are stored together. */
export function createShareUseCounter({
  shares,
  shareUses,
  networkOf,
  nowMs,
  onFault,
}: ShareUseDependencies): ShareUses {
  const waiting = new Map<string, CountedUse>()
  /** The times of the last requests of visitors, by the hash of the share and the network. */
  const lastViews = createBoundedMap<string, number>(maxVisitors)
  let storing: Promise<void> | null = null

  async function store(): Promise<void> {
    while (waiting.size > 0) {
      const uses = [...waiting.values()]
      waiting.clear()
      await shareUses.count(uses).catch(onFault)
    }
    storing = null
  }
  const add = (use: CountedUse): void => {
    const { visits = 0, downloads = 0 } = waiting.get(use.hash) ?? {}
    waiting.set(use.hash, {
      hash: use.hash,
      visits: visits + use.visits,
      downloads: downloads + use.downloads,
    })
    storing ??= store()
  }
  return {
    countVisit({ hash }, { address, isSharedEntry }) {
      const visitor = `${hash} ${networkOf(address)}`
      const isSameVisit = nowMs() - (lastViews.get(visitor) ?? Number.NEGATIVE_INFINITY) < visitEndsAfterMs
      if (!isSameVisit && !isSharedEntry) return
      lastViews.set(visitor, nowMs())
      if (!isSameVisit) add({ hash, visits: 1, downloads: 0 })
    },
    async countDownload({ hash, maxDownloads }, { address, tag, isFromStart }) {
      if (maxDownloads === null) {
        if (isFromStart) add({ hash, visits: 0, downloads: 1 })
        return
      }
      const client = `${networkOf(address)} ${tag}`
      if (!(await shares.takeDownload(hash, { client, isFromStart }))) throw noDownloadsLeft()
    },
    settled: async () => storing ?? undefined,
  }
}
