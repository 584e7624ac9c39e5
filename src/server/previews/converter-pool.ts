import { AppError } from '../../shared/domain/failure.ts'
import { createKeyedLimiter, runLimited } from '../concurrency/keyed-limiter.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import type { PreviewVariant } from './conversion.ts'
import type { ConverterCommand } from './converter-command.ts'
import {
  KilledConverterError,
  startConverter,
  type ConversionResult,
  type ImageConverter,
  type ImageSource,
} from './converter.ts'

/** A pool of processes that convert images. Processes are started on demand and ended after some idle time. */
export type ConverterPool = {
  /**
   * Waits for a free process and converts an image. Rejects with `timeout` when the conversion takes too long, with
   * `undecodable` when it crashes the process, with `too-large` when the kernel kills its process twice because there is
   * not enough memory, and with `aborted` when the signal aborts.
   */
  convert(conversion: PreviewVariant, source: ImageSource, signal: AbortSignal): Promise<ConversionResult>
  /** Kills all processes. Running and waiting conversions reject with `unavailable`. */
  close(): void
}

export type ConverterPoolOptions = {
  readonly start: ProcessStarter
  /** Returns the command that starts a converter process. */
  readonly findCommand: () => Promise<ConverterCommand>
  /** The maximum number of processes. */
  readonly processes: number
  /** The time limit in milliseconds of one conversion. */
  readonly timeMs: number
  /**
   * The maximum memory in bytes of one process. A conversion that needs more memory fails with `too-large`. A process
   * that still uses 80 % of this memory after a conversion is replaced.
   */
  readonly processBytes: number
  /**
   * The maximum number of pixels of an image. The conversion of a larger image fails with `too-large` before the image
   * is decoded.
   */
  readonly maxPixels: number
  /** Called when a process has ended unexpectedly. */
  readonly onFault: (error: unknown) => void
}

/**
 * The time in milliseconds that a conversion may continue after its abort. Most conversions finish within this time, so
 * their previews can still be cached.
 */
const abortGraceMs = 3000
/**
 * The time in milliseconds after which an idle process is ended. A process uses 70 to 90 MB, and starting another
 * process takes about 150 ms.
 */
const idleMs = 10_000
/**
 * The number of idle processes that are kept. One idle process is enough for a user who opens one image after the
 * other.
 */
const maxIdle = 1

/** Creates the pool. The first conversion starts the first process. */
export function createConverterPool(options: ConverterPoolOptions): ConverterPool {
  const limiter = createKeyedLimiter({ maxConcurrent: options.processes })
  const { processBytes, maxPixels } = options
  const idle = createIdleConverters(options.start)
  const working = new Set<ImageConverter>()
  let isClosed = false

  function failureOf(cause: unknown, endReason: 'timeout' | 'aborted' | null): AppError {
    if (isClosed) return new AppError('unavailable', { cause })
    if (cause instanceof AppError) return cause
    if (cause instanceof KilledConverterError) return new AppError('too-large', { cause })
    if (endReason === null) options.onFault(cause)
    return new AppError(endReason ?? 'undecodable', { cause })
  }

  /** Takes an idle converter or starts one. Throws `unavailable` when its program cannot be started. */
  function takeConverter(command: Parameters<typeof idle.take>[0]): ImageConverter {
    try {
      return idle.take(command)
    } catch (cause) {
      options.onFault(cause)
      throw new AppError('unavailable', { cause })
    }
  }

  async function convertInProcess(
    conversion: PreviewVariant,
    source: ImageSource,
    signal: AbortSignal,
  ): Promise<ConversionResult> {
    const command = await options.findCommand()
    if (isClosed) throw new AppError('unavailable')
    const converter = takeConverter(command)
    working.add(converter)
    const deadline = startDeadline(converter, options.timeMs, signal)
    try {
      const request = { ...conversion, processBytes, maxPixels }
      const converted = await converter.convert(request, source)
      const isSmall = converted.memoryBytes < processBytes * 0.8
      if (isSmall && converted.kind !== 'too-large' && !isClosed) idle.put(converter)
      else converter.end()
      return converted
    } catch (cause) {
      converter.end()
      throw failureOf(cause, deadline.endReason())
    } finally {
      deadline.stop()
      working.delete(converter)
    }
  }

  return {
    async convert(conversion, source, signal) {
      return runLimited({ limiter, key: 'processes', signal }, async () => {
        return withSecondAttempt(async () => convertInProcess(conversion, source, signal), signal)
      })
    },
    close() {
      isClosed = true
      idle.end()
      for (const converter of working) converter.end()
    },
  }
}

/**
 * Converts once more when the kernel has killed the process of the first attempt, because other work may have needed the memory for
 * a moment.
 */
async function withSecondAttempt<T>(convert: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await convert()
  } catch (error) {
    const isKilled = error instanceof AppError && error.cause instanceof KilledConverterError
    if (!isKilled || error.code !== 'too-large' || signal.aborted) throw error
    return convert()
  }
}

type IdleConverters = {
  take(command: ConverterCommand): ImageConverter
  put(converter: ImageConverter): void
  end(): void
}

/** Creates the set of idle processes. */
function createIdleConverters(start: ProcessStarter): IdleConverters {
  const timers = new Map<ImageConverter, NodeJS.Timeout>()

  function cancelIdleTimer(converter: ImageConverter): void {
    clearTimeout(timers.get(converter))
    timers.delete(converter)
  }

  function end(converter: ImageConverter): void {
    cancelIdleTimer(converter)
    converter.end()
  }

  return {
    take(command) {
      for (const converter of [...timers.keys()].toReversed()) {
        cancelIdleTimer(converter)
        // A process from a time when the sandbox did not work is not used again.
        if (converter.isUsable() && converter.isSandboxed === command.isSandboxed) return converter
        converter.end()
      }
      return startConverter(start, command)
    },
    put(converter) {
      if (timers.size < maxIdle) timers.set(converter, setTimeout(() => end(converter), idleMs).unref())
      else converter.end()
    },
    end: () => [...timers.keys()].forEach(end),
  }
}

type ConversionDeadline = {
  readonly endReason: () => 'timeout' | 'aborted' | null
  readonly stop: () => void
}

/** Kills a process when its conversion exceeds the time limit, or some time after the conversion was aborted. */
function startDeadline(converter: ImageConverter, timeMs: number, signal: AbortSignal): ConversionDeadline {
  let endReason: 'timeout' | 'aborted' | null = null
  const endAfter = (ms: number, reason: 'timeout' | 'aborted'): NodeJS.Timeout =>
    setTimeout(() => {
      endReason = reason
      converter.end()
    }, ms)
  const timers = [endAfter(timeMs, 'timeout')]
  const onAbort = (): void => void timers.push(endAfter(abortGraceMs, 'aborted'))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    endReason: () => endReason,
    stop() {
      signal.removeEventListener('abort', onAbort)
      timers.forEach((timer) => clearTimeout(timer))
    },
  }
}
