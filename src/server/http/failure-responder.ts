import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { sendFailure } from './response/send-response.ts'
import type { Exchange } from './exchange.ts'
import type { FailureLogger } from './request-log.ts'

/** Answers a request whose operation has thrown, and logs the failure. */
export type FailureResponder = (exchange: Exchange, thrown: unknown) => void

/** Creates the function that answers and logs failures. */
export const createFailureResponder =
  (logFailure: FailureLogger): FailureResponder =>
  (exchange, thrown) => {
    const error = failureAfterCut(thrown, exchange)
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
 * Replaces the error of an aborted operation by the failure that names the cause: the session has ended, or the server
 * stops.
 */
function failureAfterCut(thrown: unknown, { lifetime }: Exchange): unknown {
  if (codeOf(thrown) !== 'aborted') return thrown
  if (lifetime.cutReason() === 'session')
    return new AppError('not-signed-in', { reason: 'the session has ended' })
  return lifetime.cutReason() === 'stop'
    ? new AppError('unavailable', { reason: 'the server stops' })
    : thrown
}
