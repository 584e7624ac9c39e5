import type { IncomingMessage } from 'node:http'

/** Chunks below 1 KiB are gathered, because the processing time of a chunk does not depend on its size. */
const smallBytes = 1024
/**
 * The size of the buffer for gathered bytes. One read from a connection returns at most 64 KiB. When each chunk has one
 * byte, at most 16 KiB of a read belong to the body.
 */
const gatheredBytes = 16 * 1024
/**
 * The maximum number of chunks that are processed in one turn of the event loop. Processing this number takes some
 * milliseconds.
 */
const maxInTurn = 4096
/** The number of turns of the event loop that are left to other connections before the next chunks are processed. */
const turnsBetween = 8

/** Passes on the gathered bytes of one body. Returns the number of chunks in which they arrived. */
type ChunkFlusher = () => number

/**
 * Creates a function that gathers the small chunks of a request's body into larger ones. Sixty bytes on the wire may be
 * ten chunks of one byte, and buffers for millions of these chunks would take more memory and time than the bytes
 * themselves. When a client sends small chunks, its connection is paused after each read and resumed when the gathered
 * bytes have been passed on. These clients take turns, because the event loop accepts one new connection in each turn,
 * and the new connection would otherwise wait for a read from every one of them.
 */
export function createChunkGatherer(): (request: IncomingMessage) => void {
  const waiting: ChunkFlusher[] = []
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

function gather(request: IncomingMessage, takeLater: (flush: ChunkFlusher) => void): void {
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
