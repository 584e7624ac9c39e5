import { isDeepStrictEqual } from 'node:util'
import type { TakeoverRepetition } from '../../shared/contract/server.ts'
import type { ServerRecords } from '../records/port.ts'
import type { TakeoverRecord } from '../records/settings.ts'
import type { ShareRecord } from '../records/share-store.ts'
import { isDiskDoubtful } from '../takeover/plan/presence.ts'
import type { TakeoverPlan } from '../takeover/plan/plan-takeover.ts'
import { isAsTakenOver } from './next-steps.ts'

type Repetition = {
  /** The record of the first takeover. */
  readonly record: TakeoverRecord
  /** A plan for the same database, with the files as they are now. */
  readonly plan: TakeoverPlan
}

type RepeatingRecords = Pick<ServerRecords, 'users' | 'settings' | 'shares'>

/**
 * Repeats a takeover for what depends on the served folder: it adds the links that were left out, and corrects the folders, rules and
 * locks of users whom nobody has changed since. All else stays, because people have worked with it (decision 181). When most entries
 * are missing, it changes nothing unless this is allowed.
 */
export async function takeOverAgain(
  records: RepeatingRecords,
  { record, plan }: Repetition,
  { allowsMissing }: { readonly allowsMissing: boolean },
): Promise<TakeoverRepetition> {
  if (!allowsMissing && isDiskDoubtful(plan.presence)) return { kind: 'disk-missing', ...plan.presence }
  const corrected = await correctUsers(records, { record, plan })
  const links = await linksToAdd(records, { record, plan })
  await records.shares.addAll(links)
  await records.settings.setTakeover({
    ...record,
    correctedUsers: { ...record.correctedUsers, ...corrected },
    report: {
      ...plan.report,
      changed: [...record.report.changed.filter(isAboutState), ...plan.report.changed],
    },
  })
  return { kind: 'done', links: links.length, users: Object.keys(corrected).length }
}

/** Returns true for a note about the place of the state, which a plan does not contain. */
const isAboutState = ({ message }: TakeoverPlan['report']['changed'][number]): boolean =>
  message?.code === 'state-elsewhere' || message?.code === 'state-unwritable'

/** Corrects users who are as the first takeover has left them. Returns the times of the changes by the ids of the users. */
async function correctUsers(
  { users }: Pick<RepeatingRecords, 'users'>,
  { record, plan }: Repetition,
): Promise<Readonly<Record<string, number>>> {
  const stored = new Map((await users.list()).map((user) => [user.id, user]))
  const corrected: Record<string, number> = {}
  for (const { id, username, scope, rules, isDisabled } of plan.users) {
    const user = stored.get(id)
    if (user?.username !== username || !isAsTakenOver(user, record)) continue
    const planned = { scope, rules, isDisabled }
    if (isDeepStrictEqual(planned, { scope: user.scope, rules: user.rules, isDisabled: user.isDisabled }))
      continue
    corrected[String(id)] = (await users.update(id, planned)).changedAtMs ?? 0
  }
  return corrected
}

/** Returns the planned links that the first takeover has left out. Links that people have deleted since then stay deleted. */
async function linksToAdd(
  { users, shares }: Pick<RepeatingRecords, 'users' | 'shares'>,
  { record, plan }: Repetition,
): Promise<readonly ShareRecord[]> {
  const owners = new Set((await users.list()).map(({ id }) => id))
  const leftOut = new Set(
    record.report.left.flatMap(({ message }) =>
      message !== undefined && 'share' in message.values ? [message.values.share] : [],
    ),
  )
  const added: ShareRecord[] = []
  for (const share of plan.shares)
    if (leftOut.has(share.hash) && owners.has(share.userId) && (await shares.find(share.hash)) === null)
      added.push(share)
  return added
}
