import type { TakeoverStepResource } from '../../shared/contract/server.ts'
import { isDeepStrictEqual } from 'node:util'
import { privateRanges } from '../auth/network.ts'
import { isPasswordHash } from '../auth/passwords.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { TakeoverRecord } from '../records/settings.ts'
import type { User } from '../records/user-store.ts'

/** The state of an installation on which the next steps depend. */
export type InstallationState = {
  readonly users: readonly User[]
  readonly settings: Pick<Settings, 'authMethod' | 'commands'>
  readonly disableExec: boolean
  readonly trustedProxies: readonly string[]
}

/** Returns the steps that an administrator still has to take after a takeover. */
export function nextSteps({ report }: TakeoverRecord, state: InstallationState): TakeoverStepResource[] {
  const { users, settings, disableExec, trustedProxies } = state
  const disabledIds = new Set(report.changed.flatMap((note) => (note.isDisabledAccount ? note.user?.id : [])))
  const hookLines = Object.values(settings.commands).flat().length
  const haveUsersCommands = users.some(({ commands }) => commands.length > 0)
  const isAnyProxyTrusted =
    settings.authMethod === 'proxy' && isDeepStrictEqual(trustedProxies, privateRanges)
  return [
    ...users.filter((user) => disabledIds.has(user.id) && isAsTakenOver(user)).map(stepFor('check-account')),
    ...users.filter(({ passwordHash }) => !isPasswordHash(passwordHash)).map(stepFor('set-password')),
    ...(isAnyProxyTrusted ? [serverStep('name-proxy', 0)] : []),
    ...(disableExec && hookLines > 0 ? [serverStep('turn-on-hooks', hookLines)] : []),
    ...(disableExec && haveUsersCommands ? [serverStep('turn-on-commands', 0)] : []),
  ]
}

/**
 * Returns true for an account that is still disabled by the takeover. An administrator who changed it since then has looked
 * at it, and may have disabled it again for another reason.
 */
const isAsTakenOver = ({ isDisabled, changedAtMs }: User): boolean => isDisabled && changedAtMs === null

const stepFor =
  (kind: TakeoverStepResource['kind']) =>
  ({ id, username }: User): TakeoverStepResource => ({ kind, user: username, userId: id, count: 0 })

const serverStep = (kind: TakeoverStepResource['kind'], count: number): TakeoverStepResource => ({
  kind,
  user: '',
  userId: null,
  count,
})
