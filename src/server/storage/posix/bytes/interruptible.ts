import { AppError } from '../../../../shared/domain/failure.ts'

/**
 * Waits for one promise after the other, or for the signal. (A race with a promise that lasts would keep something of each chunk
 * until the upload ends.)
 */
export function interruptible(signal: AbortSignal | undefined) {
  let interrupt: ((error: Error) => void) | null = null
  const abort = (): void => interrupt?.(new AppError('aborted'))
  signal?.addEventListener('abort', abort, { once: true })
  return {
    async orAborted<T>(work: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        interrupt = reject
        if (signal?.aborted === true) abort()
        work.then(resolve, reject)
      })
    },
    stop: () => signal?.removeEventListener('abort', abort),
  }
}
