import { composeAdvisories } from './composition/advisories.ts'
import { composeArchives, type ArchiveModule } from './composition/archives.ts'
import { composeAudit, type AuditModule } from './composition/audit.ts'
import { createKeyedLimiter } from './concurrency/keyed-limiter.ts'
import { createPasswords, type PasswordHasher } from './auth/passwords.ts'
import type { SessionDependencies } from './auth/sessions.ts'
import { createSharedCounts, type SharedCounts } from './auth/shared-counts.ts'
import { composeCallerFactory, type CallerFactoryModule } from './composition/caller-factory.ts'
import { createAuthenticator } from './composition/authenticator.ts'
import { composeFiles } from './composition/files.ts'
import { composeHooks, type HookModule } from './composition/hooks.ts'
import { composeHttpOptions } from './composition/http-options.ts'
import { composeAccountRoutes } from './composition/accounts.ts'
import { composeEvents, type EventModule } from './composition/events.ts'
import { composeFirstRun } from './composition/first-run.ts'
import { composePeers } from './composition/peers.ts'
import { composeUploads } from './composition/uploads.ts'
import { composeVolume } from './composition/volume.ts'
import { composePage, readTemplate } from './composition/page.ts'
import { composeProcessStarter } from './composition/process-starter.ts'
import { composePreviews, type PreviewModule } from './composition/previews.ts'
import type { ServerRuntime } from './composition/server-runtime.ts'
import { composeShares } from './composition/shares.ts'
import { composeSessionDependencies } from './composition/session-dependencies.ts'
import { composeShell, type CommandAvailability } from './composition/shell.ts'
import { memoryBudgetOf, type MemoryBudget } from './config/memory-budget.ts'
import type { Config } from './config/serving-options.ts'
import { createAnnouncer, type ChangeAnnouncer } from './changes/announcer.ts'
import { healthRoutes } from './health/routes.ts'
import { createRequestCounts, type RequestCounts } from './metrics/request-counts.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { openIdleMemory, transferGarbageCollector } from './idle-memory.ts'
import type { ListenAddress } from './http/http-options.ts'
import { createHttpServer, type ServerAddress } from './http/http-server.ts'
import { withOpenApi } from './openapi/routes.ts'
import { templateWithoutClient } from './page/render-page.ts'
import { faultLine } from './composition/fault-line.ts'
import { otherServersRun } from './peers/running-servers.ts'
import type { MigrationWait } from './records/database-options.ts'
import { openRecords } from './records/open-records.ts'
import type { ServerRecords } from './records/port.ts'
import type { ProcessStarter } from './programs/process-starter.ts'
import { searchRoutes } from './search/routes.ts'
import { limitFreeMemory, loadHeapTrim, readProgramFilesByPage } from './storage/posix/calls/kernel.ts'
import { composeAdministrationRoutes } from './composition/administration.ts'
import type { Volume } from './storage/port.ts'
import { openSubtitles, type SubtitleModule } from './subtitles/routes.ts'
import { limits } from '../shared/domain/limits.ts'

/** A server that is ready to listen. */
export type ServerApp = {
  /**
   * The generated password of the first user when the database was new; null otherwise. The caller displays it once. It
   * is never stored in plain text.
   */
  readonly firstPassword: string | null
  listen(address: ListenAddress): Promise<ServerAddress>
  /** Looks in another process for packages that do not run on this machine, and says which features they take away. */
  findMissingPackages(): Promise<void>
  /** Reads the certificate again when its files have changed. */
  renewCertificate(): Promise<void>
  /**
   * Refuses new requests, lets running requests finish within `graceMs` milliseconds, and releases all resources.
   * Further calls return the same promise.
   */
  close(options: { readonly graceMs: number }): Promise<void>
}

/**
 * The interval in milliseconds at which the server searches for ended sessions and guest passes, and for rights that were
 * taken away, and aborts what runs under them.
 */
const sweepMs = 1000

/**
 * Builds a server from its configuration. This function is the composition root: it creates all parts of the server and
 * connects them. The caller only chooses the address on which the server listens.
 */
export async function build(config: Config, runtime: ServerRuntime): Promise<ServerApp> {
  const memoryBudget = memoryBudgetOf(runtime.memoryBytes ?? Number.POSITIVE_INFINITY)
  const { mallocArenas: arenas, mappedBlockBytes } = memoryBudget
  if (!(await limitFreeMemory({ arenas, mappedBlockBytes })) && process.platform === 'linux')
    runtime.log('Folders are read more slowly: the package koffi is missing or does not run here.')
  const records = await openRecords({
    database: config.database,
    nowMs: runtime.nowMs,
    migrationWait: migrationWaitWith(runtime.log),
    upkeep: { log: runtime.log, threads: runtime.databaseThreads },
  })
  const passwords = createPasswords({
    randomBytes: runtime.randomBytes,
    concurrency: memoryBudget.passwordThreads,
    idleCheckMs: memoryBudget.idleThreadCheckMs,
    threads: runtime.passwordThreads,
  })
  const onFault = (error: unknown): void => runtime.log(faultLine(error))
  const startProcess = await composeProcessStarter(runtime)
  const counts = createSharedCounts({ throttles: records.throttles, nowMs: runtime.nowMs })
  const core: ServerCore = {
    config,
    runtime,
    memoryBudget,
    records,
    counts,
    passwords,
    startProcess,
    onFault,
  }
  try {
    const firstPassword = await composeFirstRun(core)
    const app = await compose(core, await composeVolume(core))
    if (memoryBudget.isSmall) await readProgramFilesByPage()
    return { ...app, firstPassword }
  } catch (error) {
    await Promise.all([records.close(), passwords.close()])
    throw error
  }
}

/** Returns how a server waits before it migrates the database. `log` gets the line that says that it waits. */
export const migrationWaitWith = (log: (line: string) => void): MigrationWait => ({ log, otherServersRun })

async function compose(core: ServerCore, volume: Volume): Promise<Omit<ServerApp, 'firstPassword'>> {
  const { runtime, onFault } = core
  const announcer = createAnnouncer(onFault)
  const audit = composeAudit(core)
  const login = await composeSessionDependencies(core)
  const previews = await composePreviews(core)
  const callerFactory = composeCallerFactory({ ...core, volume, announcer, audit })
  const hooks = composeHooks({ ...core, volume, announcer, audit })
  const uploads = composeUploads({ ...core, volume, callerFactory })
  const template = await readTemplate(runtime.clientFolder)
  const archives = composeArchives({ ...core, volumeName: volume.name, remux: previews.remux })
  const page = await composePage(core, template, { previews, archives })
  const parts: ServerModules = {
    ...core,
    audit,
    login,
    callerFactory,
    announcer,
    volume,
    archives,
    previews,
    subtitles: openSubtitles(),
    uploads,
    refreshPage: page.refresh,
    advisories: composeAdvisories(core),
    hooks,
  }
  const shares = await composeShares(parts)
  const shell = composeShell(parts)
  const events = composeEvents(parts)
  const { http, idleMemory } = await openHttp(parts, { page, template, shares, shell, events })
  const peers = await composePeers(parts)
  const sweeper = setInterval(() => void login.ends.sweep(shares.lookup).catch(onFault), sweepMs).unref()
  let closePromise: Promise<void> | undefined
  const close = async (graceMs: number): Promise<void> => {
    clearInterval(sweeper)
    idleMemory.stop()
    await closeModules(parts, {
      shares,
      events,
      shell,
      peers,
      closeHttp: () => http.close({ graceMs }),
    })
  }
  return {
    listen: (address) => http.listen(address),
    findMissingPackages: () => archives.missingFormats.find(page.refresh),
    renewCertificate: http.renewCertificate,
    close: ({ graceMs }) => (closePromise ??= close(graceMs)),
  }
}

type ServedModules = {
  readonly page: Awaited<ReturnType<typeof composePage>>
  readonly template: string
  readonly shares: Awaited<ReturnType<typeof composeShares>>
  readonly shell: ReturnType<typeof composeShell>
  readonly events: EventModule
}

/** Creates the HTTP server with all routes, and what happens between requests. */
async function openHttp(parts: ServerModules, { page, template, shares, shell, events }: ServedModules) {
  const { config, runtime, audit, memoryBudget } = parts
  const requests = createRequestCounts()
  const collectGarbage = memoryBudget.isSmall ? transferGarbageCollector(await loadHeapTrim()) : undefined
  const routes = [...(await routesOf({ ...parts, ...shell, events, requests })), ...shares.routes]
  const boundRoutes = { routes: audit.withAudit(routes), sockets: [...events.sockets, ...shell.sockets] }
  const http = await createHttpServer({
    ...withOpenApi(boundRoutes, { version: runtime.version, basePath: config.baseURL }),
    authenticator: createAuthenticator(parts),
    ...page,
    options: await composeHttpOptions(parts, template !== templateWithoutClient),
    log: runtime.log,
    nowMs: runtime.nowMs,
    newId: () => hex(runtime.randomBytes(8)),
    onRefusal: audit.onRefusal,
    onRequestEnd(request) {
      requests.add(request)
      idleMemory.noteWork()
    },
    onChunk(bytes, direction) {
      requests.addChunk(bytes, direction)
      collectGarbage?.(bytes)
    },
  })
  const trimHeap = await loadHeapTrim()
  const idleMemory = openIdleMemory({ isBusy: http.isBusy, isMemorySmall: memoryBudget.isSmall, trimHeap })
  return { http, idleMemory }
}

type ClosingModules = Pick<ServedModules, 'shares' | 'shell' | 'events'> & {
  readonly peers: Awaited<ReturnType<typeof composePeers>>
  /** Waits for the requests that are running, and then breaks them off. */
  readonly closeHttp: () => Promise<void>
}

/** Ends the requests of a server, and then closes its modules. */
async function closeModules(
  parts: ServerModules,
  { shares, events, shell, peers, closeHttp }: ClosingModules,
): Promise<void> {
  await Promise.all([parts.uploads.stop(), parts.advisories.stop()])
  await Promise.all([closeHttp(), shell.stop()])
  await parts.hooks.close()
  await shares.stop()
  await Promise.all([
    parts.archives.close(),
    parts.subtitles.close(),
    parts.passwords.close(),
    events.close(),
  ])
  parts.previews.close()
  await parts.audit.stop()
  await parts.volume.close()
  await parts.callerFactory.closeQuotas()
  await parts.counts.close()
  // A server of a newer version that waits with its migration starts it now.
  await peers.close()
  await parts.records.close()
}

/** The parts of the server on which all other parts depend. */
type ServerCore = {
  readonly config: Config
  readonly runtime: ServerRuntime
  readonly memoryBudget: MemoryBudget
  readonly records: ServerRecords
  /** The counts of failures and signups that are limited. */
  readonly counts: SharedCounts
  readonly passwords: PasswordHasher
  readonly startProcess: ProcessStarter
  readonly onFault: (error: unknown) => void
}

/** The parts of the server from which the routes are created. */
type ServerModules = ServerCore & {
  readonly audit: AuditModule
  readonly login: SessionDependencies
  readonly callerFactory: CallerFactoryModule
  readonly announcer: ChangeAnnouncer
  readonly volume: Volume
  readonly refreshPage: () => Promise<void>
  readonly advisories: ReturnType<typeof composeAdvisories>
  readonly archives: ArchiveModule
  readonly previews: PreviewModule
  readonly subtitles: SubtitleModule
  readonly uploads: ReturnType<typeof composeUploads>
  readonly hooks: HookModule
}

async function routesOf(
  parts: ServerModules &
    CommandAvailability & { readonly events: EventModule; readonly requests: RequestCounts },
) {
  const { config, runtime, memoryBudget, records, archives } = parts
  return [
    ...healthRoutes(records),
    ...metricsRoutes({
      ...parts,
      token: config.metricsToken,
      version: runtime.version,
      processNumber: runtime.processNumber,
      sessions: records.sessions,
      nowMs: runtime.nowMs,
    }),
    ...parts.audit.routes,
    ...composeAdministrationRoutes(parts),
    ...composeFiles({
      config,
      memoryBudget,
      versions: parts.events.folderVersions,
      processCount: runtime.processCount,
      newMark: () => hex(runtime.randomBytes(8)),
    }),
    ...archives.routes,
    ...parts.previews.routes,
    ...parts.uploads.routes,
    ...(await composeAccountRoutes(parts)),
    ...searchRoutes({
      streams: config.searchStream,
      limiter: createKeyedLimiter({ maxConcurrent: limits.concurrentSearches }),
      heartbeatMs: 5000,
    }),
    ...parts.subtitles.routes,
  ]
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
