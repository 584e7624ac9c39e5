import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { permissions } from '../../src/shared/domain/access.ts'
import { openApp, type App, type Person } from '../kit/start-app.ts'
import { treeOf, type Tree } from '../kit/tree.ts'
import { addressOf, bodyOf, methodOf, sampleOf, type SampleOverrides } from './samples.ts'

export type MatrixRequest = Partial<SampleOverrides> & {
  /** The user who sends the request. Null for a client that is not signed in. */
  readonly by: Pick<Person, 'token' | 'user'> | null
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type MatrixContext = {
  readonly app: App
  /** Returns a user with all permissions that the endpoint requires. */
  callerOf(endpoint: Endpoint): Person
  /**
   * Returns a user by name: Ann, the administrator Ada, or a user who lacks one permission (`without-` and the name of
   * the permission).
   */
  person(name: string): Person
  ask(endpoint: Endpoint, asking: MatrixRequest): Promise<Response>
  tree(): Promise<{ inside: Tree; outside: Tree }>
  close(): Promise<void>
}

/** Starts the server that all cells of the matrix share. Refused requests must not change any file. */
export async function openWorld(): Promise<MatrixContext> {
  const outside = await mkdtemp(path.join(tmpdir(), 'stowage-outside-'))
  await mkdir(path.join(outside, 'deep'))
  await writeFile(path.join(outside, 'a.txt'), 'secret')
  const lacking = Object.fromEntries(
    permissions.map((name) => [`without-${name}`, { perm: { [name]: false } }]),
  )
  const app = await openApp({
    files: { docs: { 'a.txt': 'A', 'b.txt': 'B' }, hidden: { 'a.txt': 'secret' } },
    people: { ada: { perm: { admin: true } }, ...lacking },
    settings: { rules: [{ regex: false, allow: false, path: '/hidden', regexp: null }] },
  })
  await symlink(outside, path.join(app.disk, 'out'))
  const people = new Map<string, Person>([['ann', app]])
  for (const name of ['ada', ...Object.keys(lacking)]) people.set(name, await app.signIn(name))
  const person = (name: string): Person => people.get(name)!
  return {
    app,
    person,
    callerOf: ({ audience }) => person(audience === 'admin' ? 'ada' : 'ann'),
    ask: (endpoint, asking) => ask(app, endpoint, asking),
    tree: async () => ({ inside: await treeOf(app.disk), outside: await treeOf(outside) }),
    async close() {
      await app.close()
      await rm(outside, { recursive: true, force: true })
    },
  }
}

function ask(app: App, endpoint: Endpoint, asking: MatrixRequest): Promise<Response> {
  const { by, method = methodOf(endpoint), headers, body = bodyOf(endpoint) } = asking
  const takesBody = method !== 'GET' && method !== 'HEAD' && body !== undefined
  return app.fetch(addressOf(endpoint, { id: by?.user.id ?? app.user.id, ...asking }), {
    method,
    token: by?.token ?? null,
    headers: { ...sampleOf(endpoint).headers, ...headers },
    ...(takesBody ? { body } : {}),
    redirect: 'manual',
  })
}
