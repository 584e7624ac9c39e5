import { AppError } from '../../shared/domain/failure.ts'

/** A file of a guest that is being received. */
export type RunningReception = {
  readonly id: string
  readonly shareHash: string
  /** The name that the guest has chosen for the file. */
  readonly name: string
  readonly guest: string
  readonly sizeBytes: number
  readonly startedAtMs: number
  receivedBytes: number
}

/** The files of guests that this process is receiving, for the owners of the shares, who may end them. */
export type RunningReceptions = {
  /** Returns the running receptions of a share, the oldest first. */
  list(shareHash: string): readonly RunningReception[]
  /**
   * Registers a reception while the work runs. The work gets a signal that aborts when the owner ends the reception, or
   * when the given signal aborts. Throws `forbidden` when the owner has ended the reception.
   */
  run<T>(
    reception: RunningReception,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /**
   * Ends a reception of a share, by default because its owner wants it to end. Returns false when there is none with this id.
   */
  end(shareHash: string, id: string, code?: 'forbidden' | 'not-found'): boolean
}

export function createRunningReceptions(): RunningReceptions {
  const running = new Map<string, { readonly reception: RunningReception; readonly abort: AbortController }>()
  return {
    list: (shareHash) =>
      [...running.values()]
        .map(({ reception }) => reception)
        .filter((reception) => reception.shareHash === shareHash),
    async run(reception, signal, work) {
      const abort = new AbortController()
      running.set(reception.id, { reception, abort })
      try {
        return await work(AbortSignal.any([signal, abort.signal]))
      } catch (error) {
        if (!abort.signal.aborted) throw error
        throw new AppError(abort.signal.reason === 'not-found' ? 'not-found' : 'forbidden', {
          cause: error,
          reason: 'the owner of the link has ended the upload',
        })
      } finally {
        running.delete(reception.id)
      }
    },
    end(shareHash, id, code = 'forbidden') {
      const found = running.get(id)
      if (found?.reception.shareHash !== shareHash) return false
      found.abort.abort(code)
      return true
    },
  }
}
