import type { IncomingMessage } from 'node:http'

/** Chunks below 1 KiB are gathered, because a chunk costs the same time whatever its size. */
const smallBytes = 1024
/**
 * The size of the buffer for gathered bytes. One read from a connection brings 64 KiB; where each chunk is one byte, no
 * more than 16 KiB of them is body.
 */
const gatheredBytes = 16 * 1024
/** The number of chunks that are handed on in one turn of the event loop, which takes some milliseconds of its time. */
const maxInTurn = 4096
/** The number of turns of the event loop that other connections get before the next chunks are handed on. */
const turnsBetween = 8

/** Hands on the gathered bytes of one body. Returns the number of chunks they came in. */
type Flush = () => number

/**
 * Creates a function that gathers the small chunks of a request's body into larger ones. Sixty bytes on the wire may be
 * ten chunks of one byte, and buffers for millions of them would take more memory and time than the bytes themselves. A
 * client that sends like this is read one read at a time: its connection resumes when the gathered bytes have been
 * handed on. All such clients take turns, because the event loop accepts one new connection in each turn, and that
 * connection would otherwise wait for a read of each of them.
 */
export function createChunkGatherer(): (request: IncomingMessage) => void {
  const waiting: Flush[] = []
  let turns = 0

  function pass(): void {
    turns = (turns + 1) % turnsBetween
    if (turns === 0) takeSome()
    if (waiting.length > 0) setImmediate(pass)
  }

  function takeSome(): void {
    for (let takenChunks = 0; takenChunks < maxInTurn && waiting.length > 0;)
      takenChunks += waiting.shift()?.() ?? 0
  }

  return (request) =>
    gather(request, (flush) => {
      if (waiting.push(flush) === 1) setImmediate(pass)
    })
}

function gather(request: IncomingMessage, takeLater: (flush: Flush) => void): void {
  const push = request.push.bind(request)
  let gathered = Buffer.alloc(0)
  let usedBytes = 0
  let chunks = 0
  let isWaiting = false

  function flush(): void {
    if (usedBytes === 0) return
    const piece = gathered.subarray(0, usedBytes)
    gathered = Buffer.alloc(0)
    usedBytes = 0
    push(piece)
  }

  function take(): number {
    const takenChunks = chunks
    isWaiting = false
    chunks = 0
    flush()
    return takenChunks
  }

  function add(chunk: Uint8Array): void {
    if (usedBytes + chunk.length > gathered.length) {
      flush()
      gathered = Buffer.allocUnsafeSlow(gatheredBytes)
    }
    gathered.set(chunk, usedBytes)
    usedBytes += chunk.length
    chunks += 1
    if (isWaiting) return
    isWaiting = true
    takeLater(take)
  }

  request.push = (chunk: unknown): boolean => {
    if (chunk instanceof Uint8Array && chunk.length < smallBytes) {
      add(chunk)
      return false
    }
    flush()
    return push(chunk)
  }
}
