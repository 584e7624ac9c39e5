import { AppError, type ErrorCode } from '../../shared/domain/failure.ts'
import type { ShareRecord } from '../records/share-store.ts'

/** A file of a guest that is being received. */
export type RunningReception = {
  readonly id: string
  readonly shareHash: string
  /** The share as it was when its guest was admitted. */
  readonly share: ShareRecord
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
  /** Returns the running receptions of all shares. */
  all(): readonly RunningReception[]
  /**
   * Registers a reception while the work runs. The work gets a signal that aborts when the owner ends the reception, or
   * when the given signal aborts. Throws the code with which the reception was ended.
   */
  run<T>(
    reception: RunningReception,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /**
   * Ends a reception of a share, by default because its owner wants it to end. Returns false when there is none with this id.
   */
  end(shareHash: string, id: string, code?: ErrorCode): boolean
}

type StartedReception = {
  readonly reception: RunningReception
  /** The signal of the guest's request. */
  readonly signal: AbortSignal
  readonly abort: AbortController
}

export function createRunningReceptions(): RunningReceptions {
  const running = new Map<string, StartedReception>()
  const all = (): RunningReception[] => [...running.values()].map(({ reception }) => reception)
  return {
    all,
    list: (shareHash) => all().filter((reception) => reception.shareHash === shareHash),
    async run(reception, signal, work) {
      const abort = new AbortController()
      running.set(reception.id, { reception, signal, abort })
      try {
        return await work(AbortSignal.any([signal, abort.signal]))
      } catch (error) {
        if (!abort.signal.aborted) throw error
        throw new AppError(abort.signal.reason as ErrorCode, {
          cause: error,
          reason: 'the upload was ended, or its link has ended or was changed',
        })
      } finally {
        running.delete(reception.id)
      }
    },
    end(shareHash, id, code = 'forbidden') {
      const found = running.get(id)
      if (found?.reception.shareHash !== shareHash) return false
      // The guest has left, or the owner has lost a right, which is then the reason that the guest gets.
      if (!found.signal.aborted) found.abort.abort(code)
      return true
    },
  }
}
