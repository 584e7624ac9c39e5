import { existsSync } from 'node:fs'
import {
  getTakeover,
  repeatTakeover,
  type TakeoverNoteResource,
  type TakeoverResource,
} from '../../shared/contract/server.ts'
import { takeoverNoteTexts } from '../../shared/domain/takeover/takeover-notes.ts'
import type { TakeoverNote } from '../../shared/domain/takeover/takeover-report.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { route, type Route } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'
import type { TakeoverRecord } from '../records/settings.ts'
import type { TakeoverPlan } from '../takeover/plan/plan-takeover.ts'
import { takeOverAgain } from './take-over-again.ts'
import { nextSteps, type InstallationState } from './next-steps.ts'

export type TakeoverRouteDependencies = Pick<InstallationState, 'disableExec' | 'trustedProxies'> & {
  readonly records: Pick<ServerRecords, 'users' | 'settings' | 'shares'>
  /** The path of File Browser's database; null when the server was started without it. */
  readonly originalDatabase?: string | null
  /** Plans the takeover of a database with the files as they are now. */
  readonly planOf: (original: string) => Promise<TakeoverPlan>
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
  route(repeatTakeover, async ({ body }) => {
    const original = presentDatabase(dependencies)
    const record = await dependencies.records.settings.takeover()
    if (original === null || record === null) throw new AppError('not-found')
    const plan = await dependencies.planOf(original)
    const options = { allowsMissing: body.allowMissing === true }
    return jsonResponse(await takeOverAgain(dependencies.records, { record, plan }, options))
  }),
]

/** Returns the path of File Browser's database while it is there; null otherwise. */
const presentDatabase = ({
  originalDatabase = null,
}: Pick<TakeoverRouteDependencies, 'originalDatabase'>): string | null =>
  originalDatabase !== null && existsSync(originalDatabase) ? originalDatabase : null

async function takeoverResource(
  takeover: TakeoverRecord,
  dependencies: TakeoverRouteDependencies,
): Promise<TakeoverResource> {
  const { records, disableExec, trustedProxies } = dependencies
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
    mayRepeat: presentDatabase(dependencies) !== null,
  }
}
