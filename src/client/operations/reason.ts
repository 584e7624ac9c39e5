import type { ErrorCode } from '../../shared/domain/failure.ts'
import { CallError } from '../api/call.ts'
import { t } from '../i18n/translate.ts'

/** Returns the reason of a failure as a message for the user. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof CallError)) return t('reason.internal')
  if (thrown.status === 0) return reasonOfFault('offline')
  if (thrown.permission !== null) return t(`reason.needs.${thrown.permission}`)
  return reasonOfFault(thrown.code ?? codeOfStatus(thrown.status))
}

export const reasonOfFault = (fault: ErrorCode | 'offline'): string => t(`reason.${fault}`)

/** Returns the error code of a status, for servers that send no error code, such as File Browser. */
export function codeOfStatus(status: number): ErrorCode {
  return codes[status] ?? 'internal'
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'bad-request',
  401: 'not-signed-in',
  403: 'forbidden',
  404: 'not-found',
  409: 'name-taken',
  413: 'too-large',
  422: 'undecodable',
  423: 'busy',
  429: 'too-many-tries',
  503: 'unavailable',
  504: 'timeout',
  507: 'no-space',
}
