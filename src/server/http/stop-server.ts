import type { Server } from 'node:http'
import { Server as ListeningServer } from 'node:net'
import type { ExchangeTracker } from './exchange-tracker.ts'
import type { OpenConnections } from './open-connections.ts'
import type { OpenSockets } from './sockets.ts'

export type StopOptions = {
  readonly exchanges: Pick<ExchangeTracker, 'endKeepAlive' | 'abortAll' | 'busySockets'>
  readonly connections: OpenConnections
  readonly sockets: OpenSockets
  /** The time in milliseconds in which requests in flight may finish. */
  readonly graceMs: number
}

/**
 * The time in milliseconds for which idle connections stay open. A client that sends requests one after the other gets a
 * response, which tells it to open a new connection for the next one. If the connection were closed at once, the request
 * that is on its way would be lost.
 */
const idleGraceMs = 1000
const idleSweepMs = 250
/** The time in milliseconds between the abortion of the requests in flight and the end of their connections. */
const abortMs = 250
/** The maximum number of turns of the event loop in which connections are accepted before the server stops to listen. */
const maxAcceptTurns = 50

/**
 * Stops a server: it accepts the connections that wait, and then stops to listen. It answers the requests of open connections
 * and closes each connection after its response. It closes connections that have been idle for a second since the stop began,
 * including those that have sent nothing. After `graceMs` it aborts the requests in flight and closes all connections.
 */
export async function stopServer(
  server: Server,
  { exchanges, connections, sockets, graceMs }: StopOptions,
): Promise<void> {
  exchanges.endKeepAlive()
  const closed = stopListening(server)
  sockets.closeAll()
  const idleMs = Math.min(idleGraceMs, graceMs)
  const sweep = connections.createSweep(idleMs)
  const closeIdle = (): void => sweep(exchanges.busySockets())
  closeIdle()
  const sweepTimer = setInterval(closeIdle, Math.min(idleSweepMs, idleMs))
  const abortTimer = setTimeout(() => {
    exchanges.abortAll()
    setTimeout(() => connections.destroyAll(), abortMs)
  }, graceMs)
  await closed
  clearInterval(sweepTimer)
  clearTimeout(abortTimer)
}

/**
 * Stops to listen, and resolves when all connections are closed. The system resets the connections that it has established
 * and that wait to be accepted, so the server accepts first until none is left.
 */
async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return
  let hasAccepted = true
  const onConnection = (): void => void (hasAccepted = true)
  server.on('connection', onConnection)
  for (let turn = 0; hasAccepted && turn < maxAcceptTurns; turn += 1) {
    hasAccepted = false
    for (const _ of 'ab') await new Promise((resolve) => setImmediate(resolve))
  }
  server.off('connection', onConnection)
  // The method of the HTTP server would close idle connections at once.
  await new Promise<void>((resolve) => ListeningServer.prototype.close.call(server, () => resolve()))
  // This call also ends the timer that looks for incomplete requests. The error says that the server does not listen any more.
  server.close(() => {})
}
