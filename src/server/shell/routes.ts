import { runCommand } from '../../shared/contract/command.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { SocketAsked, SocketRoute } from '../http/socket-route.ts'
import { runLine, type ShellNeeds } from './run-line.ts'

export type Shell = {
  readonly sockets: readonly SocketRoute[]
  /** Ends what runs. */
  stop(): Promise<void>
}

/** The socket for one command. */
export function createShell(needs: ShellNeeds & { readonly onFault: (error: unknown) => void }): Shell {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  function connect({ caller, path, socket }: SocketAsked): void {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, stopping.signal])
    let hasLine = false
    socket.onClose(() => gone.abort())
    socket.onMessage((line) => {
      if (hasLine || line.trim() === '') return
      hasLine = true
      const work = answer({ line, signal }).finally(() => running.delete(work))
      running.add(work)
    })

    async function answer(sent: { readonly line: string; readonly signal: AbortSignal }): Promise<void> {
      try {
        socket.close(await runLine(needs, { ...sent, userId: caller.user.id, path, socket }))
      } catch (error) {
        if (codeOf(error) !== 'aborted') needs.onFault(error)
        socket.close()
      }
    }
  }

  return {
    sockets: [{ endpoint: runCommand, connect, mostPerUser: needs.limits.socketsPerUser }],
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
