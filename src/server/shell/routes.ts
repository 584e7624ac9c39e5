import { runCommand } from '../../shared/contract/command.ts'
import type { CommandRefusal } from '../../shared/domain/commands/command-refusals.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { SocketRequest, SocketRoute } from '../http/socket-route.ts'
import { runCommandLine, type ShellDependencies } from './run-command-line.ts'

export type ShellModule = {
  readonly sockets: readonly SocketRoute[]
  /** Ends all running commands. */
  stop(): Promise<void>
}

/** Creates the route for command sockets. Each socket runs one command. */
export function createShell(
  dependencies: ShellDependencies & { readonly onFault: (error: unknown) => void },
): ShellModule {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  function connect({ caller, path, client, socket }: SocketRequest): void {
    const disconnected = new AbortController()
    const signal = AbortSignal.any([disconnected.signal, stopping.signal])
    let hasLine = false
    socket.onClose(() => disconnected.abort())
    socket.onMessage((line) => {
      if (hasLine || line.trim() === '') return
      hasLine = true
      const commandDone = runRequest({ line, signal }).finally(() => running.delete(commandDone))
      running.add(commandDone)
    })

    async function runRequest(request: {
      readonly line: string
      readonly signal: AbortSignal
    }): Promise<void> {
      try {
        const { user, session } = caller
        const ids = { userId: user.id, sessionId: session.id, address: client.address }
        socket.close(await runCommandLine(dependencies, { ...request, ...ids, path, socket }))
      } catch (error) {
        const isAborted = codeOf(error) === 'aborted'
        if (!isAborted) dependencies.onFault(error)
        socket.close(isAborted ? '' : ('failed' satisfies CommandRefusal))
      }
    }
  }

  return {
    sockets: [{ endpoint: runCommand, connect, maxPerUser: dependencies.limits.socketsPerUser }],
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
