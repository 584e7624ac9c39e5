import { commandRefusals, type CommandRefusal } from '../../../shared/domain/commands/command-refusals.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { href } from '../../api/href.ts'

/**
 * The end of a command: with an exit code; by the user; by a limit of the server; with the connection; or without
 * having started. The output of a command that was `refused` for a reason without a message contains the reason.
 */
export type CommandEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | {
      readonly kind: CommandRefusal | 'refused' | 'stopped' | 'time-limit' | 'over-limits' | 'ended' | 'lost'
    }

type CommandRequest = {
  readonly folder: Path
  readonly line: string
  readonly onLine: (line: string) => void
  /** Stops the command. */
  readonly signal: AbortSignal
}

/** The close code of a socket whose session has ended. */
const sessionEndCode = 4401

/**
 * Runs a command line in a folder. Each line of output is passed on as it arrives. A ticket authorises the socket, so
 * that the token of the session is in no address.
 * @throws CallError when the server refuses the ticket or cannot be reached.
 */
export async function runCommand({ folder, line, onLine, signal }: CommandRequest): Promise<CommandEnd> {
  const response = await call('tickets.create', { body: { path: folder, kind: 'command' }, signal })
  const address = new URL(href('command.run', { path: folder }), window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('auth', (await response.text()).trim())
  return new Promise((resolve) => {
    const socket = new WebSocket(address)
    const stop = (): void => socket.close()
    signal.addEventListener('abort', stop)
    socket.addEventListener('open', () => socket.send(line))
    socket.addEventListener('message', ({ data }) => onLine(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      signal.removeEventListener('abort', stop)
      resolve(signal.aborted ? { kind: 'stopped' } : commandEndOf(code, reason))
    })
    if (signal.aborted) stop()
  })
}

const endsByReason = ['time-limit', 'over-limits', 'ended', ...commandRefusals] as const

/** Returns how a command ended, from the close code and the reason of its socket (contract 12.1). */
export function commandEndOf(code: number, reason: string): CommandEnd {
  if (code === sessionEndCode) return { kind: 'ended' }
  if (code !== 1000) return { kind: 'lost' }
  if (/^\d+$/.test(reason)) return { kind: 'exit', code: Number(reason) }
  return { kind: endsByReason.find((kind) => kind === reason) ?? 'refused' }
}
