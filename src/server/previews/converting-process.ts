import type { Order, Outcome } from './conversion.ts'
import { convertImage, tame, type ImageLibrary } from './convert-image.ts'
import { framesOf, frameStart } from './frames.ts'
import { ownMemoryBytes } from './own-memory.ts'

/** The entry of a process that does nothing but convert images: conversions come in by its input, previews leave by its output. */

/** How often it looks at its own memory while it works. */
const lookMs = 20

function say(kind: Outcome['kind'], bytes: Uint8Array): void {
  const outcome: Outcome = { kind, heldBytes: ownMemoryBytes() }
  process.stdout.write(frameStart(outcome, bytes.length))
  process.stdout.write(bytes)
}

/** Null where it is not installed, or has no part for this machine. */
async function loadLibrary(): Promise<ImageLibrary | null> {
  try {
    const { default: library } = await import('sharp')
    tame(library)
    return library
  } catch {
    return null
  }
}

/** Says once that the work has become too large; whoever started the process ends it then. */
function watchMemory(mostBytes: number): { readonly stop: () => void; readonly hasSpoken: () => boolean } {
  let hasSpoken = false
  const timer = setInterval(() => {
    if (hasSpoken || ownMemoryBytes() <= mostBytes) return
    hasSpoken = true
    say('too-large', new Uint8Array())
  }, lookMs)
  return { stop: () => clearInterval(timer), hasSpoken: () => hasSpoken }
}

const library = await loadLibrary()
for await (const { head, body } of framesOf(process.stdin)) {
  if (library === null) {
    say('without-library', new Uint8Array())
    continue
  }
  const order = head as Order
  const memory = watchMemory(order.processBytes)
  const { kind, bytes } = await convertImage(library, body, order)
  memory.stop()
  if (!memory.hasSpoken()) say(kind, bytes)
}
