import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'

/** More bytes than the buffers of a connection hold, so that the server has to wait for the client. */
const sizeBytes = 256 * 1024 * 1024

/** Makes a file so large that its download is still running while the client reads nothing. */
export async function makeLargeFile(file: string): Promise<void> {
  const handle = await open(file, 'a')
  await handle.truncate(sizeBytes)
  await handle.close()
}

/** A download of which only the first bytes have been read. The server waits until the client reads on. */
export type RunningDownload = {
  /** Reads slowly until the connection is closed. Returns false when all bytes have arrived before. */
  readonly untilAborted: () => Promise<boolean>
  /** Reads the rest. Returns true when all bytes have arrived. */
  readonly readRest: () => Promise<boolean>
}

/** Starts a download of a large file and reads its first bytes. */
export async function beginDownload(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RunningDownload> {
  const outgoing = request(url, { headers, agent: false })
  outgoing.on('error', () => undefined)
  outgoing.end()
  onTestFinished(() => void outgoing.destroy())
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the download is refused: ${response.statusCode}`)
  response.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  await once(response, 'readable')
  return {
    async untilAborted() {
      // The end of the connection is noticed only after the bytes that are in its buffers have been read. At this speed,
      // the whole file would take 20 seconds.
      while (!response.closed) {
        response.read(response.readableLength === 0 ? undefined : Math.min(response.readableLength, 262_144))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return !response.complete
    },
    async readRest() {
      response.resume()
      await closed
      return response.complete
    },
  }
}
