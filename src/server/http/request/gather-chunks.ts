import type { IncomingMessage } from 'node:http'

/** What comes in smaller pieces is put together; a piece costs the same whatever its size. */
const smallBytes = 1024
/** One read brings 64 KiB, of which no more than this is body where each chunk is a byte. */
const gatheredBytes = 16 * 1024
/** Chunks that are taken, and so read again, in one turn of the event loop: some milliseconds of its time. */
const mostInTurn = 4096
/** Turns that others have before the next are taken. */
const turnsBetween = 8

/** Hands on what was gathered of one body; gives how many chunks that were. */
type Flush = () => number

/**
 * Has the small chunks of a body, as many as come together, handed on as one. Sixty bytes on the wire may be ten chunks of a byte each,
 * and a buffer for each of millions is more memory and time than the bytes themselves ever need. Whoever sends so is read one read at a
 * time: the connection goes on when what was gathered is taken. All that send so take turns, as a new connection is let in once in a turn
 * of the event loop, and would wait for a read of each of them.
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
    for (let taken = 0; taken < mostInTurn && waiting.length > 0;) taken += waiting.shift()?.() ?? 0
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
    const taken = chunks
    isWaiting = false
    chunks = 0
    flush()
    return taken
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
