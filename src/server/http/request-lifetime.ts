import type { ServerResponse } from 'node:http'
import { AppError } from '../../shared/domain/failure.ts'

/**
 * The time in which it makes sense to work on a request: until its client disconnects, its session ends (for
 * transfers), or the server stops.
 */
export type RequestLifetime = {
  readonly signal: () => AbortSignal
  /** Returns the reason why the work was aborted. Null while it was not aborted. */
  readonly cutReason: () => 'client' | 'session' | 'stop' | null
  /**
   * Marks the request as a transfer of bytes, which is aborted when its session ends. Other requests are short and are
   * still answered then; this includes the logout request, which ends its own session.
   */
  readonly becomeTransfer: () => void
  readonly endSession: () => void
  /** Called when the connection has closed, before or after the response. */
  readonly close: () => void
  /**
   * Aborts the work. If sending the response has begun, its connection is closed, so that the client notices that the
   * answer is incomplete.
   */
  readonly cut: (by: 'session' | 'stop') => void
}

/** Creates the lifetime of one request. */
export function createRequestLifetime(response: ServerResponse): RequestLifetime {
  // Created on first use: most requests never need a signal, and an AbortController costs more than all other members
  // together.
  let controller: AbortController | undefined
  let cutReason: 'client' | 'session' | 'stop' | null = null
  let isTransfer = false
  let hasSessionEnded = false

  function abort(by: 'client' | 'session' | 'stop'): void {
    if (cutReason !== null || response.writableFinished) return
    cutReason = by
    controller?.abort(abortErrorOf(by))
  }

  function signal(): AbortSignal {
    if (controller === undefined) {
      controller = new AbortController()
      if (cutReason !== null) controller.abort(abortErrorOf(cutReason))
    }
    return controller.signal
  }

  function cut(by: 'session' | 'stop'): void {
    abort(by)
    if (response.headersSent && !response.writableFinished) response.destroy()
  }

  return {
    signal,
    cutReason: () => cutReason,
    becomeTransfer: () => {
      isTransfer = true
      if (hasSessionEnded) cut('session')
    },
    endSession: () => {
      hasSessionEnded = true
      if (isTransfer) cut('session')
    },
    close: () => abort('client'),
    cut,
  }
}

const abortErrorOf = (by: string): AppError => new AppError('aborted', { reason: `cut off: ${by}` })
