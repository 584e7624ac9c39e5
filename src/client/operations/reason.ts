import type { Permission } from '../../shared/domain/access.ts'
import type { ErrorCode, RefusedValue } from '../../shared/domain/failure.ts'
import { CallError, statusOf } from '../api/call.ts'
import { codeOfStatus } from '../api/error-code.ts'
import { sentences } from '../i18n/joined-texts.ts'
import { t } from '../i18n/translate.ts'
import { updatedStatus } from '../state/parts/part-load-error.ts'
import { may } from '../state/session.ts'

/** Returns the reason of a failure as a message for the user. */
export function reasonOf(thrown: unknown): string {
  const { permission = null, refusal = null } = thrown instanceof CallError ? thrown : {}
  return reasonOfFailure({ fault: faultOf(thrown), permission, refusal })
}

/** Why something failed: the code of the server, or that it cannot be reached or no longer has the code of a part of this page. */
type Fault = ErrorCode | 'offline' | 'updated'

type Failure = {
  readonly fault: Fault
  /** The permission that the user lacks, if the server has named one. */
  readonly permission: Permission | null
  /** The reason with which a program of the administrator has refused a change. */
  readonly refusal: string | null
}

/** Returns the reason of a failure, and where space is missing, what this user can do about it. */
export function reasonOfFailure({ fault, permission, refusal }: Failure): string {
  if (permission !== null) return t(`reason.needs.${permission}`)
  if (refusal !== null) return t('reason.refusedWith', { reason: refusal })
  if (fault !== 'no-space' && fault !== 'over-quota') return reasonOfFault(fault)
  return sentences(reasonOfFault(fault), t(`reason.space.${spaceAdviceOf(fault)}`))
}

/** Returns the advice about missing space. It names only what this user may do. */
function spaceAdviceOf(fault: 'no-space' | 'over-quota') {
  if (may('admin')) return fault === 'over-quota' ? 'raise' : 'disk'
  return may('delete') ? 'delete' : 'ask'
}

/** Returns the whole sentence for a search below a folder that has failed. */
export const reasonOfSearch = (thrown: unknown): string =>
  faultOf(thrown) === 'internal'
    ? t('search.failed.internal')
    : t('palette.failed', { reason: reasonOf(thrown) })

function faultOf(thrown: unknown): Fault {
  const status = statusOf(thrown)
  if (status === 0) return 'offline'
  if (status === updatedStatus) return 'updated'
  return (thrown instanceof CallError && thrown.code) || codeOfStatus(status)
}

export const reasonOfFault = (fault: Fault): string => t(`reason.${fault}`)

/** Returns the value that the server refused, or null for a failure that names no value. */
export const refusedValueOf = (thrown: unknown): RefusedValue | null =>
  thrown instanceof CallError ? thrown.refused : null
