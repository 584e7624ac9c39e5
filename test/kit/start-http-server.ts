import { randomUUID } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { permissions, noPermissions, type Permissions } from '../../src/shared/domain/access.ts'
import type { Caller } from '../../src/server/access/caller.ts'
import type { SessionWatcher } from '../../src/server/auth/session-ends.ts'
import type { Authenticator, RequestCredentials } from '../../src/server/http/authenticator.ts'
import { createHttpServer, type HttpServerDependencies } from '../../src/server/http/http-server.ts'
import type { HttpLimits, HttpOptions, ListenAddress } from '../../src/server/http/http-options.ts'
import type { User } from '../../src/server/records/user-store.ts'
import type { OpenFile, Storage } from '../../src/server/storage/port.ts'

/** The users of the test server. The token of a user is `x.<name>.y`, and the cookie is `cookie-of-<name>`. */
const people: Readonly<Record<string, { readonly id: number; readonly perm: Permissions }>> = {
  ann: {
    id: 2,
    perm: {
      ...Object.fromEntries(permissions.map((permission) => [permission, true])),
      admin: false,
    } as Permissions,
  },
  bea: { id: 3, perm: noPermissions },
  ada: {
    id: 1,
    perm: Object.fromEntries(permissions.map((permission) => [permission, true])) as Permissions,
  },
}

/** The routes and settings of the server under test. */
export type HttpServerTestOptions = Partial<
  Pick<HttpServerDependencies, 'routes' | 'sockets' | 'page' | 'onRequestEnd'>
> & {
  readonly options?: Partial<HttpOptions>
  readonly limits?: Partial<HttpLimits>
  readonly storage?: Storage
  /** The address to listen on. By default, the server listens on a free port of this machine. */
  readonly listenAddress?: ListenAddress
  /** True when responses tell the client to renew its token. */
  readonly shouldRenew?: boolean
  /** Called before the caller of a request is known. The server waits for its promise. */
  readonly beforeRecognition?: () => Promise<void>
}

/** Options of a request. A request with `x-auth: ''` has no user. */
type FetchOptions = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

/**
 * Starts a real HTTP server on a free port with only the routes of the test. The server is closed at the end of the
 * test.
 */
export async function startHttpServer(options: HttpServerTestOptions = {}) {
  const lines: string[] = []
  const sessions = createSessions(options)
  const server = await createHttpServer({
    routes: options.routes ?? [],
    sockets: options.sockets ?? [],
    authenticator: sessions.authenticator,
    page: options.page ?? (() => ({ html: Buffer.from('<!doctype html>'), headers: {} })),
    options: { ...defaultOptions, ...options.options, limits: options.limits ?? {} },
    log: (line) => void lines.push(line),
    nowMs: Date.now,
    newId: randomUUID,
    ...(options.onRequestEnd !== undefined && { onRequestEnd: options.onRequestEnd }),
  })
  const { url, port } = await server.listen(options.listenAddress ?? { host: '127.0.0.1', port: 0 })
  const close = (graceMs = 0) => server.close({ graceMs })
  onTestFinished(() => close())
  return {
    url,
    port,
    lines,
    close,
    renewCertificate: server.renewCertificate,
    endSession: (name: string): void => sessions.end(name),
    /** Sends a request as ann, unless the headers name another user. */
    fetch: (relativeUrl: string, init: FetchOptions = {}) =>
      fetch(url + relativeUrl, { ...init, headers: { 'x-auth': 'x.ann.y', ...init.headers } }),
    raw: (bytes: string | Uint8Array) => converse(port, bytes),
  }
}

const defaultOptions: HttpOptions = {
  basePath: '',
  trustedOrigins: [],
  trustedProxies: [],
  disableTokenInUrl: false,
  staticFolder: null,
  logFormat: 'text',
}

const nameIn = ({ header, cookies, acceptsCookie, query }: RequestCredentials): string | undefined =>
  header?.split('.')[1] ??
  (acceptsCookie ? cookies[0]?.replace('cookie-of-', '') : undefined) ??
  query?.split('.')[1]

function createSessions(options: HttpServerTestOptions) {
  const listeners = new Map<string, Set<() => void>>()
  const watchers: SessionWatcher[] = []
  const authenticator: Authenticator = {
    recognise: async (credentials) => {
      await options.beforeRecognition?.()
      const name = nameIn(credentials)
      const person = name === undefined ? undefined : people[name]
      if (name === undefined || person === undefined) return null
      return { caller: callerOf(name, person, options.storage), shouldRenew: options.shouldRenew ?? false }
    },
    watchSessions: (watcher) => void watchers.push(watcher),
    onSessionEnd: (id, listener) => {
      const sessionListeners = listeners.get(id) ?? new Set()
      listeners.set(id, sessionListeners.add(listener))
      return () => void sessionListeners.delete(listener)
    },
  }
  return {
    authenticator,
    end(name: string): void {
      const id = `session-of-${name}`
      for (const { ended } of watchers) ended(new Set([id]))
      listeners.get(id)?.forEach((listener) => listener())
    },
  }
}

const callerOf = (
  name: string,
  { id, perm }: { readonly id: number; readonly perm: Permissions },
  storage: Storage | undefined,
): Caller => ({
  user: { id, username: name, perm } as User,
  accessKey: 'everything',
  session: {
    id: `session-of-${name}`,
    userId: id,
    createdAtMs: 0,
    seenAtMs: 0,
    idleUntilMs: 0,
    endsAtMs: 0,
    agent: '',
    address: '',
  },
  storage: storage as Caller['storage'],
  may: (permission) => perm[permission],
  recheck: async () => {},
  usesStorage: () => false,
})

/**
 * Sends bytes unchanged. Returns everything that is received until the server closes the connection, or until no data
 * has arrived for `quietMs`.
 */
export function converse(port: number, bytes: string | Uint8Array, quietMs = 300): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let response = ''
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', (chunk) => (response += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(response))
  })
}

/** A file that the test's routes send in responses. `openHandles` returns how many handles of the file are open. */
export type TestFile = { readonly open: () => Promise<OpenFile>; readonly openHandles: () => number }

/** Creates a real file and returns a function that opens it. As in the real storage, all chunks share one buffer. */
export async function fileOf(name: string, content: string | Uint8Array, etag = 'e1'): Promise<TestFile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-door-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const listenAddress = path.join(folder, 'content')
  await writeFile(listenAddress, content)
  let handles = 0
  const openFile = async (): Promise<OpenFile> => {
    const handle = await open(listenAddress)
    handles += 1
    const { size } = await handle.stat()
    let isOpen = true
    return {
      entry: { name, kind: 'file', sizeBytes: size, modifiedMs, mode: 0o100640, etag },
      async *bytes({ start, end }) {
        const buffer = Buffer.alloc(512 * 1024)
        for (let offset = start; offset < end;) {
          const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - offset), offset)
          if (bytesRead === 0) return
          offset += bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      },
      close: async () => {
        if (!isOpen) return
        isOpen = false
        await handle.close()
        handles -= 1
      },
    }
  }
  return { open: openFile, openHandles: () => handles }
}

/** Sat, 21 Nov 2026 12:00:00.500 GMT. HTTP headers express only whole seconds. */
export const modifiedMs = Date.UTC(2026, 10, 21, 12, 0, 0, 500)

/** Waits until the condition is true, and throws after `maxMs`. */
export async function eventually(condition: () => boolean, maxMs = 20_000): Promise<void> {
  const start = Date.now()
  while (!condition()) {
    if (Date.now() - start > maxMs) throw new Error('the condition did not become true in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Returns the headers of a row in a test table, without headers that are undefined. */
export const headersOf = (row: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
