import { limits } from '../../shared/domain/limits.ts'
import { createUploadLimiters } from '../access/concurrent-uploads-policy.ts'
import { createCallerFactory, type CallerFactory } from '../access/caller-factory.ts'
import { createQuotas } from '../access/quota/quotas.ts'
import type { QuotaServer } from '../access/quota/other-servers.ts'
import type { ChangeAnnouncer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import { createVersionedCache } from '../records/file/versioned-cache.ts'
import type { ServerRecords } from '../records/port.ts'
import { hasOwnerEnded, machineStartId, newJournalName } from '../storage/posix/journal-owner.ts'
import type { Volume } from '../storage/port.ts'
import type { AuditModule } from './audit.ts'

/** The dependencies of `composeCallerFactory`. */
export type CallerFactoryModuleDependencies = {
  readonly config: Config
  readonly runtime: { readonly nowMs: () => number; readonly log: (line: string) => void }
  readonly records: ServerRecords
  readonly volume: Volume
  readonly announcer: ChangeAnnouncer
  readonly audit: Pick<AuditModule, 'onOperation'>
}

/** The caller factory of the server. */
export type CallerFactoryModule = CallerFactory & {
  /** Frees the space that was reserved for uploads in parts, after they were discarded. */
  readonly releaseUploads: (tokens: readonly string[]) => void
  /** Stores what was counted towards quotas. */
  readonly closeQuotas: () => Promise<void>
}

/** Creates the caller factory, which reads users and rules from the records. Each invalid rule is logged once. */
export function composeCallerFactory({
  config,
  runtime,
  records,
  volume,
  announcer,
  audit,
}: CallerFactoryModuleDependencies): CallerFactoryModule {
  const reportedRules = new Set<string>()
  const quotas = createQuotas({
    volume,
    nowMs: runtime.nowMs,
    store: records.scopeUsages,
    server: quotaServer(config, records, runtime.nowMs),
  })
  announcer.subscribe((change) => quotas.recordChange(change))
  const unendedSessions = createUnendedLookup(records)
  const callerFactory = createCallerFactory({
    volume,
    globalRules: async () => (await records.settings.get()).rules,
    announce: announcer.announce,
    findHooks: announcer.findHooks,
    record: audit.onOperation,
    async userNow({ user, session }) {
      const isUnended = session.endsAtMs > runtime.nowMs() && (await unendedSessions(session.id))
      const current = isUnended ? await records.users.find(user.id) : null
      return current === null || current.isDisabled ? null : current
    },
    onBrokenRule: (raw) => {
      if (reportedRules.has(raw) || reportedRules.size >= limits.rules) return
      reportedRules.add(raw)
      runtime.log(`A rule is not a valid regular expression and has no effect: ${JSON.stringify(raw)}`)
    },
    maxUploadBytes: config.maxUploadSize === 0 ? null : config.maxUploadSize,
    quotas,
    uploadLimiters: createUploadLimiters(),
    nowMs: runtime.nowMs,
  })
  return {
    ...callerFactory,
    releaseUploads: (tokens) => quotas.releaseUploads(tokens),
    closeQuotas: () => quotas.close(),
  }
}

/** Names this server in the usages of scopes, as its journal of staged files names it. */
const quotaServer = ({ root }: Config, { version }: ServerRecords, nowMs: () => number): QuotaServer => ({
  id: newJournalName(),
  hasEnded: (id, touchedAtMs) => hasOwnerEnded(id, touchedAtMs, nowMs()),
  // PostgreSQL, which has no version of its state, survives power cuts of this machine.
  machine: version === null ? '' : machineStartId(),
  folder: root,
})

/**
 * Creates a function that returns true while a session has not been ended. The result is cached until any process commits
 * to the database, because a session is looked up for every change of a file.
 */
function createUnendedLookup({
  sessions,
  version,
}: ServerRecords): (id: string) => boolean | Promise<boolean> {
  const cache = version === null ? null : createVersionedCache<string, boolean>(version)
  async function lookUp(id: string): Promise<boolean> {
    const store = cache?.beginRead()
    const isUnended = (await sessions.unended([id])).has(id)
    store?.(id, isUnended)
    return isUnended
  }
  return (id) => cache?.get(id) ?? lookUp(id)
}
