import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { folderInMemory } from './temporary-folder.ts'
import { onTestFinished } from 'vitest'
import { build, type ServerApp } from '../../src/server/build.ts'
import type { ServerRuntime } from '../../src/server/composition/server-runtime.ts'
import { createPasswords } from '../../src/server/auth/passwords.ts'
import { openSession, type SessionDependencies } from '../../src/server/auth/sessions.ts'
import { servingOptions, type Config } from '../../src/server/config/serving-options.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { CommandLimits } from '../../src/server/shell/command-limits.ts'
import type { ServerRecords } from '../../src/server/records/port.ts'
import type { User, UserFields } from '../../src/server/records/user-store.ts'
import type { Settings } from '../../src/shared/contract/setting-fields.ts'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import { initialUserValues } from '../../src/shared/contract/fields/user-fields.ts'
import type { Permissions } from '../../src/shared/domain/access.ts'
import { isDatabaseUrl } from '../../src/shared/domain/database-url.ts'
import { encodePath, pathOf } from '../../src/shared/domain/path.ts'
import { migratedDatabaseIn } from './database.ts'
import { sessionDependenciesOf } from './login.ts'
import { sharedDatabaseThreads, sharedPasswordThreads, sharedStorageThreads } from './shared-threads.ts'
import { onChildSignal } from './start-process.ts'
import { makeTree, type FileTree } from './tree.ts'

export { treeOf } from './tree.ts'

/**
 * The fields of a test user that differ from the default. By default, a user has all permissions except administration.
 */
export type TestUserOptions = Omit<Partial<UserFields>, 'perm'> & { readonly perm?: Partial<Permissions> }

/** The files, users and settings of a test's server. */
export type TestAppOptions = {
  /** True for tests that link files of the state into the served folder: both are then on the same file system. */
  readonly isStateBesideFiles?: true
  readonly files?: FileTree
  /** The fields of the user ann, who sends the requests unless a test signs in as another user. */
  readonly user?: TestUserOptions
  /** Additional users, keyed by name. Their passwords are `<name> has a long password`. */
  readonly users?: Readonly<Record<string, TestUserOptions>>
  readonly settings?: Partial<Settings>
  readonly basePath?: string
  /** Configuration options of the server that differ from the defaults. */
  readonly config?: Partial<Config>
  /** True when the server serves a short test page with the structure of the client's HTML page. */
  readonly client?: boolean
  /** Returns the server's current time, in ms since 1970. By default, the clock of the machine is used. */
  readonly nowMs?: () => number
  /** Limits for commands that replace the defaults. */
  readonly commandLimits?: Partial<CommandLimits>
}

type EndpointCallOptions = {
  /** The decoded path. A trailing slash is kept. */
  readonly path?: string
  readonly id?: number
  /** The value for `{size}` in the pattern of the route. */
  readonly size?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly json?: unknown
}

type FetchOptions = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>
  /** The token of the request. Null sends the request without a token. By default, the user's own token is sent. */
  readonly token?: string | null
}

/** A user who is signed in. */
export type SignedInUser = {
  readonly user: User
  readonly password: string
  readonly token: string
  call(name: RouteName, options?: EndpointCallOptions): Promise<Response>
  /** Sends a request to a URL that is relative to the server's URL. */
  fetch(relativeUrl: string, options?: FetchOptions): Promise<Response>
  /** Returns the status of a request whose URL is sent unchanged: `fetch` would normalise dots and slashes. */
  rawStatus(method: string, relativeUrl: string): Promise<number>
}

/** A running server with the signed-in user ann, who sends the requests. */
export type TestApp = SignedInUser & {
  /** The server's URL without a slash at the end. */
  readonly url: string
  /** The served folder. */
  readonly disk: string
  /** The folder of the server's own files. */
  readonly state: string
  readonly records: ServerRecords
  /** The database, in the notation of the command-line flag `-d`. */
  readonly database: string
  readonly lines: readonly string[]
  signIn(name: string): Promise<SignedInUser>
  /** Starts another server on the same state and folder, and returns it with the session of ann. */
  startPeer(): Promise<TestPeer>
  close(): Promise<void>
}

/** Another server of the same state. */
export type TestPeer = SignedInUser & { readonly url: string; readonly close: () => Promise<void> }

const passwordOf = (name: string): string => `${name} has a long password`

/** Starts the real server with a real folder and a real database. Everything is removed at the end of the test. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await openApp(options)
  onTestFinished(() => app.close())
  return app
}

/** Starts a server as `startApp` does, for use in several tests. The caller must close the server. */
export async function openApp(options: TestAppOptions = {}): Promise<TestApp> {
  const state = mkdtempSync(
    path.join(options.isStateBesideFiles ? tmpdir() : folderInMemory(), 'stowage-state-'),
  )
  const disk = mkdtempSync(path.join(tmpdir(), 'stowage-files-'))
  await makeTree(disk, options.files ?? {})
  const { database, remove } = await migratedDatabaseIn(state)
  const nowMs = options.nowMs ?? Date.now
  const records = await openRecords({ database, nowMs })
  const key = randomBytes(64)
  await records.settings.setKey(key)
  await fill(records, options)
  const lines: string[] = []
  const config: Config = {
    ...defaultConfig,
    root: disk,
    database,
    stateDir: isDatabaseUrl(database) ? state : '',
    baseURL: options.basePath ?? '',
    ...options.config,
  }
  const clientFolder = options.client === true ? await clientIn(state) : null
  const runtimeOf = (): ServerRuntime => ({
    nowMs,
    randomBytes,
    log: (line) => void lines.push(line),
    clientFolder,
    version: 'test',
    commandLimits: options.commandLimits ?? {},
    passwordThreads: sharedPasswordThreads(),
    databaseThreads: sharedDatabaseThreads(),
    onChildSignal,
    ...(options.config?.diskTimeout === undefined && { storageThreads: sharedStorageThreads() }),
  })
  const servers: ServerApp[] = []
  const startServer = async () => {
    const server = await build(config, runtimeOf())
    servers.push(server)
    const { url: origin } = await server.listen({ host: '127.0.0.1', port: 0 })
    return { url: origin + (options.basePath ?? ''), close: () => server.close({ graceMs: 0 }) }
  }
  const { url } = await startServer()
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await Promise.all(servers.map((server) => server.close({ graceMs: 0 })))
    await records.close()
    await remove()
    for (const folder of [state, disk]) rmSync(folder, { recursive: true, force: true })
  }
  const sessions = sessionDependenciesOf(records, { nowMs, key, lifetimeMs: config.tokenExpirationTime })
  const signIn = (name: string) => signInAs({ url, records, sessions }, name)
  const ann = await signIn('ann')
  const startPeer = async (): Promise<TestPeer> => {
    const peer = await startServer()
    return { ...ann, ...requestsOf(peer.url, ann.token), ...peer }
  }
  return { ...ann, url, disk, state, database, records, lines, signIn, startPeer, close }
}

const template = `<!doctype html><html class="%THEME%"><head><title>%TITLE%</title><meta name="theme-color" content="%COLOR%" />
<script>document</script><!--ICONS--><script type="application/json" id="config">%CONFIG%</script>
<script type="module" src="./assets/index-0123abcd.js"></script></head></html>`

const clientPublicFolder = path.resolve(import.meta.dirname, '../../src/client/public')

/** Creates a client folder that contains a short page template and copies of the client's images. */
async function clientIn(state: string): Promise<string> {
  const folder = path.join(state, 'client')
  await makeTree(state, { client: { 'index.html': template, assets: { 'index-0123abcd.js': 'start()' } } })
  await cp(clientPublicFolder, folder, { recursive: true })
  return folder
}

/** The default configuration. */
const defaultConfig = Object.fromEntries(
  Object.entries(servingOptions).map(([key, option]) => [key, option.default]),
) as unknown as Config

/**
 * A cache of password hashes, keyed by password. Computing a hash is slow on purpose (0.1 seconds), so each password is
 * hashed only once per run.
 */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const hash =
    hashes.get(password) ?? createPasswords({ randomBytes, threads: sharedPasswordThreads() }).hash(password)
  hashes.set(password, hash)
  return hash
}

async function fill(records: ServerRecords, options: TestAppOptions): Promise<void> {
  if (options.settings) await records.settings.change(options.settings)
  const users = { ann: options.user ?? {}, ...options.users }
  for (const [username, person] of Object.entries(users))
    await records.users.add(await fieldsOf(username, person))
}

async function fieldsOf(username: string, { perm, ...fields }: TestUserOptions): Promise<UserFields> {
  return {
    username,
    passwordHash: await hashOf(passwordOf(username)),
    ...initialUserValues,
    viewMode: 'list',
    perm: { ...initialUserValues.perm, ...perm },
    sorting: { by: 'name', asc: false },
    isDisabled: false,
    ...fields,
  }
}

type SignInServer = Pick<TestApp, 'url' | 'records'> & { readonly sessions: SessionDependencies }

/**
 * Opens a session for a user without a login request. The password check of a login request takes 0.1 seconds on
 * purpose.
 */
async function signInAs({ url, records, sessions }: SignInServer, name: string): Promise<SignedInUser> {
  const user = await records.users.findByName(name)
  if (user === null) throw new Error(`nobody is called ${name}`)
  const { token } = await openSession(sessions, user, { address: '127.0.0.1', agent: 'test' })
  return { user, password: passwordOf(name), token, ...requestsOf(url, token) }
}

function requestsOf(url: string, ownToken: string): Pick<SignedInUser, 'call' | 'fetch' | 'rawStatus'> {
  const fetchRelative: SignedInUser['fetch'] = (
    relativeUrl,
    { token = ownToken, headers = {}, ...rest } = {},
  ) =>
    fetch(url + relativeUrl, {
      ...rest,
      headers: { ...(token === null ? {} : { 'x-auth': token }), ...headers },
    })
  return {
    fetch: fetchRelative,
    rawStatus(method, relativeUrl) {
      const { hostname, port, pathname } = new URL(url)
      const path = (pathname === '/' ? '' : pathname) + relativeUrl
      return new Promise((resolve, reject) => {
        const outgoing = request(
          { hostname, port, path, method, headers: { 'x-auth': ownToken } },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          },
        )
        outgoing.once('error', reject).end()
      })
    },
    call(name, { path: outgoing = '/', id, size = '', query, headers = {}, body, json } = {}) {
      const { method, pattern } = routes[name]
      const relativeUrl = pattern
        .replace('/*', encoded(outgoing))
        .replace('{id}', String(id))
        .replace('{size}', size)
      const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
      const requestBody = json === undefined ? body : JSON.stringify(json)
      return fetchRelative(relativeUrl + search, {
        method,
        headers,
        ...(requestBody === undefined ? {} : { body: requestBody }),
      })
    },
  }
}

function encoded(outgoing: string): string {
  const parsedPath = pathOf(outgoing)
  if (parsedPath === null) throw new Error(`no path: ${outgoing}`)
  return encodePath(parsedPath) + (outgoing.endsWith('/') && parsedPath !== '/' ? '/' : '')
}
