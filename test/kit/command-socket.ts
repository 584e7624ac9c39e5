import { WebSocket } from 'ws'
import { findBubblewrap } from '../../src/server/programs/find-bubblewrap.ts'
import { encodePath, pathOf } from '../../src/shared/domain/path.ts'
import type { Person } from './start-app.ts'

/** What came back over a command socket. */
export type Ran = {
  readonly lines: readonly string[]
  readonly code: number
  readonly reason: string
}

export type CommandSocket = {
  readonly socket: WebSocket
  /** What came until now. */
  readonly lines: string[]
  /** All that came, when the socket is closed. */
  readonly ended: Promise<Ran>
}

type Dialling = {
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a command socket; a refused handshake gives its status. */
export async function dialCommand(
  app: { readonly url: string },
  person: Pick<Person, 'token'> | null,
  { path = '/', query = '', headers = {} }: Dialling = {},
): Promise<CommandSocket | number> {
  const address = `${app.url.replace('http', 'ws')}/api/command${encodePath(pathOf(path)!)}${query}`
  const token = person === null ? {} : { 'x-auth': person.token }
  const socket = new WebSocket(address, { headers: { ...token, ...headers } })
  const lines: string[] = []
  socket.on('message', (data: Buffer) => lines.push(data.toString()))
  socket.on('error', () => undefined)
  const ended = new Promise<Ran>((resolve) => {
    socket.once('close', (code, reason) => resolve({ lines, code, reason: String(reason) }))
  })
  const opened = new Promise<CommandSocket>((resolve) => {
    socket.once('open', () => resolve({ socket, lines, ended }))
  })
  const refused = new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      socket.terminate()
      resolve(statusCode)
    })
  })
  return Promise.race([opened, refused])
}

/** As `dialCommand`, for a handshake that is not refused. */
export async function openCommand(
  app: { readonly url: string },
  person: Pick<Person, 'token'>,
  dialling: Dialling = {},
): Promise<CommandSocket> {
  const dialled = await dialCommand(app, person, dialling)
  if (typeof dialled === 'number') throw new Error(`the handshake was answered with ${dialled}`)
  return dialled
}

/** Sends one line, and gives all that came of it. */
export async function runCommandLine(
  app: { readonly url: string },
  person: Pick<Person, 'token'>,
  { line, ...dialling }: Dialling & { readonly line: string },
): Promise<Ran> {
  const { socket, ended } = await openCommand(app, person, dialling)
  socket.send(line)
  return ended
}

/** Whether this machine lets sandboxes be made. Tests of them say so in their name where it does not. */
export const sandbox = await findBubblewrap({})
