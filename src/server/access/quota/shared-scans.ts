import { AppError } from '../../../shared/domain/failure.ts'

/** Scans of one scope, of which one runs at a time. A scan is aborted when all its callers have aborted their requests. */
export type SharedScans = {
  /** Waits for the scan that is running, or begins one. */
  join(signal?: AbortSignal): Promise<void>
  /** Waits for a scan that begins after this call. */
  begin(signal?: AbortSignal): Promise<void>
  /** Waits for a scan like `begin`, unless the result of a scan that another server is making is enough. */
  find(signal?: AbortSignal): Promise<void>
}

/** A scan that is about to run. */
export type WantedScan = {
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal
  /** Returns true when one of the callers needs a scan that begins after its call. */
  readonly mustBegin: () => boolean
}

type SharedScan = {
  readonly ended: Promise<void>
  readonly abort: AbortController
  callers: number
  mustBegin: boolean
}

export function createSharedScans(run: (wanted: WantedScan) => Promise<void>): SharedScans {
  let running: SharedScan | null = null
  let next: SharedScan | null = null

  /** Creates a scan, which begins when the previous one has ended. */
  function create(previous: SharedScan | null): SharedScan {
    const abort = new AbortController()
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    const scan: SharedScan = { ended, abort, callers: 0, mustBegin: false }
    const start = async (): Promise<void> => {
      await previous?.ended.catch(() => {})
      if (next === scan) next = null
      try {
        requireWanted(abort.signal)
        running = scan
        await run({ signal: abort.signal, mustBegin: () => scan.mustBegin })
      } finally {
        if (running === scan) running = null
      }
    }
    // Nobody waits for the result of an aborted scan.
    ended.catch(() => {})
    start().then(resolve, reject)
    return scan
  }

  function scanToBegin(): SharedScan {
    if (running === null && next === null) return (running = create(null))
    if (next === null || next.abort.signal.aborted) next = create(running)
    return next
  }

  async function begin(signal?: AbortSignal): Promise<void> {
    requireWanted(signal)
    const scan = scanToBegin()
    scan.mustBegin = true
    await waitFor(scan, signal)
  }

  return {
    begin,
    async find(signal) {
      requireWanted(signal)
      await waitFor(scanToBegin(), signal)
    },
    async join(signal) {
      requireWanted(signal)
      if (running === null || running.abort.signal.aborted) await begin(signal)
      else await waitFor(running, signal)
    },
  }
}

/** Throws `aborted` when nobody wants the result any more. */
export function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AppError('aborted')
}

async function waitFor(scan: SharedScan, signal: AbortSignal | undefined): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(new AppError('aborted'))
  signal?.addEventListener('abort', abort, { once: true })
  scan.callers += 1
  try {
    await Promise.race([scan.ended, aborted])
  } finally {
    signal?.removeEventListener('abort', abort)
    scan.callers -= 1
    if (scan.callers === 0) scan.abort.abort()
  }
}
