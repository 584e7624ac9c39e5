import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Throws the error of the system when another program listens on the port. Processes that share a port would otherwise
 * join a server that was started before.
 */
export async function requireFreePort({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
