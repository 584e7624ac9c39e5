import type { CommandRefusal } from '../../shared/domain/commands/command-refusals.ts'
import { isListedProgram } from '../access/command-rights.ts'
import type { User } from '../records/user-store.ts'
import type { Storage } from '../storage/port.ts'
import type { CommandLimits } from './command-limits.ts'

/** A user's current rights: the user record, the storage, and whether rules deny access to any path. */
export type UserAccess = {
  readonly user: User
  readonly storage: Storage
  /** True when a rule, global or of this user, denies access to any path. */
  readonly hasDenials: boolean
}

/** The reason why a command does not run: the word that the user's client gets, and the sentence in the log. */
export type CommandRefusalReason = { readonly word: CommandRefusal; readonly why: string }

/** Returns the reason why a user may currently not run this program, or null when the user may run the program. */
export function refusalReasonOf(access: UserAccess | null, program: string): CommandRefusalReason | null {
  if (access === null || access.user.isDisabled)
    return { word: 'not-allowed', why: 'the user does not exist any more, or is disabled' }
  if (!access.user.perm.execute) return { word: 'may-not-execute', why: 'the user may not execute' }
  if (!isListedProgram(access.user, program))
    return { word: 'not-listed', why: "the program is not on the user's list" }
  if (!access.hasDenials) return null
  return { word: 'restricted', why: 'rules deny the user access to files that a command could read' }
}

/**
 * True when this user's commands may write to the scope. The user needs all four permissions to change files, because a
 * program that may create files cannot be prevented from replacing or deleting them.
 */
export const mayWrite = ({ user: { perm } }: UserAccess): boolean =>
  perm.create && perm.modify && perm.delete && perm.rename

export type RunningCommand = {
  readonly userId: number
  readonly program: string
  readonly access: UserAccess
}

export type RightsWatchDependencies = {
  readonly accessOf: (userId: number) => Promise<UserAccess | null>
  readonly limits: CommandLimits
}

/**
 * Checks periodically whether the user may still run this command, and whether the user's scope and right to write are
 * unchanged. The returned signal aborts when one of these conditions is no longer met. The caller must call `end` when
 * the command has ended.
 */
export function untilRightsChange(
  { accessOf, limits }: RightsWatchDependencies,
  { userId, program, access }: RunningCommand,
): { readonly signal: AbortSignal; end(): void } {
  const changed = new AbortController()
  const check = async (): Promise<void> => {
    // If the user's rights cannot be read, the user is treated as a user without rights.
    const current = await accessOf(userId).catch(() => null)
    const isSame =
      refusalReasonOf(current, program) === null &&
      current?.user.scope === access.user.scope &&
      mayWrite(current) === mayWrite(access)
    if (!isSame) changed.abort()
  }
  const timer = setInterval(() => void check(), limits.recheckMs)
  return { signal: changed.signal, end: () => clearInterval(timer) }
}
