import type { ErrorCode, RefusedValue } from '../../shared/domain/failure.ts'
import { CallError, statusOf } from '../api/call.ts'
import { codeOfStatus } from '../api/error-code.ts'
import { t } from '../i18n/translate.ts'

/** Returns the reason of a failure as a message for the user. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof CallError && thrown.permission !== null) return t(`reason.needs.${thrown.permission}`)
  return reasonOfFault(faultOf(thrown))
}

/** Returns the whole sentence for a search below a folder that has failed. */
export const reasonOfSearch = (thrown: unknown): string =>
  faultOf(thrown) === 'internal'
    ? t('search.failed.internal')
    : t('palette.failed', { reason: reasonOf(thrown) })

function faultOf(thrown: unknown): ErrorCode | 'offline' {
  const status = statusOf(thrown)
  if (status === 0) return 'offline'
  return (thrown instanceof CallError && thrown.code) || codeOfStatus(status)
}

export const reasonOfFault = (fault: ErrorCode | 'offline'): string => t(`reason.${fault}`)

/** Returns the value that the server refused, or null for a failure that names no value. */
export const refusedValueOf = (thrown: unknown): RefusedValue | null =>
  thrown instanceof CallError ? thrown.refused : null
