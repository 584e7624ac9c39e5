import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome } from './conversion.ts'
import { framesOf, frameStart, type Frame } from './frames.ts'

/** The bytes of an image, and how many they are. */
export type Source = { readonly sizeBytes: number; readonly bytes: () => AsyncIterable<Uint8Array> }

export type Converted = Outcome & { readonly bytes: Buffer }

/** One process that converts, one image after the other. A call that rejects leaves it of no further use. */
export type Converter = {
  convert(order: Order, source: Source): Promise<Converted>
  /** Ends it, whatever it is doing. */
  end(): void
  /** Whether it runs and is in step. */
  readonly isSound: () => boolean
}

/** Nothing of the server's surroundings goes along; one thread computes, and memory that was used is used again. */
const surroundings = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '1', VIPS_BLOCK_UNTRUSTED: '1' }

type Program = ChildProcessByStdio<Writable, Readable, null>

/** Starts a process. It ends by itself when its input does: when the server is gone, however it went. */
export function startConverter(entry: URL): Converter {
  const program = spawn(process.execPath, [fileURLToPath(entry)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: surroundings,
  })
  let isSound = true
  const lose = (): void => {
    isSound = false
  }
  program.once('error', lose).once('exit', lose)
  program.stdin.on('error', lose)
  lowerPriority(program)
  letGo(program)
  const replies = framesOf(program.stdout)
  return {
    isSound: () => isSound,
    end() {
      isSound = false
      program.kill('SIGKILL')
    },
    async convert(order, source) {
      try {
        const reply = replies.next()
        // Whatever goes wrong while the image is sent, its end is what counts.
        reply.catch(() => {})
        await Promise.race([send(program.stdin, order, source), reply])
        return convertedOf(await reply)
      } catch (cause) {
        isSound = false
        throw cause
      }
    },
  }
}

function convertedOf({ done, value }: IteratorResult<Frame, void>): Converted {
  if (done === true || value === undefined) throw new Error('a process that converts images has ended')
  return { ...(value.head as Outcome), bytes: value.body }
}

async function send(input: Writable, order: Order, source: Source): Promise<void> {
  await write(input, frameStart(order, source.sizeBytes))
  // The next chunk may come in the same memory: each is gone before it is asked for.
  for await (const chunk of source.bytes()) await write(input, chunk)
}

const write = (input: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    input.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** Somebody who lists a folder goes before somebody's thumbnails. */
function lowerPriority({ pid }: Program): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system knows no priorities.
  }
}

/** A process that waits for work keeps no server alive. */
function letGo(program: Program): void {
  program.unref()
  for (const stream of [program.stdin, program.stdout]) {
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
