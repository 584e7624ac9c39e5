import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { permissions, type Permission, type Permissions } from '../../src/shared/domain/access.ts'
import { sandbox } from '../kit/command-socket.ts'
import { openApp, treeOf, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { makeTree } from '../kit/tree.ts'
import { files, type PermissionCase, type PermissionCaseContext } from './permission-case.ts'
import { permissionCases } from './permission-cases.ts'
import { requestTargetOf, bodyOf, methodOf } from './samples.ts'

/** Endpoints that all signed-in users may call, with the reason why the endpoint requires no permission. */
const needsOnlySession: Readonly<Record<string, string>> = {
  'sessions.renew': 'it only continues an existing session',
  'sessions.list': 'users may see their own sessions',
  'sessions.end': 'users may end their own sessions',
  'sessions.end-others': 'users may end their own sessions',
  'sessions.logout': 'every user may log out',
}

/** Endpoints that require no login, with the reason for each endpoint. */
const needsNoLogin: Readonly<Record<string, string>> = {
  'sessions.login': 'the client has no session yet',
  'sessions.signup': 'the client has no account yet, and the settings decide whether signup is open',
  'openapi.get': 'the description is the same for all clients and contains no user data',
  'health.get': 'monitoring programs have no account',
  'metrics.get': 'monitoring programs have no account, and send a token',
}

const endpoints = await contractEndpoints()
const allBut = (flags: readonly Permission[]): Permissions =>
  Object.fromEntries(permissions.map((name) => [name, !flags.includes(name)])) as Permissions
const only = (flags: readonly Permission[]): Permissions =>
  allBut(permissions.filter((name) => !flags.includes(name)))

type PermissionCell = PermissionCase & {
  readonly condition: string
  readonly perm: Permissions
  readonly isRefused: boolean
}

/**
 * Returns the cells of a request: one cell with exactly the required permissions, and one cell per required permission in
 * which only that permission is missing. The first cell shows that no other permission is needed.
 */
const cellsOf = (permissionCase: PermissionCase): PermissionCell[] => [
  {
    ...permissionCase,
    condition: `with [${permissionCase.needs.join(', ')}] alone`,
    perm: only(permissionCase.needs),
    isRefused: false,
  },
  ...permissionCase.needs.map((flag) => ({
    ...permissionCase,
    condition: `without ${flag}`,
    perm: allBut([flag]),
    isRefused: true,
  })),
]

let app: TestApp
let ada: SignedInUser
let count = 0

beforeAll(async () => {
  app = await openApp({
    user: { commands: ['echo', 'touch'] },
    users: { ada: { perm: allBut([]) }, joe: { perm: only([]) } },
    config: { disableExec: false, unsafeExec: true },
  })
  ada = await app.signIn('ada')
})
afterAll(() => app.close())

const setPermissions = (perm: Permissions) => app.records.users.update(app.user.id, { perm })

async function createContext(): Promise<PermissionCaseContext> {
  count += 1
  const name = `cell-${count}`
  await mkdir(path.join(app.disk, name))
  await makeTree(path.join(app.disk, name), files)
  return { app, ann: app, ada, folder: `/${name}` }
}

const isSkipped = ({ isEnforcedBySandbox: isHeldBySandbox = false }: PermissionCase): boolean =>
  isHeldBySandbox && !sandbox.isUsable

test.each(permissionCases.filter((permissionCase) => !isSkipped(permissionCase)).flatMap(cellsOf))(
  '$route: $title $condition',
  checkCell,
)

test.skipIf(sandbox.isUsable).each(permissionCases.filter(isSkipped))(
  `$route: $title (SKIPPED: ${sandbox.isUsable ? '' : sandbox.reason})`,
  () => expect.unreachable(),
)

async function checkCell(cell: PermissionCell): Promise<void> {
  const context = await createContext()
  await setPermissions(allBut([]))
  const prepared = (await cell.prepare?.(context)) ?? ''
  await setPermissions(cell.perm)
  const folder = path.join(app.disk, context.folder)
  const before = await treeOf(folder)
  const { allowedOutcome = 200 } = cell
  const refusedOutcome = 'refusedOutcome' in cell ? cell.refusedOutcome : 403
  expect(await cell.request(context, prepared)).toEqual(cell.isRefused ? refusedOutcome : allowedOutcome)
  // A refused request must not have changed anything.
  expect(cell.isRefused ? await treeOf(folder) : before).toEqual(before)
}

const endpointsWithoutPermission = endpoints.filter(
  ({ route }) => route in needsOnlySession || route in needsNoLogin,
)

test.each(endpointsWithoutPermission)('$route requires no permission', async (endpoint) => {
  const joe = await app.signIn('joe')
  const token = endpoint.route in needsNoLogin ? null : joe.token
  const body = bodyOf(endpoint)
  const response = await app.fetch(requestTargetOf(endpoint, { id: joe.user.id }), {
    method: methodOf(endpoint),
    token,
    ...(body === undefined ? {} : { body }),
  })
  // A failed login and a disabled signup get status 403 too, but not because of a missing permission.
  expect(response.headers.get('x-error')).not.toBe('forbidden')
  expect(response.headers.get('x-error')).not.toBe('not-signed-in')
})

test('every endpoint has a permission case, or a reason why it needs none', () => {
  const tested = new Set<string>(permissionCases.map(({ route }) => route))
  const routes = endpoints.map(({ route }) => route)
  expect(
    routes.filter((route) => !tested.has(route) && !(route in needsOnlySession || route in needsNoLogin)),
  ).toEqual([])
  const reasons = [...Object.keys(needsOnlySession), ...Object.keys(needsNoLogin)]
  expect(reasons.filter((name) => tested.has(name) || !routes.some((route) => route === name))).toEqual([])
})

test('every endpoint requires the permissions that it declares', () => {
  const declared = endpoints.flatMap(({ route, audience, needs }) => {
    const flags = [
      ...(needs === undefined ? [] : [needs]),
      ...(audience === 'admin' ? ['admin' as const] : []),
    ]
    const endpointCases = permissionCases.filter((permissionCase) => permissionCase.route === route)
    return flags.flatMap((flag) =>
      endpointCases
        .filter((permissionCase) => !permissionCase.needs.includes(flag))
        .map(({ title }) => `${route}: ${title}, ${flag}`),
    )
  })
  expect(declared).toEqual([])
  const wrongly = endpointsWithoutPermission.filter(
    ({ route, audience, needs }) =>
      needs !== undefined || audience !== (route in needsNoLogin ? 'anyone' : 'session'),
  )
  expect(wrongly).toEqual([])
})
