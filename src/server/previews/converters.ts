import { AppError } from '../../shared/domain/failure.ts'
import { createTurns, inTurn } from '../turns/turns.ts'
import type { Conversion } from './conversion.ts'
import { startConverter, type Converted, type Converter, type Source } from './converter.ts'

/** A few processes that convert images. They start when they are needed, and end when they were idle for a while. */
export type Converters = {
  /**
   * Waits for a free process. `timeout` when the work took too long, `undecodable` when it ended the process, `aborted` when nobody waits
   * for it any more.
   */
  convert(conversion: Conversion, source: Source, signal: AbortSignal): Promise<Converted>
  /** Ends all of them, and what they do. */
  close(): void
}

export type ConvertersOptions = {
  readonly entry: URL
  readonly processes: number
  readonly timeMs: number
  /** Work that takes more than this is `too-large`; a process that holds nearly as much after it gives way to a fresh one. */
  readonly processBytes: number
  /** Images that say they have more are `too-large`, before any of them is decoded. */
  readonly mostPixels: number
  /** Told of processes that ended by themselves. */
  readonly onFault: (error: unknown) => void
}

/** Work that nobody waits for is ended after this time; most of it is done before, and kept. */
const abortedMs = 3000
const idleMs = 60_000

/** Makes the pool; no process is started yet. */
export function createConverters(options: ConvertersOptions): Converters {
  const turns = createTurns({ atOnce: options.processes })
  const { processBytes, mostPixels } = options
  const idle = createIdle(options.entry)
  const working = new Set<Converter>()
  let isClosed = false

  function failureOf(cause: unknown, passed: 'timeout' | 'aborted' | null): AppError {
    if (isClosed) return new AppError('unavailable', { cause })
    if (cause instanceof AppError) return cause
    if (passed === null) options.onFault(cause)
    return new AppError(passed ?? 'undecodable', { cause })
  }

  async function work(conversion: Conversion, source: Source, signal: AbortSignal): Promise<Converted> {
    const converter = idle.take()
    working.add(converter)
    const deadline = startDeadline(converter, options.timeMs, signal)
    try {
      const order = { ...conversion, processBytes, mostPixels }
      const converted = await converter.convert(order, source)
      const isLean = converted.heldBytes < processBytes * 0.8
      if (isLean && converted.kind !== 'too-large' && !isClosed) idle.put(converter)
      else converter.end()
      return converted
    } catch (cause) {
      converter.end()
      throw failureOf(cause, deadline.passed())
    } finally {
      deadline.stop()
      working.delete(converter)
    }
  }

  return {
    async convert(conversion, source, signal) {
      return inTurn({ turns, line: 'processes', signal }, async () => {
        if (isClosed) throw new AppError('unavailable')
        return work(conversion, source, signal)
      })
    },
    close() {
      isClosed = true
      idle.end()
      for (const converter of working) converter.end()
    },
  }
}

type Idle = { take(): Converter; put(converter: Converter): void; end(): void }

/** Processes without work, the last one first; one that nobody takes for a while ends. */
function createIdle(entry: URL): Idle {
  const timers = new Map<Converter, NodeJS.Timeout>()

  function forget(converter: Converter): void {
    clearTimeout(timers.get(converter))
    timers.delete(converter)
  }

  function end(converter: Converter): void {
    forget(converter)
    converter.end()
  }

  return {
    take() {
      for (const converter of [...timers.keys()].toReversed()) {
        forget(converter)
        if (converter.isSound()) return converter
      }
      return startConverter(entry)
    },
    put: (converter) => void timers.set(converter, setTimeout(() => end(converter), idleMs).unref()),
    end: () => [...timers.keys()].forEach(end),
  }
}

type Deadline = { readonly passed: () => 'timeout' | 'aborted' | null; readonly stop: () => void }

/** Ends a process whose time is over, or whose work nobody waits for. */
function startDeadline(converter: Converter, timeMs: number, signal: AbortSignal): Deadline {
  let passed: 'timeout' | 'aborted' | null = null
  const endAfter = (ms: number, reason: 'timeout' | 'aborted'): NodeJS.Timeout =>
    setTimeout(() => {
      passed = reason
      converter.end()
    }, ms)
  const timers = [endAfter(timeMs, 'timeout')]
  const onAbort = (): void => void timers.push(endAfter(abortedMs, 'aborted'))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    passed: () => passed,
    stop() {
      signal.removeEventListener('abort', onAbort)
      timers.forEach((timer) => clearTimeout(timer))
    },
  }
}
