import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { build } from '../../src/server/build.ts'
import { createPasswords } from '../../src/server/auth/passwords.ts'
import { servingOptions, type Config } from '../../src/server/config/serving-options.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import type { CommandLimits } from '../../src/server/shell/command-limits.ts'
import type { Records, Settings, User, UserFields } from '../../src/server/records/port.ts'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import { permissions, type Permissions } from '../../src/shared/domain/access.ts'
import { isDatabaseAddress } from '../../src/shared/domain/database-address.ts'
import { encodePath, pathOf } from '../../src/shared/domain/path.ts'
import { databaseIn } from './database.ts'
import { makeTree, type Tree } from './tree.ts'

export { treeOf } from './tree.ts'

/** What a person differs in from one who may do everything but administer. */
export type PersonWish = Omit<Partial<UserFields>, 'perm'> & { readonly perm?: Partial<Permissions> }

export type AppWish = {
  readonly files?: Tree
  /** Ann, who asks when nobody else is named. */
  readonly user?: PersonWish
  /** Others, by name; their password is `<name> has a long password`. */
  readonly people?: Readonly<Record<string, PersonWish>>
  readonly settings?: Partial<Settings>
  readonly basePath?: string
  /** What serving is told beside it. */
  readonly config?: Partial<Config>
  /** Whether a page of the shape of the client's is served. */
  readonly client?: boolean
  /** The server's clock, in ms since 1970; by default that of the machine. */
  readonly nowMs?: () => number
  /** Where commands may take less than otherwise. */
  readonly commandLimits?: Partial<CommandLimits>
}

type Asking = {
  /** Decoded; `/` at its end is kept. */
  readonly path?: string
  readonly id?: number
  /** For the pattern's `{size}`. */
  readonly word?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly json?: unknown
}

type Fetching = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>
  /** Null sends none; left out, the person's own. */
  readonly token?: string | null
}

/** Somebody who is signed in. */
export type Person = {
  readonly user: User
  readonly password: string
  readonly token: string
  call(name: RouteName, asking?: Asking): Promise<Response>
  /** By an address below the server's, as it is. */
  fetch(address: string, fetching?: Fetching): Promise<Response>
  /** The status of a request whose address is sent as it is: `fetch` takes dots and slashes out of them. */
  rawStatus(method: string, address: string): Promise<number>
}

export type App = Person & {
  /** Without a slash at its end. */
  readonly url: string
  /** The served folder. */
  readonly disk: string
  /** Where the server keeps its own files. */
  readonly state: string
  readonly records: Records
  /** What the command line is told of it (`-d`). */
  readonly database: string
  readonly lines: readonly string[]
  signIn(name: string): Promise<Person>
  close(): Promise<void>
}

const passwordOf = (name: string): string => `${name} has a long password`

/** The real server on a real folder and a real database; everything is gone when the test is over. */
export async function startApp(wish: AppWish = {}): Promise<App> {
  const app = await openApp(wish)
  onTestFinished(() => app.close())
  return app
}

/** The same for several tests: whoever opens it closes it. */
export async function openApp(wish: AppWish = {}): Promise<App> {
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-state-'))
  const disk = await mkdtemp(path.join(tmpdir(), 'stowage-files-'))
  await makeTree(disk, wish.files ?? {})
  const { database, remove } = await databaseIn(state)
  const records = await openRecords({ database, nowMs: wish.nowMs ?? Date.now })
  await fill(records, wish)
  const lines: string[] = []
  const app = await build(
    {
      ...plainConfig,
      root: disk,
      database,
      stateDir: isDatabaseAddress(database) ? state : '',
      baseURL: wish.basePath ?? '',
      ...wish.config,
    },
    {
      nowMs: wish.nowMs ?? Date.now,
      randomBytes,
      log: (line) => void lines.push(line),
      clientFolder: wish.client === true ? await clientIn(state) : null,
      version: 'test',
      commandLimits: wish.commandLimits ?? {},
    },
  )
  const { url: origin } = await app.listen({ host: '127.0.0.1', port: 0 })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await app.close({ graceMs: 0 })
    await records.close()
    await remove()
    await rm(state, { recursive: true, force: true })
    await rm(disk, { recursive: true, force: true })
  }
  const url = origin + (wish.basePath ?? '')
  const signIn = (name: string) => signInAs({ url, records }, name)
  return { ...(await signIn('ann')), url, disk, state, database, records, lines, signIn, close }
}

const template = `<!doctype html><html class="%THEME%"><head><title>%TITLE%</title><meta name="theme-color" content="%COLOR%" />
<script>document</script><!--ICONS--><script type="application/json" id="config">%CONFIG%</script>
<script type="module" src="./assets/index-0123abcd.js"></script></head></html>`

const ours = path.resolve(import.meta.dirname, '../../src/client/public')

/** The template in short, and the pictures that the client comes with. */
async function clientIn(state: string): Promise<string> {
  const folder = path.join(state, 'client')
  await makeTree(state, { client: { 'index.html': template, assets: { 'index-0123abcd.js': 'start()' } } })
  await cp(ours, folder, { recursive: true })
  return folder
}

/** What serving is told when nothing is said. */
const plainConfig = Object.fromEntries(
  Object.entries(servingOptions).map(([key, option]) => [key, option.default]),
) as unknown as Config

/** Hashing costs a tenth of a second on purpose; each password of a run is hashed once. */
const hashes = new Map<string, Promise<string>>()

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? createPasswords({ randomBytes }).hash(password)
  hashes.set(password, hash)
  return hash
}

async function fill(records: Records, wish: AppWish): Promise<void> {
  await records.settings.setKey(randomBytes(64))
  if (wish.settings) await records.settings.change(wish.settings)
  const people = { ann: wish.user ?? {}, ...wish.people }
  for (const [username, person] of Object.entries(people))
    await records.users.add(await fieldsOf(username, person))
}

async function fieldsOf(username: string, { perm, ...fields }: PersonWish): Promise<UserFields> {
  const all = Object.fromEntries(permissions.map((name) => [name, name !== 'admin'])) as Permissions
  return {
    username,
    passwordHash: await hashOf(passwordOf(username)),
    scope: '.',
    locale: 'en',
    lockPassword: false,
    viewMode: 'list',
    singleClick: false,
    redirectAfterCopyMove: false,
    perm: { ...all, ...perm },
    commands: [],
    sorting: { by: 'name', asc: false },
    rules: [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
    quotaBytes: null,
    isDisabled: false,
    ...fields,
  }
}

type Place = { readonly url: string; readonly records: Records }

async function signInAs({ url, records }: Place, name: string): Promise<Person> {
  const password = passwordOf(name)
  const user = await records.users.findByName(name)
  if (user === null) throw new Error(`nobody is called ${name}`)
  const body = JSON.stringify({ username: name, password, recaptcha: '' })
  const reply = await fetch(`${url}/api/login`, { method: 'POST', body })
  const token = await reply.text()
  if (reply.status !== 200) throw new Error(`${name} cannot sign in: ${token}`)
  return { user, password, token, ...asking(url, token) }
}

function asking(url: string, own: string): Pick<Person, 'call' | 'fetch' | 'rawStatus'> {
  const fetchAt: Person['fetch'] = (address, { token = own, headers = {}, ...rest } = {}) =>
    fetch(url + address, { ...rest, headers: { ...(token === null ? {} : { 'x-auth': token }), ...headers } })
  return {
    fetch: fetchAt,
    rawStatus(method, address) {
      const { hostname, port, pathname } = new URL(url)
      const path = (pathname === '/' ? '' : pathname) + address
      return new Promise((resolve, reject) => {
        const asked = request({ hostname, port, path, method, headers: { 'x-auth': own } }, (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
        asked.once('error', reject).end()
      })
    },
    call(name, { path: asked = '/', id, word = '', query, headers = {}, body, json } = {}) {
      const { method, pattern } = routes[name]
      const address = pattern
        .replace('/*', encoded(asked))
        .replace('{id}', String(id))
        .replace('{size}', word)
      const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
      const sent = json === undefined ? body : JSON.stringify(json)
      return fetchAt(address + search, {
        method,
        headers,
        ...(sent === undefined ? {} : { body: sent }),
      })
    },
  }
}

function encoded(asked: string): string {
  const known = pathOf(asked)
  if (known === null) throw new Error(`no path: ${asked}`)
  return encodePath(known) + (asked.endsWith('/') && known !== '/' ? '/' : '')
}
