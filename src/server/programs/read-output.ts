import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProgramProcess } from './process-starter.ts'

/**
 * Receives output as it arrives. No further output is read until the returned promise has resolved, so the program
 * blocks when its pipe is full (backpressure).
 */
export type OutputListener = (bytes: Buffer, from: 'stdout' | 'stderr') => Promise<void> | void

export type OutputReader = {
  /** Resolves when all output has been delivered. May be called only after the program has ended. */
  drain(): Promise<void>
  /** Closes the pipes and delivers no further output. */
  stop(): void
  /** Resolves when `onOutput` has thrown or rejected. */
  readonly failed: Promise<void>
}

/**
 * Time in milliseconds without output after which the pipes of an ended program are closed. Without this limit, a
 * process that has left the process group of the program could keep the pipes open.
 */
const silenceMs = 500

/**
 * Reads standard output and standard error of a program as fast as `onOutput` accepts them, at most one chunk of 64 KiB
 * per turn of the event loop. A program that prints without end therefore delays no request, and is itself not delayed
 * while the server has nothing else to do.
 */
export function readOutput(child: ProgramProcess, onOutput: OutputListener | undefined): OutputReader {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const drained = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const silence = createSilenceTimer(() => stop())
  let openStreams = streams.length
  let deliveries = 0
  let isStopped = false
  let lastDelivery = Promise.resolve()

  function stop(): void {
    isStopped = true
    silence.stop()
    streams.forEach((stream) => stream.destroy())
    drained.resolve()
  }

  const stopWhenDone = (): void => {
    if (openStreams === 0 && deliveries === 0) stop()
  }

  /**
   * Delivers a chunk after all previous chunks have been delivered. Standard output and standard error may have a chunk
   * at the same time.
   */
  async function receive(bytes: Buffer, from: 'stdout' | 'stderr'): Promise<void> {
    silence.pause()
    deliveries += 1
    streams.forEach((stream) => stream.pause())
    const previous = lastDelivery
    lastDelivery = deliver(previous, bytes, from)
    await lastDelivery
    deliveries -= 1
    silence.resume()
    if (deliveries === 0 && !isStopped) streams.forEach((stream) => stream.resume())
    stopWhenDone()
  }

  async function deliver(previous: Promise<void>, bytes: Buffer, from: 'stdout' | 'stderr'): Promise<void> {
    await previous
    if (isStopped) return
    try {
      await onOutput?.(bytes, from)
      await nextTurn()
    } catch {
      failed.resolve()
    }
  }

  const listen = (stream: Readable | null, from: 'stdout' | 'stderr'): void => {
    stream?.on('data', (bytes: Buffer) => void receive(bytes, from))
    stream?.on('error', () => stream.destroy())
    stream?.once('close', () => {
      openStreams -= 1
      stopWhenDone()
    })
  }
  listen(child.stdout, 'stdout')
  listen(child.stderr, 'stderr')
  stopWhenDone()

  return {
    drain() {
      silence.start()
      return drained.promise
    },
    stop,
    failed: failed.promise,
  }
}

/**
 * Creates a timer that calls `onSilence` after `silenceMs`. The timer runs only after `start` and while no chunk is
 * being delivered, and it is restarted after each delivery.
 */
function createSilenceTimer(onSilence: () => void) {
  let isStarted = false
  let deliveries = 0
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    clearTimeout(timer)
    if (isStarted && deliveries === 0) timer = setTimeout(onSilence, silenceMs)
  }
  return {
    start() {
      isStarted = true
      run()
    },
    pause() {
      deliveries += 1
      clearTimeout(timer)
    },
    resume() {
      deliveries -= 1
      run()
    },
    stop() {
      isStarted = false
      clearTimeout(timer)
    },
  }
}
