import type { ChangeAnnouncer } from '../changes/announcer.ts'
import { later } from '../concurrency/later.ts'
import type { Config } from '../config/serving-options.ts'
import { changeOfMessage, messageOfChange } from '../peers/change-message.ts'
import { socketFolderOf } from '../peers/running-servers.ts'
import { openOutboxLink } from '../peers/outbox-link.ts'
import type { PeerLink, PeerListener } from '../peers/peer-link.ts'
import { openSocketLink } from '../peers/socket-link.ts'
import type { ServerRecords } from '../records/port.ts'
import { faultLine } from './fault-line.ts'
import type { ServerRuntime } from './server-runtime.ts'

type PeerModuleDependencies = {
  readonly config: Pick<Config, 'database'>
  readonly records: Pick<ServerRecords, 'outbox'>
  readonly announcer: Pick<ChangeAnnouncer, 'observe' | 'reports' | 'subscribe'>
  readonly runtime: Pick<ServerRuntime, 'randomBytes' | 'log'>
  readonly onFault: (error: unknown) => void
}

/** Tells the other servers of the state the changes of this one, and the observers of this one their changes. */
export async function composePeers(dependencies: PeerModuleDependencies): Promise<Pick<PeerLink, 'close'>> {
  const { announcer } = dependencies
  const { onChange, onLoss } = announcer.reports
  const link = await openLink(dependencies, {
    onMessage(message) {
      const change = changeOfMessage(message)
      if (change === null) onLoss()
      else onChange(change)
    },
    onLoss,
  })
  const unsubscribe = announcer.subscribe((change) => link.send(() => messageOfChange(change)))
  return {
    close() {
      unsubscribe()
      return link.close()
    },
  }
}

/** A link for a server that cannot reach its peers. They learn of its changes from the disk. */
const noLink: PeerLink = { send: () => {}, close: async () => {} }

async function openLink(
  { config, records: { outbox }, runtime, onFault }: PeerModuleDependencies,
  listener: PeerListener,
): Promise<PeerLink> {
  const name = Buffer.from(runtime.randomBytes(8)).toString('hex')
  if (outbox !== null) return openOutboxLink({ outbox, name, listener, later, onFault })
  try {
    return await openSocketLink({ folder: socketFolderOf(config.database), name, listener, later })
  } catch (error) {
    runtime.log(`Other servers of this state learn of changes only from the disk: ${faultLine(error)}`)
    return noLink
  }
}
