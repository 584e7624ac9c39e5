import {
  clearOldRequests,
  getTakeover,
  type OldRequestResource,
  type TakeoverNoteResource,
  type TakeoverResource,
} from '../../shared/contract/server.ts'
import { isAnonymousReason } from '../../shared/domain/old-requests.ts'
import { takeoverNoteTexts } from '../../shared/domain/takeover/takeover-notes.ts'
import type { TakeoverNote } from '../../shared/domain/takeover/takeover-report.ts'
import { done, route, type Route } from '../http/route.ts'
import type { OldRequestRow, ServerRecords, TakeoverRecord } from '../records/port.ts'
import { nextSteps, type InstallationState } from './next-steps.ts'
import type { RequestCounter } from './request-counter.ts'

export type TakeoverRouteDependencies = Pick<InstallationState, 'disableExec' | 'trustedProxies'> & {
  readonly records: Pick<ServerRecords, 'users' | 'settings' | 'oldRequests'>
  readonly counter: Pick<RequestCounter, 'flush' | 'clear'>
}

/** Returns the routes below `/api/takeover`. */
export const takeoverRoutes = (dependencies: TakeoverRouteDependencies): readonly Route[] => [
  route(getTakeover, async () => {
    const { records, counter } = dependencies
    await counter.flush()
    const [takeover, requests] = await Promise.all([records.settings.takeover(), records.oldRequests.list()])
    return {
      kind: 'json',
      json: {
        takeover: takeover === null ? null : await takeoverResource(takeover, dependencies),
        requests: (takeover === null ? unlessAllAnonymous(requests) : requests).map(oldRequestResource),
      },
    }
  }),
  route(clearOldRequests, async () => {
    await dependencies.counter.clear()
    return done
  }),
]

async function takeoverResource(
  takeover: TakeoverRecord,
  { records, disableExec, trustedProxies }: TakeoverRouteDependencies,
): Promise<TakeoverResource> {
  const [users, settings] = await Promise.all([records.users.list(), records.settings.get()])
  const ids = new Set(users.map(({ id }) => id))
  const noteResource = ({ text, message, subject, user }: TakeoverNote): TakeoverNoteResource => ({
    text,
    // A later version may have stored a message that this version does not know.
    message: message !== undefined && Object.hasOwn(takeoverNoteTexts, message.code) ? message : null,
    subject: subject ?? null,
    user: user?.name ?? '',
    userId: user !== undefined && ids.has(user.id) ? user.id : null,
  })
  const { kept, changed, left } = takeover.report
  return {
    time: new Date(takeover.atMs).toISOString(),
    from: takeover.from,
    kept: kept.map(noteResource),
    changed: changed.map(noteResource),
    left: left.map(noteResource),
    steps: nextSteps(takeover, { users, settings, disableExec, trustedProxies }),
  }
}

/**
 * Returns no rows when none of them needs a valid token. Anybody can send the other requests, so that without a takeover
 * they do not show that this server ever replaced File Browser.
 */
const unlessAllAnonymous = (rows: readonly OldRequestRow[]): readonly OldRequestRow[] =>
  rows.every(({ reason }) => isAnonymousReason(reason)) ? [] : rows

const oldRequestResource = ({ firstMs, lastMs, ...row }: OldRequestRow): OldRequestResource => ({
  ...row,
  first: new Date(firstMs).toISOString(),
  last: new Date(lastMs).toISOString(),
})
