import { constants, setPriority } from 'node:os'
import { letKernelKillFirst } from '../programs/killed-first.ts'
import { readProgramFilesByPage } from '../storage/posix/calls/kernel.ts'
import { smallMemoryOptions } from './conversion.ts'
import type { ConversionRequest, ConversionOutcome } from './conversion.ts'
import { convertImage, restrictLibrary, type ImageLibrary } from './convert-image.ts'
import { framesOf, frameStart } from './frames.ts'
import { ownMemoryBytes } from './own-memory.ts'

/**
 * The entry file of a converter process, which only converts images. The process reads requests from standard input and
 * writes replies to standard output.
 */

/** The interval in milliseconds at which the process checks its own memory use during a conversion. */
const memoryCheckMs = 20

function reply(kind: ConversionOutcome['kind'], bytes: Uint8Array): void {
  const outcome: ConversionOutcome = { kind, memoryBytes: ownMemoryBytes() }
  process.stdout.write(frameStart(outcome, bytes.length))
  process.stdout.write(bytes)
}

/** Loads the image library. Null when it is not installed or has no binary for this machine. */
async function loadLibrary(): Promise<ImageLibrary | null> {
  try {
    const { default: library } = await import('sharp')
    restrictLibrary(library)
    return library
  } catch {
    return null
  }
}

/**
 * Watches the memory use of this process and reports `too-large` once when the limit is exceeded. The server then kills
 * the process.
 */
function watchMemory(maxBytes: number): { readonly stop: () => void; readonly hasReported: () => boolean } {
  let reported = false
  const timer = setInterval(() => {
    if (reported || ownMemoryBytes() <= maxBytes) return
    reported = true
    reply('too-large', new Uint8Array())
  }, memoryCheckMs)
  return { stop: () => clearInterval(timer), hasReported: () => reported }
}

// Listings and downloads are more urgent than thumbnails.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// The first process of a sandbox may have been created before the server could say so.
letKernelKillFirst('self')
const isMemorySmall = smallMemoryOptions.every((option) => process.execArgv.includes(option))
if (isMemorySmall) await readProgramFilesByPage()
const library = await loadLibrary()
// The library has its own files.
if (isMemorySmall) await readProgramFilesByPage()
for await (const { head, body } of framesOf(process.stdin)) {
  if (library === null) {
    reply('without-library', new Uint8Array())
    continue
  }
  const request = head as ConversionRequest
  const memory = watchMemory(request.processBytes)
  const { kind, bytes } = await convertImage(library, body, request)
  memory.stop()
  if (!memory.hasReported()) reply(kind, bytes)
}
// The server tries the process in a sandbox without a request, and learns from the exit code whether the library was loaded.
if (library === null) throw new Error('The library for images could not be loaded.')
