import { joinPaths } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import type { Shares } from '../records/port.ts'

export type FollowNeeds = {
  readonly shares: Pick<Shares, 'follow' | 'endWithin'>
  readonly subscribe: (listener: (change: Change) => Promise<void>) => () => void
  readonly onFault: (error: unknown) => void
}

export type Following = {
  /** Resolves when every change announced so far has reached the shares. */
  readonly settled: () => Promise<void>
  readonly stop: () => void
}

/** Keeps shares with their entries: they go along with a move, of a folder above too, and end with the entry (T27). */
export function followChanges({ shares, subscribe, onFault }: FollowNeeds): Following {
  let latest = Promise.resolve()
  const stop = subscribe((change) => {
    latest = latest.then(() => follow(shares, change)).catch(onFault)
    return latest
  })
  return { settled: () => latest, stop }
}

/** An entry that is new where one was shared before says that the shared one is gone: other programs delete without a word. */
async function follow(shares: FollowNeeds['shares'], change: Change): Promise<void> {
  const at = joinPaths(change.scope, change.path)
  const to = change.to === undefined ? null : joinPaths(change.scope, change.to)
  const isNew = change.isNew === true
  if (change.kind === 'moved') {
    if (at !== null && to !== null) await shares.follow({ from: at, to, isNew })
  } else if (change.kind === 'copied') {
    if (isNew && to !== null) await shares.endWithin(to)
  } else if (change.kind !== 'written') {
    if (at !== null) await shares.endWithin(at)
  }
}
