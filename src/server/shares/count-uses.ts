import { AppError } from '../../shared/domain/failure.ts'
import type { ShareStore, StoredShare } from '../records/share-store.ts'
import type { CountedUse, ShareUseStore } from '../records/shares/share-uses.ts'

export type ShareUseDependencies = {
  readonly shares: Pick<ShareStore, 'takeDownload'>
  readonly shareUses: Pick<ShareUseStore, 'count'>
  /** Returns the network to which a client address belongs. */
  readonly networkOf: (address: string) => string
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

/** Counts how guests use shares. */
export type ShareUses = {
  readonly countVisit: (share: StoredShare) => void
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
  onFault,
}: ShareUseDependencies): ShareUses {
  const waiting = new Map<string, CountedUse>()
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
    countVisit: ({ hash }) => add({ hash, visits: 1, downloads: 0 }),
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
