import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { permissions, type Permission, type Permissions } from '../../src/shared/domain/access.ts'
import { sandbox } from '../kit/command-socket.ts'
import { openApp, treeOf, type App, type Person } from '../kit/start-app.ts'
import { makeTree } from '../kit/tree.ts'
import { files, type PermissionCase, type PermissionCaseContext } from './permission-case.ts'
import { permissionCases } from './permission-cases.ts'
import { addressOf, bodyOf, methodOf } from './samples.ts'

/** Endpoints that all signed-in users may call, with the reason why no permission is required. */
const needsOnlyASession: Readonly<Record<string, string>> = {
  'sessions.renew': 'it gives nothing but the session that is there',
  'sessions.list': 'whose sessions they are sees them',
  'sessions.end': 'whose session it is ends it',
  'sessions.end-others': 'whose sessions they are ends them',
  'sessions.logout': 'everybody may leave',
}

/** Endpoints that require no login, with the reason. */
const isPublic: Readonly<Record<string, string>> = {
  'sessions.login': 'who asks has no session yet',
  'sessions.signup': 'who asks is nobody yet; the settings say whether it is open',
  'openapi.get': 'it says the same to all, and nothing of anybody',
  'health.get': 'watchers have no account',
}

const endpoints = await contractEndpoints()
const allBut = (flags: readonly Permission[]): Permissions =>
  Object.fromEntries(permissions.map((name) => [name, !flags.includes(name)])) as Permissions
const only = (flags: readonly Permission[]): Permissions =>
  allBut(permissions.filter((name) => !flags.includes(name)))

type PermissionCell = PermissionCase & {
  readonly when: string
  readonly perm: Permissions
  readonly isRefused: boolean
}

/**
 * Returns the cells of a request: one cell with exactly the required permissions, and one cell per permission in which
 * only that permission is missing.
 */
const cellsOf = (permissionCase: PermissionCase): PermissionCell[] => [
  {
    ...permissionCase,
    when: `with [${permissionCase.needs.join(', ')}] alone`,
    perm: only(permissionCase.needs),
    isRefused: false,
  },
  ...permissions.map((flag) => ({
    ...permissionCase,
    when: `without ${flag}`,
    perm: allBut([flag]),
    isRefused: permissionCase.needs.includes(flag),
  })),
]

let app: App
let ada: Person
let count = 0

beforeAll(async () => {
  app = await openApp({
    user: { commands: ['echo', 'touch'] },
    people: { ada: { perm: allBut([]) }, joe: { perm: only([]) } },
    config: { disableExec: false, unsafeExec: true },
  })
  ada = await app.signIn('ada')
})
afterAll(() => app.close())

const giveRights = (perm: Permissions) => app.records.users.update(app.user.id, { perm })

async function newScene(): Promise<PermissionCaseContext> {
  count += 1
  const name = `cell-${count}`
  await mkdir(path.join(app.disk, name))
  await makeTree(path.join(app.disk, name), files)
  return { app, ann: app, ada, folder: `/${name}` }
}

const isSkipped = ({ isHeldBySandbox = false }: PermissionCase): boolean =>
  isHeldBySandbox && !sandbox.isUsable

test.each(permissionCases.filter((permissionCase) => !isSkipped(permissionCase)).flatMap(cellsOf))(
  '$route: $title $when',
  expectIn,
)

test.skipIf(sandbox.isUsable).each(permissionCases.filter(isSkipped))(
  `$route: $title (SKIPPED: ${sandbox.isUsable ? '' : sandbox.reason})`,
  () => expect.unreachable(),
)

async function expectIn(cell: PermissionCell): Promise<void> {
  const scene = await newScene()
  await giveRights(allBut([]))
  const made = (await cell.before?.(scene)) ?? ''
  await giveRights(cell.perm)
  const folder = path.join(app.disk, scene.folder)
  const before = await treeOf(folder)
  const { works = 200 } = cell
  const refused = 'refused' in cell ? cell.refused : 403
  expect(await cell.ask(scene, made)).toEqual(cell.isRefused ? refused : works)
  // A refused request must not have changed anything.
  expect(cell.isRefused ? await treeOf(folder) : before).toEqual(before)
}

const freeCalls = endpoints.filter(({ route }) => route in needsOnlyASession || route in isPublic)

test.each(freeCalls)('$route asks for no right', async (endpoint) => {
  const joe = await app.signIn('joe')
  const token = endpoint.route in isPublic ? null : joe.token
  const body = bodyOf(endpoint)
  const reply = await app.fetch(addressOf(endpoint, { id: joe.user.id }), {
    method: methodOf(endpoint),
    token,
    ...(body === undefined ? {} : { body }),
  })
  // A failed login and a disabled signup are answered with 403 too, but not because of a missing permission.
  expect(reply.headers.get('x-error')).not.toBe('forbidden')
  expect(reply.headers.get('x-error')).not.toBe('not-signed-in')
})

test('no call is without a case here, or a reason why it needs none', () => {
  const done = new Set<string>(permissionCases.map(({ route }) => route))
  const routes = endpoints.map(({ route }) => route)
  expect(
    routes.filter((route) => !done.has(route) && !(route in needsOnlyASession || route in isPublic)),
  ).toEqual([])
  const reasons = [...Object.keys(needsOnlyASession), ...Object.keys(isPublic)]
  expect(reasons.filter((name) => done.has(name) || !routes.some((route) => route === name))).toEqual([])
})

test('what a call declares is what it takes', () => {
  const declared = endpoints.flatMap(({ route, audience, needs }) => {
    const flags = [
      ...(needs === undefined ? [] : [needs]),
      ...(audience === 'admin' ? ['admin' as const] : []),
    ]
    const mine = permissionCases.filter((permissionCase) => permissionCase.route === route)
    return flags.flatMap((flag) =>
      mine
        .filter((permissionCase) => !permissionCase.needs.includes(flag))
        .map(({ title }) => `${route}: ${title}, ${flag}`),
    )
  })
  expect(declared).toEqual([])
  const wrongly = freeCalls.filter(
    ({ route, audience, needs }) =>
      needs !== undefined || audience !== (route in isPublic ? 'anyone' : 'session'),
  )
  expect(wrongly).toEqual([])
})
