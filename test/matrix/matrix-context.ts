import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { permissions } from '../../src/shared/domain/access.ts'
import { openApp, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { treeOf, type FileTree } from '../kit/tree.ts'
import { requestTargetOf, bodyOf, methodOf, sampleOf, type SampleRequestOverrides } from './samples.ts'

export type MatrixRequest = Partial<SampleRequestOverrides> & {
  /** The user who sends the request, or null for a client that is not signed in. */
  readonly by: Pick<SignedInUser, 'token' | 'user'> | null
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type MatrixContext = {
  readonly app: TestApp
  /** Returns a user with all permissions that the endpoint requires. */
  callerOf(endpoint: Endpoint): SignedInUser
  /**
   * Returns a user by name: Ann, the administrator Ada, or a user who lacks one permission (`without-` and the name of
   * the permission).
   */
  userNamed(name: string): SignedInUser
  send(endpoint: Endpoint, request: MatrixRequest): Promise<Response>
  tree(): Promise<{ inside: FileTree; outside: FileTree }>
  close(): Promise<void>
}

/**
 * Starts the server that all cells of the matrix share. Refused requests must not change any file. With two servers of one
 * state, the requests go to them in turn.
 */
export async function openMatrixContext({
  servers = 1,
}: { readonly servers?: 1 | 2 } = {}): Promise<MatrixContext> {
  const outside = await mkdtemp(path.join(tmpdir(), 'stowage-outside-'))
  await mkdir(path.join(outside, 'deep'))
  await writeFile(path.join(outside, 'a.txt'), 'secret')
  const restrictedUsers = Object.fromEntries(
    permissions.map((name) => [`without-${name}`, { perm: { [name]: false } }]),
  )
  const app = await openApp({
    files: { docs: { 'a.txt': 'A', 'b.txt': 'B' }, hidden: { 'a.txt': 'secret' } },
    users: { ada: { perm: { admin: true } }, ...restrictedUsers },
    settings: { rules: [{ regex: false, allow: false, path: '/hidden', regexp: null }] },
  })
  await symlink(outside, path.join(app.disk, 'out'))
  const usersByName = new Map<string, SignedInUser>([['ann', app]])
  for (const name of ['ada', ...Object.keys(restrictedUsers)]) usersByName.set(name, await app.signIn(name))
  const targets = servers === 1 ? [app] : [app, await app.startPeer()]
  let requests = 0
  const userNamed = (name: string): SignedInUser => usersByName.get(name)!
  return {
    app,
    userNamed,
    callerOf: ({ audience }) => userNamed(audience === 'admin' ? 'ada' : 'ann'),
    send: (endpoint, request) =>
      send(targets[(requests += 1) % servers]!, app.user.id, { endpoint, request }),
    tree: async () => ({ inside: await treeOf(app.disk), outside: await treeOf(outside) }),
    async close() {
      await app.close()
      await rm(outside, { recursive: true, force: true })
    },
  }
}

type EndpointRequest = { readonly endpoint: Endpoint; readonly request: MatrixRequest }

function send(
  target: Pick<TestApp, 'fetch'>,
  userId: number,
  { endpoint, request }: EndpointRequest,
): Promise<Response> {
  const { by, method = methodOf(endpoint), headers, body = bodyOf(endpoint) } = request
  const takesBody = method !== 'GET' && method !== 'HEAD' && body !== undefined
  return target.fetch(requestTargetOf(endpoint, { id: by?.user.id ?? userId, ...request }), {
    method,
    token: by?.token ?? null,
    headers: { ...sampleOf(endpoint).headers, ...headers },
    ...(takesBody ? { body } : {}),
    redirect: 'manual',
  })
}
