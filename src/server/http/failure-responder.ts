import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { sendFailure } from './response/send-response.ts'
import type { HttpExchange } from './exchange.ts'
import type { FailureLogger } from './request-log.ts'

/** Sends the failure response for an error that was thrown while a request was handled, and logs the failure. */
export type FailureResponder = (exchange: HttpExchange, thrown: unknown) => void

/** Creates the function that sends failure responses and logs failures. */
export const createFailureResponder =
  (logFailure: FailureLogger): FailureResponder =>
  (exchange, thrown) => {
    const error = failureAfterAbort(thrown, exchange)
    const status = sendFailure(exchange, error)
    logFailure({
      status,
      path: exchange.target?.path ?? '-',
      address: exchange.client.address,
      requestId: exchange.id(),
      thrown: error,
    })
  }

/**
 * Replaces the error of an aborted operation with an error that contains the cause: the session or the guest pass has
 * ended, a right was taken away, or the server stops.
 */
function failureAfterAbort(thrown: unknown, { lifetime, guestPass }: HttpExchange): unknown {
  if (codeOf(thrown) !== 'aborted') return thrown
  if (lifetime.abortReason() === 'session')
    return guestPass === null
      ? new AppError('not-signed-in', { reason: 'the session has ended' })
      : new AppError('forbidden', { reason: 'the owner of the link may no longer share' })
  if (lifetime.abortReason() === 'rights')
    return new AppError('forbidden', { reason: 'the rights of the user have changed' })
  return lifetime.abortReason() === 'stop'
    ? new AppError('unavailable', { reason: 'the server stops' })
    : thrown
}
