import type { IncomingMessage } from 'node:http'

/** What comes in smaller pieces is put together; a piece costs the same whatever its size. */
const smallBytes = 1024
const gatheredBytes = 64 * 1024

/**
 * Has the small chunks of a body, as many as come together, handed on as one. Sixty bytes on the wire may be ten chunks of a byte each,
 * and a buffer for each of millions is more memory and time than the bytes themselves ever need. Whoever sends so is read one read at a
 * time: the connection goes on when what was gathered is taken.
 */
export function gatherChunks(request: IncomingMessage): void {
  const push = request.push.bind(request)
  let gathered = Buffer.alloc(0)
  let usedBytes = 0

  function flush(): void {
    if (usedBytes === 0) return
    const piece = gathered.subarray(0, usedBytes)
    gathered = Buffer.alloc(0)
    usedBytes = 0
    push(piece)
  }

  function gather(chunk: Uint8Array): void {
    if (usedBytes + chunk.length > gathered.length) {
      flush()
      gathered = Buffer.allocUnsafeSlow(gatheredBytes)
    }
    if (usedBytes === 0) setImmediate(flush)
    gathered.set(chunk, usedBytes)
    usedBytes += chunk.length
  }

  request.push = (chunk: unknown): boolean => {
    if (chunk instanceof Uint8Array && chunk.length < smallBytes) {
      gather(chunk)
      return false
    }
    flush()
    return push(chunk)
  }
}
