import type { ErrorCode } from '../../shared/domain/failure.ts'
import { CallError } from '../api/call.ts'
import { codeOfStatus } from '../api/error-code.ts'
import { t } from '../i18n/translate.ts'

/** Returns the reason of a failure as a message for the user. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof CallError)) return t('reason.internal')
  if (thrown.status === 0) return reasonOfFault('offline')
  if (thrown.permission !== null) return t(`reason.needs.${thrown.permission}`)
  return reasonOfFault(thrown.code ?? codeOfStatus(thrown.status))
}

export const reasonOfFault = (fault: ErrorCode | 'offline'): string => t(`reason.${fault}`)
