import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { confinedScope, type Door } from './access/door.ts'
import { openArchives, type OpenedArchives } from './build/archives.ts'
import { createPacer } from './turns/pacer.ts'
import { createTurns } from './turns/turns.ts'
import { createPasswords, isPasswordHash, type Passwords } from './auth/passwords.ts'
import { createSessionEnds } from './auth/session-ends.ts'
import type * as sessions from './auth/sessions.ts'
import { createTickets } from './auth/tickets.ts'
import { openDoor } from './build/door.ts'
import { doorsOf } from './build/doors.ts'
import { openHooks } from './build/hooks.ts'
import { createTokenReader } from './auth/tokens.ts'
import { peopleRoutes } from './build/people.ts'
import { openPreviews, type Previews } from './build/previews.ts'
import { composeShares } from './build/shares.ts'
import { openShell } from './build/shell.ts'
import { ownFilesBase } from './config/database-place.ts'
import { ownFilesOf } from './config/own-files.ts'
import type { Config } from './config/serving-options.ts'
import { createAnnouncer, type Announcer } from './changes/announcer.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { createRevisits } from './files/revisit.ts'
import { fileRoutes } from './files/routes.ts'
import { healthRoutes } from './health/routes.ts'
import type { HttpOptions, Where } from './http/http-options.ts'
import { createHttpServer, type Listening } from './http/http-server.ts'
import type { Route } from './http/route.ts'
import { withOpenApi } from './openapi/routes.ts'
import { createPageDesk } from './page/page-desk.ts'
import { templateWithoutClient } from './page/render-page.ts'
import { openRecords } from './records/open-records.ts'
import type { Records, ServerRecord } from './records/port.ts'
import { searchRoutes } from './search/routes.ts'
import { createPosixVolume } from './storage/posix/volume.ts'
import type { Volume } from './storage/port.ts'
import type { CommandLimits } from './shell/command-limits.ts'
import { openSubtitles, type Subtitles } from './subtitles/routes.ts'
import { firstRun } from './users/first-run.ts'
import { startUploads } from './uploads/routes.ts'
import { AppError } from '../shared/domain/failure.ts'
import { limits } from '../shared/domain/limits.ts'

/** What a server needs of the world. */
export type World = {
  readonly nowMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: (line: string) => void
  /** The built client; null where there is none. */
  readonly clientFolder: string | null
  readonly version: string
  /** Options that a first run keeps, for starts without them; by name, as written. */
  readonly toStore?: ServerRecord
  /** Handed on to the login program, and in part to hooks. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Where people's commands may take less. */
  readonly commandLimits?: Partial<CommandLimits>
}

export type App = {
  /** Made up for the first user when the database was new; shown once, and kept nowhere. */
  readonly firstPassword: string | null
  listen(where: Where): Promise<Listening>
  /** Takes no more requests, lets those that run finish within the time, and closes what it opened. Repeatable. */
  close(options: { readonly graceMs: number }): Promise<void>
}

const sweepMs = 1000

/** The composition root: from what is configured to a server that only has to be told where to listen. */
export async function build(config: Config, world: World): Promise<App> {
  const records = await openRecords({ database: config.database, nowMs: world.nowMs })
  const passwords = createPasswords({ randomBytes: world.randomBytes })
  const onFault = (error: unknown): void => world.log(faultLine(error))
  const opened: Opened = { config, world, records, passwords, onFault }
  try {
    const firstPassword = await setUp(opened)
    return { ...(await compose(opened, await openVolume(opened))), firstPassword }
  } catch (error) {
    await Promise.all([records.close(), passwords.close()])
    throw error
  }
}

async function compose(opened: Opened, volume: Volume): Promise<Omit<App, 'firstPassword'>> {
  const { config, world, records, onFault } = opened
  const announcer = createAnnouncer(onFault)
  const login = await sessionNeeds(config, world, records)
  const previews = openPreviews(opened)
  const door = openDoor({ ...opened, volume, announcer })
  const hooks = openHooks({ ...opened, volume, announcer })
  const archives = openArchives(volume.name)
  const subtitles = openSubtitles()
  const uploads = openUploads(opened, volume)
  const template = await templateOf(world.clientFolder)
  const desk = await openPageDesk(opened, template)
  const parts: Parts = {
    ...opened,
    login,
    door,
    announcer,
    volume,
    archives,
    previews,
    subtitles,
    uploads,
    refreshPage: desk.refresh,
  }
  const shares = await composeShares(parts)
  const shell = openShell(parts)
  const { routes, sockets } = await routesOf(parts)
  const all = { routes: [...routes, ...shares.routes], sockets: [...sockets, ...shell.sockets] }
  const http = await createHttpServer({
    ...withOpenApi(all, { version: world.version, basePath: config.baseURL }),
    doors: doorsOf(parts),
    page: desk.page,
    foreground: desk.foreground,
    options: await httpOptions(config, template === templateWithoutClient ? null : world.clientFolder),
    log: world.log,
    nowMs: world.nowMs,
    newId: () => hex(world.randomBytes(8)),
  })
  const sweeping = setInterval(() => void login.ends.sweep(records.sessions).catch(onFault), sweepMs).unref()

  let closing: Promise<void> | undefined
  const close = async (graceMs: number): Promise<void> => {
    clearInterval(sweeping)
    await uploads.stop()
    await Promise.all([http.close({ graceMs }), shell.stop()])
    await hooks.close()
    await shares.stop()
    await Promise.all([archives.close(), subtitles.close(), opened.passwords.close()])
    previews.close()
    await volume.close()
    await records.close()
  }
  return {
    listen: (where) => http.listen(where),
    close: ({ graceMs }) => (closing ??= close(graceMs)),
  }
}

const openUploads = ({ config, world, records, onFault }: Opened, volume: Volume) =>
  startUploads({
    uploads: records.uploads,
    discard: (tokens) => volume.discard(tokens),
    basePath: config.baseURL,
    nowMs: world.nowMs,
    onFault,
  })

const setUp = ({ config, world, records, passwords }: Opened): Promise<string | null> =>
  firstRun({
    records,
    username: config.username,
    passwordHash: config.password,
    isWithoutLogin: config.noauth,
    toStore: world.toStore ?? {},
    isExecOn: !config.disableExec,
    isPasswordHash,
    hashPassword: (password) => passwords.hash(password),
    randomBytes: world.randomBytes,
  })

async function httpOptions(config: Config, staticFolder: string | null): Promise<HttpOptions> {
  const { cert, key, trustedOrigins, trustedProxies, disableTokenInUrl, logFormat } = config
  const tls =
    cert === '' || key === '' ? {} : { tls: { cert: await readFile(cert), key: await readFile(key) } }
  return {
    basePath: config.baseURL,
    trustedOrigins,
    trustedProxies,
    disableTokenInUrl,
    logFormat: logFormat === 'json' ? 'json' : 'text',
    staticFolder,
    ...tls,
  }
}

type Opened = {
  readonly config: Config
  readonly world: World
  readonly records: Records
  readonly passwords: Passwords
  readonly onFault: (error: unknown) => void
}

type Parts = Opened & {
  readonly login: sessions.SessionNeeds
  readonly door: Door
  readonly announcer: Announcer
  readonly volume: Volume
  readonly refreshPage: () => Promise<void>
  readonly archives: OpenedArchives
  readonly previews: Previews
  readonly subtitles: Subtitles
  readonly uploads: { readonly routes: readonly Route[] }
}

/** The served folder, swept of what a stopped server left half done, but for uploads that can be continued. */
async function openVolume({ config, world, records }: Opened): Promise<Volume> {
  const volume = createPosixVolume({
    root: config.root,
    fileMode: config.fileMode,
    dirMode: config.dirMode,
    own: ownFilesOf(config, world.nowMs),
    followExternalSymlinks: config.followExternalSymlinks,
    deadlineMs: config.diskTimeout,
    nodeThreads: Number(world.environment?.['UV_THREADPOOL_SIZE'] ?? 4),
    stateFolder: `${ownFilesBase(config)}.staged`,
    nowMs: world.nowMs,
  })
  await volume.sweep((await records.uploads.list()).map(({ token }) => token))
  return volume
}

async function sessionNeeds(config: Config, world: World, records: Records): Promise<sessions.SessionNeeds> {
  const key = await records.settings.key()
  if (key === null) throw new AppError('unavailable', { reason: 'the database holds no key' })
  return {
    users: records.users,
    sessions: records.sessions,
    ends: createSessionEnds(),
    tickets: createTickets(world),
    key,
    readToken: createTokenReader(key),
    lifetimeMs: config.tokenExpirationTime,
    nowMs: world.nowMs,
    randomBytes: world.randomBytes,
  }
}

async function routesOf(parts: Parts) {
  const { config, world, records, door, announcer, archives, onFault } = parts
  return {
    routes: [
      ...healthRoutes(records),
      ...fileRoutes({
        sniffs: !config.disableTypeDetectionByHeader,
        revisits: createRevisits(() => hex(world.randomBytes(8))),
        textTurns: createTurns({ atOnce: limits.textsAtOnce }),
        pace: createPacer(),
        checksumTurns: createTurns({
          atOnce: limits.checksumsAtOnce,
          mostWaiting: limits.checksumsWaiting,
          patienceMs: limits.checksumPatienceMs,
        }),
      }),
      ...downloadRoutes({ pack: archives.packFor }),
      ...parts.previews.routes,
      ...parts.uploads.routes,
      ...(await peopleRoutes(parts)),
      ...searchRoutes({
        streams: config.searchStream,
        turns: createTurns({ atOnce: limits.searchesAtOnce }),
        heartbeatMs: 5000,
      }),
      ...parts.subtitles.routes,
    ],
    sockets: eventRoutes({
      subscribe: announcer.subscribe,
      async reachOf(userId) {
        const user = await records.users.find(userId)
        const scope = user === null ? null : confinedScope(user.scope)
        return user === null || scope === null ? null : { scope, storage: await door.storageOf(user) }
      },
      onFault,
    }),
  }
}

const openPageDesk = ({ config, world, records, onFault }: Opened, template: string) =>
  createPageDesk({
    records,
    template,
    basePath: config.baseURL,
    version: world.version,
    server: {
      enableThumbs: !config.disableThumbnails,
      resizePreview: !config.disablePreviewResize,
      enableExec: !config.disableExec,
    },
    onFault,
    nowMs: world.nowMs,
  })

/** The client's page, or a plain one where it was not built. */
async function templateOf(clientFolder: string | null): Promise<string> {
  if (clientFolder === null) return templateWithoutClient
  return readFile(path.join(clientFolder, 'index.html'), 'utf8').catch(() => templateWithoutClient)
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A fault that no request waits for: all that is known of it, on one line. */
const faultLine = (error: unknown): string =>
  JSON.stringify(error instanceof Error ? (error.stack ?? error.message) : String(error))
