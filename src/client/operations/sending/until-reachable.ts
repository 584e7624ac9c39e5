/** The delays in milliseconds before an upload is tried again (ux 2.10). The last one is repeated. */
const delaysMs = [1000, 2000, 5000, 10_000, 20_000]

/**
 * Waits before the next attempt to reach the server: for a delay that grows with the number of failed attempts, or
 * until the browser reports that the network is back. Rejects with the signal's reason when it is aborted.
 */
export function untilReachable(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', retry)
      signal.removeEventListener('abort', abort)
      settle()
    }
    const retry = (): void => finish(resolve)
    const abort = (): void => finish(() => reject(signal.reason as Error))
    const timer = setTimeout(retry, delaysMs[Math.min(attempt, delaysMs.length - 1)])
    globalThis.addEventListener?.('online', retry)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

/** Returns true while the browser can read a file. A file that was changed or deleted after it was chosen cannot be. */
export async function isReadable(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
