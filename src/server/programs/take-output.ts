import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

/**
 * Told of output as it comes. While a promise of it is not fulfilled nothing more is read, so that the program has to wait when its
 * pipe is full.
 */
export type OnOutput = (bytes: Buffer, from: 'stdout' | 'stderr') => Promise<void> | void

export type TakenOutput = {
  /** For a program that has ended: fulfilled when all was taken that it wrote. */
  takeRest(): Promise<void>
  /** Takes nothing more. */
  stop(): void
  /** Fulfilled when the taker has failed. */
  readonly failed: Promise<void>
}

/** Somebody who left the group may hold the pipes of a program that has ended; they are given up when that long nothing came. */
const quietMs = 500

/** Reads both outputs of a program, held back by whoever takes them. */
export function takeOutput(child: ChildProcess, onOutput: OnOutput | undefined): TakenOutput {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const drained = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const quiet = createQuiet(() => stop())
  let open = streams.length
  let holders = 0
  let isStopped = false
  let last = Promise.resolve()

  function stop(): void {
    isStopped = true
    quiet.end()
    streams.forEach((stream) => stream.destroy())
    drained.resolve()
  }

  const settle = (): void => {
    if (open === 0 && holders === 0) stop()
  }

  /** One after the other: both streams may have something at once. */
  async function take(bytes: Buffer, from: 'stdout' | 'stderr'): Promise<void> {
    quiet.hold()
    holders += 1
    streams.forEach((stream) => stream.pause())
    const before = last
    last = tell(before, bytes, from)
    await last
    holders -= 1
    quiet.release()
    if (holders === 0 && !isStopped) streams.forEach((stream) => stream.resume())
    settle()
  }

  async function tell(before: Promise<void>, bytes: Buffer, from: 'stdout' | 'stderr'): Promise<void> {
    await before
    if (isStopped) return
    try {
      await onOutput?.(bytes, from)
    } catch {
      failed.resolve()
    }
  }

  const listen = (stream: Readable | null, from: 'stdout' | 'stderr'): void => {
    stream?.on('data', (bytes: Buffer) => void take(bytes, from))
    stream?.on('error', () => stream.destroy())
    stream?.once('close', () => {
      open -= 1
      settle()
    })
  }
  listen(child.stdout, 'stdout')
  listen(child.stderr, 'stderr')
  settle()

  return {
    takeRest() {
      quiet.begin()
      return drained.promise
    },
    stop,
    failed: failed.promise,
  }
}

/** A timer that runs once it was begun, while nobody holds it, from the start after each hold. */
function createQuiet(onQuiet: () => void) {
  let hasBegun = false
  let holders = 0
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    clearTimeout(timer)
    if (hasBegun && holders === 0) timer = setTimeout(onQuiet, quietMs)
  }
  return {
    begin() {
      hasBegun = true
      run()
    },
    hold() {
      holders += 1
      clearTimeout(timer)
    },
    release() {
      holders -= 1
      run()
    },
    end() {
      hasBegun = false
      clearTimeout(timer)
    },
  }
}
