import type { ServerResponse } from 'node:http'
import { AppError } from '../../shared/domain/failure.ts'

/**
 * Tells how long a request's work makes sense: until its client disconnects, its session ends (for transfers), or the
 * server stops.
 */
export type RequestLifetime = {
  readonly signal: () => AbortSignal
  /** Why the work was aborted; null while it goes on. */
  readonly cutReason: () => 'client' | 'session' | 'stop' | null
  /**
   * Marks the request as a transfer of bytes, which is aborted when its session ends. Shorter requests run to their
   * answer; logging out, which ends its own session, must answer too.
   */
  readonly becomeTransfer: () => void
  readonly endSession: () => void
  /** Called when the connection has closed, before or after the answer. */
  readonly close: () => void
  /**
   * Aborts the work. The connection of an answer that has begun is closed, so that its reader notices that it is
   * incomplete.
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
