import {
  getTakeover,
  type TakeoverNoteResource,
  type TakeoverResource,
} from '../../shared/contract/server.ts'
import { takeoverNoteTexts } from '../../shared/domain/takeover/takeover-notes.ts'
import type { TakeoverNote } from '../../shared/domain/takeover/takeover-report.ts'
import { route, type Route } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'
import type { TakeoverRecord } from '../records/settings.ts'
import { nextSteps, type InstallationState } from './next-steps.ts'

export type TakeoverRouteDependencies = Pick<InstallationState, 'disableExec' | 'trustedProxies'> & {
  readonly records: Pick<ServerRecords, 'users' | 'settings'>
}

/** Returns the routes below `/api/takeover`. */
export const takeoverRoutes = (dependencies: TakeoverRouteDependencies): readonly Route[] => [
  route(getTakeover, async () => {
    const takeover = await dependencies.records.settings.takeover()
    return {
      kind: 'json',
      json: { takeover: takeover === null ? null : await takeoverResource(takeover, dependencies) },
    }
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
