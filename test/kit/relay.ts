import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'

/** A relay in front of a PostgreSQL server. A test can cut and restore its connections. */
export type DatabaseRelay = {
  readonly port: number
  /** Closes all connections and refuses new ones. */
  cut(): void
  /** Stops forwarding data in both directions, but keeps the connections open. */
  stall(): void
  restore(): void
  close(): Promise<void>
}

/** Starts a relay on a free port that forwards connections to the PostgreSQL socket in the folder. */
export async function startRelay(folder: string): Promise<DatabaseRelay> {
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
    const closePair = () => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => state === 'open' && to.write(bytes))
      from.once('error', closePair).once('close', closePair)
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
    restore: () => void (state = 'open'),
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
