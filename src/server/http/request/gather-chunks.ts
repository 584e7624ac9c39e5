import type { IncomingMessage } from 'node:http'

/**
 * Chunks below 1 KiB are gathered into a buffer, because processing a small chunk takes as long as processing a large
 * chunk.
 */
const smallChunkBytes = 1024
/**
 * The size of the buffer for gathered chunks: 16 KiB. One read from a connection returns at most 64 KiB. When each
 * chunk has one byte, at most 16 KiB of these bytes belong to the body.
 */
const bufferBytes = 16 * 1024
/**
 * The maximum number of chunks that are passed on in one turn of the event loop. Processing them takes a few
 * milliseconds.
 */
const maxChunksPerTurn = 4096
/**
 * The number of turns of the event loop between two flushes of gathered chunks. These turns are free for other
 * connections.
 */
const turnsBetweenFlushes = 8

/** Passes on the gathered bytes of one body. Returns the number of chunks in which the bytes arrived. */
type ChunkFlusher = () => number

/**
 * Creates a function that gathers the small chunks of a request body into larger chunks. Ten chunks of one byte take
 * only sixty bytes on the wire, and separate buffers for millions of such chunks would take far more memory and time
 * than the bytes themselves. When a client sends small chunks, its connection is paused after each read, and resumed
 * when the gathered bytes have been passed on. Clients with small chunks are served in rotation: the event loop accepts
 * one new connection per turn, and that connection would otherwise wait while the server reads from all of these
 * clients.
 */
export function createChunkGatherer(): (request: IncomingMessage) => void {
  const waiting: ChunkFlusher[] = []
  let turns = 0

  function onTurn(): void {
    turns = (turns + 1) % turnsBetweenFlushes
    if (turns === 0) flushWaiting()
    if (waiting.length > 0) setImmediate(onTurn)
  }

  function flushWaiting(): void {
    for (let flushedChunks = 0; flushedChunks < maxChunksPerTurn && waiting.length > 0;)
      flushedChunks += waiting.shift()?.() ?? 0
  }

  return (request) =>
    gather(request, (flush) => {
      if (waiting.push(flush) === 1) setImmediate(onTurn)
    })
}

function gather(request: IncomingMessage, scheduleFlush: (flush: ChunkFlusher) => void): void {
  const push = request.push.bind(request)
  let buffer = Buffer.alloc(0)
  let usedBytes = 0
  let chunks = 0
  let isWaiting = false

  function flush(): void {
    if (usedBytes === 0) return
    const bytes = buffer.subarray(0, usedBytes)
    buffer = Buffer.alloc(0)
    usedBytes = 0
    push(bytes)
  }

  function flushAndCount(): number {
    const flushedChunks = chunks
    isWaiting = false
    chunks = 0
    flush()
    return flushedChunks
  }

  function add(chunk: Uint8Array): void {
    if (usedBytes + chunk.length > buffer.length) {
      flush()
      buffer = Buffer.allocUnsafeSlow(bufferBytes)
    }
    buffer.set(chunk, usedBytes)
    usedBytes += chunk.length
    chunks += 1
    if (isWaiting) return
    isWaiting = true
    scheduleFlush(flushAndCount)
  }

  request.push = (chunk: unknown): boolean => {
    if (chunk instanceof Uint8Array && chunk.length < smallChunkBytes) {
      add(chunk)
      return false
    }
    flush()
    return push(chunk)
  }
}
