import type { ServerResponse } from 'node:http'
import { AppError } from '../../shared/domain/failure.ts'

/** How long a request's work makes sense: until its client has left, its session has ended (for transfers), or the server stops. */
export type Lifeline = {
  readonly signal: () => AbortSignal
  /** Why it was cut; null while it holds. */
  readonly cutBy: () => 'client' | 'session' | 'stop' | null
  /** From now on bytes flow: the end of the session ends it. Anything shorter runs to its answer (logging out answers, too). */
  readonly becomeTransfer: () => void
  readonly endSession: () => void
  /** The connection has closed, before or after the answer. */
  readonly close: () => void
  /** Aborts the work; an answer that has begun is cut off, so that its reader can tell. */
  readonly cut: (by: 'session' | 'stop') => void
}

/** The lifeline of one request. */
export function createLifeline(response: ServerResponse): Lifeline {
  // Most requests never ask for their signal, and making one costs more than the rest of this.
  let controller: AbortController | undefined
  let cutBy: 'client' | 'session' | 'stop' | null = null
  let isTransfer = false
  let hasSessionEnded = false

  function abort(by: 'client' | 'session' | 'stop'): void {
    if (cutBy !== null || response.writableFinished) return
    cutBy = by
    controller?.abort(abortion(by))
  }

  function signal(): AbortSignal {
    if (controller === undefined) {
      controller = new AbortController()
      if (cutBy !== null) controller.abort(abortion(cutBy))
    }
    return controller.signal
  }

  function cut(by: 'session' | 'stop'): void {
    abort(by)
    if (response.headersSent && !response.writableFinished) response.destroy()
  }

  return {
    signal,
    cutBy: () => cutBy,
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

const abortion = (by: string): AppError => new AppError('aborted', { reason: `cut off: ${by}` })
