import type { ServerResponse } from 'node:http'
import { AppError } from '../../shared/domain/failure.ts'

/**
 * The reason why a request was aborted: the client has disconnected, the session or guest pass of a transfer has ended, a
 * right on which the request relies was taken away, the client has read nothing for some time while others wait for the memory, or
 * the server stops.
 */
export type AbortReason = 'client' | 'session' | 'rights' | 'stalled' | 'stop'

/** The lifetime of a request. It ends early for one of the reasons of `AbortReason`. */
export type RequestLifetime = {
  readonly signal: () => AbortSignal
  /** Returns the reason why the request was aborted; null while the request is not aborted. */
  readonly abortReason: () => AbortReason | null
  /**
   * Marks the request as a transfer of bytes, which is aborted when its session or guest pass ends. Other requests are
   * short and still get their response, including the logout request, which ends its own session.
   */
  readonly becomeTransfer: () => void
  /** Must be called when the session or guest pass under which the request runs has ended. */
  readonly endSession: () => void
  /** Must be called when the connection has closed, before or after the response was sent. */
  readonly close: () => void
  /**
   * Aborts the request. If a part of the response was already sent, the connection is closed, so that the client
   * notices that the response is incomplete.
   */
  readonly abort: (by: Exclude<AbortReason, 'client'>) => void
}

/** Creates the lifetime of one request. */
export function createRequestLifetime(response: ServerResponse): RequestLifetime {
  // The controller is created on first use, because most requests never need a signal, and creating an AbortController
  // takes longer than creating all other members.
  let controller: AbortController | undefined
  let abortReason: AbortReason | null = null
  let isTransfer = false
  let hasSessionEnded = false

  function markAborted(by: AbortReason): void {
    if (abortReason !== null || response.writableFinished) return
    abortReason = by
    controller?.abort(abortErrorOf(by))
  }

  function signal(): AbortSignal {
    if (controller === undefined) {
      controller = new AbortController()
      if (abortReason !== null) controller.abort(abortErrorOf(abortReason))
    }
    return controller.signal
  }

  function abort(by: AbortReason): void {
    markAborted(by)
    if (response.headersSent && !response.writableFinished) response.destroy()
  }

  return {
    signal,
    abortReason: () => abortReason,
    becomeTransfer: () => {
      isTransfer = true
      if (hasSessionEnded) abort('session')
    },
    endSession: () => {
      hasSessionEnded = true
      if (isTransfer) abort('session')
    },
    close: () => markAborted('client'),
    abort,
  }
}

const abortErrorOf = (by: string): AppError => new AppError('aborted', { reason: `cut off: ${by}` })
