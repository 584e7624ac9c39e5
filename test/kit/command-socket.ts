import { WebSocket } from 'ws'
import { findBubblewrap } from '../../src/server/programs/find-bubblewrap.ts'
import { encodePath, pathOf } from '../../src/shared/domain/path.ts'
import type { SignedInUser } from './start-app.ts'
import { startProcess } from './start-process.ts'

/** The complete output of a command socket, and how it was closed. */
export type CommandSocketOutput = {
  readonly lines: readonly string[]
  readonly code: number
  readonly reason: string
}

/** An open command socket. */
export type CommandSocket = {
  readonly socket: WebSocket
  /** The lines that have arrived so far. */
  readonly lines: string[]
  /** Resolves with the complete output when the socket is closed. */
  readonly ended: Promise<CommandSocketOutput>
}

type CommandSocketOptions = {
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a command socket. Returns the status of the response when the server refuses the handshake. */
export async function dialCommand(
  app: { readonly url: string },
  person: Pick<SignedInUser, 'token'> | null,
  { path = '/', query = '', headers = {} }: CommandSocketOptions = {},
): Promise<CommandSocket | number> {
  const url = `${app.url.replace('http', 'ws')}/api/command${encodePath(pathOf(path)!)}${query}`
  const token = person === null ? {} : { 'x-auth': person.token }
  const socket = new WebSocket(url, { headers: { ...token, ...headers } })
  const lines: string[] = []
  socket.on('message', (data: Buffer) => lines.push(data.toString()))
  socket.on('error', () => undefined)
  const ended = new Promise<CommandSocketOutput>((resolve) => {
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

/** Opens a command socket, and throws when the server refuses the handshake. */
export async function openCommand(
  app: { readonly url: string },
  person: Pick<SignedInUser, 'token'>,
  options: CommandSocketOptions = {},
): Promise<CommandSocket> {
  const opened = await dialCommand(app, person, options)
  if (typeof opened === 'number') throw new Error(`the handshake got status ${opened}`)
  return opened
}

/** Sends one line over a new command socket and returns all output. */
export async function runCommandLine(
  app: { readonly url: string },
  person: Pick<SignedInUser, 'token'>,
  { line, ...options }: CommandSocketOptions & { readonly line: string },
): Promise<CommandSocketOutput> {
  const { socket, ended } = await openCommand(app, person, options)
  socket.send(line)
  return ended
}

/**
 * The sandbox for users' commands on this machine. Tests that need a sandbox are skipped when it is not usable, and the
 * names of these tests give the reason.
 */
export const sandbox = await findBubblewrap(startProcess, {})
