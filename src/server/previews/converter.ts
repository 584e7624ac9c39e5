import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type { ProcessStarter, ProgramProcess } from '../programs/process-starter.ts'
import { endSandbox, readSandboxProcess } from '../programs/sandbox-process.ts'
import { converterEnvironment, type ConverterCommand } from './converter-command.ts'
import type { ConversionRequest, ConversionOutcome } from './conversion.ts'
import { framesOf, frameStart, type MessageFrame } from './frames.ts'

/** An image to convert: its size, and its bytes as a stream. */
export type ImageSource = { readonly sizeBytes: number; readonly bytes: () => AsyncIterable<Uint8Array> }

export type ConversionResult = ConversionOutcome & { readonly bytes: Buffer }

/** A process that converts one image at a time. After a failed conversion, the process must not be used again. */
export type ImageConverter = {
  convert(request: ConversionRequest, source: ImageSource): Promise<ConversionResult>
  /** Kills the process, even during a conversion. */
  end(): void
  /** True while the process runs and no conversion has failed or been interrupted. */
  readonly isUsable: () => boolean
  readonly isSandboxed: boolean
}

/** Thrown when the kernel has killed the process of a conversion, which it does when there is not enough memory. */
export class KilledConverterError extends Error {
  constructor(options: ErrorOptions) {
    super('the kernel has killed a process that converts images', options)
  }
}

/** The exit code of bubblewrap when the process in the sandbox was killed. */
const killedInSandbox = 128 + constants.signals.SIGKILL
/** The time in milliseconds for which the end of a process is awaited after its output has ended. */
const exitMs = 1000

type ConverterProcess = ProgramProcess & { readonly stdin: Writable; readonly stdout: Readable }

/** Starts a process. The process ends when its standard input is closed, which also happens when the server crashes. */
export function startConverter(
  start: ProcessStarter,
  { words, isSandboxed }: ConverterCommand,
): ImageConverter {
  const [file = '', ...args] = words
  const program = start({
    program: file,
    args,
    stdio: ['pipe', 'pipe', 'ignore', ...(isSandboxed ? (['pipe'] as const) : [])],
    env: converterEnvironment,
  }) as ConverterProcess
  const sandbox = isSandboxed ? readSandboxProcess(program) : Promise.resolve(null)
  let isUsable = true
  let isEnded = false
  const { promise: killed, resolve: setKilled } = Promise.withResolvers<boolean>()
  const markUnusable = (): void => {
    isUsable = false
  }
  program.on('error', markUnusable)
  program.once('exit', (code, signal) => {
    isUsable = false
    setKilled(!isEnded && (signal === 'SIGKILL' || code === killedInSandbox))
  })
  program.stdin.on('error', markUnusable)
  unrefProcess(program)
  const replies = framesOf(program.stdout)
  return {
    isSandboxed,
    isUsable: () => isUsable,
    end() {
      isUsable = false
      isEnded = true
      program.kill('SIGKILL')
      program.stdin.destroy()
      void sandbox.then(endSandbox)
    },
    async convert(request, source) {
      try {
        const reply = replies.next()
        // Without this handler, the reply would be an unhandled rejection when sending the image fails first.
        reply.catch(() => {})
        await Promise.race([send(program.stdin, request, source), reply])
        return resultOf(await reply)
      } catch (cause) {
        isUsable = false
        throw (await Promise.race([killed, pause(exitMs, false)]))
          ? new KilledConverterError({ cause })
          : cause
      }
    },
  }
}

function resultOf({ done, value }: IteratorResult<MessageFrame, void>): ConversionResult {
  if (done === true || value === undefined) throw new Error('a process that converts images has ended')
  return { ...(value.head as ConversionOutcome), bytes: value.body }
}

async function send(input: Writable, request: ConversionRequest, source: ImageSource): Promise<void> {
  await write(input, frameStart(request, source.sizeBytes))
  // The source may reuse the memory of a chunk, so each chunk is written before the next one is requested.
  for await (const chunk of source.bytes()) await write(input, chunk)
}

const write = (input: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    input.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** Lets the server exit while this process is still waiting for work. */
function unrefProcess(program: ConverterProcess): void {
  program.unref()
  for (const stream of program.stdio) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
