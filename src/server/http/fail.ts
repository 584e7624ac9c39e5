import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { sendFailure } from './answer/send-answer.ts'
import type { Exchange } from './exchange.ts'
import type { LogFailure } from './request-log.ts'

/** Answers anything thrown on the way, and logs it. */
export type Fail = (exchange: Exchange, thrown: unknown) => void

export const createFail =
  (logFailure: LogFailure): Fail =>
  (exchange, thrown) => {
    const error = afterCut(thrown, exchange)
    const status = sendFailure(exchange, error)
    logFailure({
      status,
      path: exchange.target?.path ?? '-',
      address: exchange.client.address,
      requestId: exchange.id(),
      thrown: error,
    })
  }

/** Work that was aborted because its session ended, or because the server stops, says so. */
function afterCut(thrown: unknown, { lifeline }: Exchange): unknown {
  if (codeOf(thrown) !== 'aborted') return thrown
  if (lifeline.cutBy() === 'session')
    return new AppError('not-signed-in', { reason: 'the session has ended' })
  return lifeline.cutBy() === 'stop' ? new AppError('unavailable', { reason: 'the server stops' }) : thrown
}
