import { confinedScope, type CallerFactory } from '../access/caller-factory.ts'
import type { ChangeAnnouncer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import { createFolderWatches } from '../events/folder-watches.ts'
import { eventRoutes } from '../events/routes.ts'
import { fileTypeAt } from '../files/describe-file.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import type { ServerRecords } from '../records/port.ts'
import { createFolderWatcher } from '../storage/posix/watching/folder-watcher.ts'
import { typeOfFile } from '../../shared/domain/file-kind.ts'

/** The dependencies of the events socket. */
type EventModuleDependencies = {
  readonly config: Config
  readonly records: ServerRecords
  readonly callerFactory: CallerFactory
  readonly announcer: ChangeAnnouncer
  readonly runtime: { readonly randomBytes: (count: number) => Uint8Array }
  readonly onFault: (error: unknown) => void
}

/** The events socket. `close` ends the watches of all folders. */
export type EventModule = { readonly sockets: readonly SocketRoute[]; close(): Promise<void> }

/** Creates the socket that tells clients the changes of the folders that they show. */
export function composeEvents({
  config,
  records,
  callerFactory,
  announcer,
  runtime,
  onFault,
}: EventModuleDependencies): EventModule {
  const watcher = createFolderWatcher()
  const sockets = eventRoutes({
    subscribe: announcer.subscribe,
    async accessOf(userId) {
      const user = await records.users.find(userId)
      const scope = user === null ? null : confinedScope(user.scope)
      return user === null || scope === null ? null : { scope, storage: await callerFactory.storageOf(user) }
    },
    watches: createFolderWatches({ watcher, later }),
    typeOf: (storage, { path, entry }) =>
      config.disableTypeDetectionByHeader
        ? Promise.resolve(typeOfFile(entry.name, (entry.target ?? entry).sizeBytes, null))
        : fileTypeAt(storage, { path, entry }),
    later,
    newToken: () => Buffer.from(runtime.randomBytes(16)).toString('hex'),
    onFault,
  })
  return { sockets, close: () => watcher.close() }
}

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
