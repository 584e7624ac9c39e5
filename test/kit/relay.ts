import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'

/** The way to a PostgreSQL server, which can be cut and mended. */
export type Relay = {
  readonly port: number
  /** Ends what is connected and refuses what comes. */
  cut(): void
  /** Lets nothing pass in either direction, and says nothing about it. */
  stall(): void
  mend(): void
  close(): Promise<void>
}

/** A port of its own before the socket in a folder. */
export async function startRelay(folder: string): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'cut' | 'stalled' = 'open'
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(path.join(folder, '.s.PGSQL.5432'))
    const pair = [near, far] as const
    pairs.add(pair)
    const end = () => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => state === 'open' && to.write(bytes))
      from.once('error', end).once('close', end)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const cut = () => {
    state = 'cut'
    for (const [near] of pairs) near.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    stall: () => void (state = 'stalled'),
    mend: () => void (state = 'open'),
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
