import type { CallerFactory } from '../access/caller-factory.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { ChangeAnnouncer } from '../changes/announcer.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { later } from '../concurrency/later.ts'
import type { Config } from '../config/serving-options.ts'
import { eventLimits } from '../events/event-limits.ts'
import { createFolderWatches } from '../events/folder-watches.ts'
import { createRightsWatch } from '../events/rights-watch.ts'
import { eventRoutes } from '../events/routes.ts'
import { fileTypeAt } from '../files/describe-file.ts'
import { headReaderOf } from '../storage/read-head.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import type { ServerRecords } from '../records/port.ts'
import type { User } from '../records/user-store.ts'
import type { FolderVersions } from '../storage/folder-watcher.ts'
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
export type EventModule = {
  readonly sockets: readonly SocketRoute[]
  readonly folderVersions: FolderVersions
  close(): Promise<void>
}

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
  const watches = createFolderWatches({ watcher, later })
  const sockets = eventRoutes({
    observe: announcer.observe,
    async accessOf(userId) {
      const user = await activeUser(records, userId)
      const scope = user === null ? null : confinedScope(user.scope)
      if (user === null || scope === null) return null
      // The key is read first. A change in between makes the key outdated, which is noticed, and not the storage.
      const key = await callerFactory.accessKeyOf(user)
      return { key, scope, storage: await callerFactory.storageOf(user) }
    },
    async accessKeyOf(userId) {
      const user = await activeUser(records, userId)
      return user === null ? null : callerFactory.accessKeyOf(user)
    },
    watches,
    typeOf: (storage, { path, entry }) =>
      config.disableTypeDetectionByHeader
        ? Promise.resolve(typeOfFile(entry.name, (entry.target ?? entry).sizeBytes, null))
        : fileTypeAt(headReaderOf(storage), { path, entry }),
    later,
    watchRights: createRightsWatch({
      later,
      async rightsOf(userId) {
        const user = await activeUser(records, userId)
        if (user === null) return ''
        const { perm, scope, rules, commands, lockPassword } = user
        const { rules: globalRules } = await records.settings.get()
        return JSON.stringify([perm, scope, rules, globalRules, commands, lockPassword])
      },
      onFault,
    }),
    newToken: () => Buffer.from(runtime.randomBytes(16)).toString('hex'),
    limits: eventLimits,
    limiter: createKeyedLimiter({ maxConcurrent: eventLimits.concurrentWork }),
    onFault,
  })
  return { sockets, folderVersions: watches, close: () => watcher.close() }
}

/** Returns a user as stored now, or null when the user no longer exists or is disabled. */
async function activeUser({ users }: ServerRecords, id: number): Promise<User | null> {
  const user = await users.find(id)
  return user === null || user.isDisabled ? null : user
}
