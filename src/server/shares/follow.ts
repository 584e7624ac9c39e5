import { joinPaths, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import type { Shares } from '../records/port.ts'
import { correctPlaces, type RealPlaces } from './real-places.ts'

export type FollowNeeds = {
  readonly shares: Pick<Shares, 'follow' | 'endWithin' | 'places' | 'correct'>
  readonly realPlaces: Pick<RealPlaces, 'of' | 'forget'>
  readonly subscribe: (listener: (change: Change) => Promise<void>) => () => void
  readonly onFault: (error: unknown) => void
}

export type Following = {
  /** Resolves when every change announced so far has reached the shares. */
  readonly settled: () => Promise<void>
  readonly stop: () => void
}

/** Keeps shares with their entries: they go along with a move, of a folder above too, and end with the entry (T27). */
export function followChanges({ shares, realPlaces, subscribe, onFault }: FollowNeeds): Following {
  let latest = correctPlaces(shares, realPlaces).catch(onFault)
  const stop = subscribe((change) => {
    // Where it happened is asked at once: the next change may be to the links that lead there.
    const where = whereOf(change, shares, realPlaces)
    // It may fail long before its turn, when that is told.
    where.catch(() => undefined)
    latest = latest.then(async () => follow(shares, change, await where)).catch(onFault)
    return latest
  })
  return { settled: () => latest, stop }
}

/** Where a change happened, as shares know places. */
type Happened = { readonly at: Path | null; readonly to: Path | null }

const nowhere: Happened = { at: null, to: null }

/** Nothing where no share is concerned. */
async function whereOf(
  change: Change,
  shares: Pick<Shares, 'places'>,
  realPlaces: FollowNeeds['realPlaces'],
): Promise<Happened> {
  if (change.kind === 'written') return nowhere
  if (change.kind === 'moved' || change.kind === 'removed') realPlaces.forget()
  if ((await shares.places()).length === 0) return nowhere
  const placeOf = async (path: Path | undefined): Promise<Path | null> => {
    const at = path === undefined ? null : joinPaths(change.scope, path)
    return at === null ? null : realPlaces.of(at)
  }
  return { at: await placeOf(change.path), to: await placeOf(change.to) }
}

/** An entry that is new where one was shared before says that the shared one is gone: other programs delete without a word. */
async function follow(shares: FollowNeeds['shares'], change: Change, { at, to }: Happened): Promise<void> {
  const isNew = change.isNew === true
  if (change.kind === 'moved') {
    if (at !== null && to !== null) await shares.follow({ from: at, to, isNew })
  } else if (change.kind === 'copied') {
    if (isNew && to !== null) await shares.endWithin(to)
  } else if (at !== null) await shares.endWithin(at)
}
