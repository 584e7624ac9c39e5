import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PageConfiguration } from '../../src/shared/contract/page.ts'
import type { SettingsResource } from '../../src/shared/contract/settings.ts'
import { defaultSettings } from '../../src/shared/contract/setting-fields.ts'
import { runCommandLine } from '../kit/command-socket.ts'
import { startApp, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { zipNames } from './zip-names.ts'

/**
 * These tests cover the golden cases about users, shares and settings in contract 20, and are named by the numbers of
 * the cases.
 */

const minute = 60_000

/** Starts a server whose clock the test can advance. */
async function startWithClock(options: Parameters<typeof startApp>[0] = {}) {
  let aheadMs = 0
  const app = await startApp({ ...options, nowMs: () => Date.now() + aheadMs })
  return { app, pass: (ms: number) => void (aheadMs += ms) }
}

type TokenClaims = { user: { perm: Record<string, boolean> }; exp: number; iat: number; iss: string }

const decode = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())

const change = (person: SignedInUser, fields: string[], data: Record<string, unknown>) =>
  person.fetch(`/api/users/${String(data['id'])}`, {
    method: 'PUT',
    body: JSON.stringify({ what: 'user', which: fields, data }),
  })

test('case 1: a token is signed, is valid for two hours, and contains the permissions of its user', async () => {
  const app = await startApp()
  const [head, body, signature] = app.token.split('.')
  expect(decode(head)).toMatchObject({ alg: 'HS256', typ: 'JWT' })
  const { user, exp, iat, iss } = decode(body) as TokenClaims
  expect(Object.keys(user.perm).toSorted()).toEqual(
    ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'].toSorted(),
  )
  expect(Object.values(user.perm).every((value) => typeof value === 'boolean')).toBe(true)
  expect([exp - iat, iss]).toEqual([7200, 'File Browser'])
  const key = Buffer.from((await app.records.settings.key())!)
  expect(signature).toBe(createHmac('sha256', key).update(`${head}.${body}`).digest('base64url'))
})

test('case 2: responses request a renewal when 50 minutes are left, and after a change of the user', async () => {
  const { app, pass } = await startWithClock()
  const asksFor = async (token: string, address = '/api/resources/') =>
    (await app.fetch(address, { token })).headers.get('x-renew-token')
  expect(await asksFor(app.token)).toBeNull()
  pass(70 * minute)
  expect([await asksFor(app.token), await asksFor(app.token, '/api/resources/nope')]).toEqual([
    'true',
    'true',
  ])
  const renewed = await (await app.fetch('/api/renew', { method: 'POST' })).text()
  expect(await asksFor(renewed)).toBeNull()
  pass(2000)
  expect((await change(app, ['locale'], { id: app.user.id, locale: 'de' })).status).toBe(200)
  expect(await asksFor(renewed)).toBe('true')
})

const files = { 'private.txt': 'p', docs: { 'a.txt': 'hello', sub: { 'b.txt': 'b' } } }

async function shareHashOf(app: TestApp, path: string, body: Record<string, unknown> = {}) {
  const response = await app.fetch(`/api/share${path}`, { method: 'POST', body: JSON.stringify(body) })
  return ((await response.json()) as { hash: string }).hash
}

const guest = (app: TestApp, rest: string, headers: Record<string, string> = {}) =>
  app.fetch(`/api/public/${rest}`, { token: null, headers })

test.each(['/docs', '/docs/'])('case 14: a link to %s never shows what is above', async (path) => {
  const app = await startApp({ files })
  const hash = await shareHashOf(app, path)
  const { items } = (await (await guest(app, `share/${hash}`)).json()) as { items: { path: string }[] }
  expect(items.map((item) => item.path)).toEqual(['/sub', '/a.txt'])
  expect((await guest(app, `dl/${hash}%2Fa.txt`)).status).toBe(200)
  expect(await (await guest(app, `dl/${hash}/a.txt`)).text()).toBe('hello')
  expect(zipNames(Buffer.from(await (await guest(app, `dl/${hash}`)).arrayBuffer()))).toEqual([
    'a.txt',
    'sub/',
    'sub/b.txt',
  ])
  for (const rest of ['/../private.txt', '/%2e%2e/private.txt', '%2F..%2Fprivate.txt'])
    expect([400, 404]).toContain(await app.rawStatus('GET', `/api/public/dl/${hash}${rest}`))
})

test('case 14: a protected share requires its password, and its token gives the same access', async () => {
  const app = await startApp({ files })
  const hash = await shareHashOf(app, '/docs', { password: 'a ü pass' })
  const show = (password?: string) =>
    guest(
      app,
      `share/${hash}/`,
      password === undefined ? {} : { 'x-share-password': encodeURIComponent(password) },
    )
  expect([(await show()).status, (await show('wrong')).status]).toEqual([401, 401])
  const opened = await show('a ü pass')
  const { token } = (await opened.json()) as { token: string }
  expect([opened.status, (await guest(app, `dl/${hash}/a.txt?token=${token}`)).status]).toEqual([200, 200])
  expect((await guest(app, `dl/${hash}/a.txt?token=${token}x`)).status).toBe(401)
})

test('case 14: an expired link is not found', async () => {
  const { app, pass } = await startWithClock({ files })
  const hash = await shareHashOf(app, '/docs', { expires: '2', unit: 'minutes' })
  expect((await guest(app, `share/${hash}`)).status).toBe(200)
  pass(3 * minute)
  expect((await guest(app, `share/${hash}`)).status).toBe(404)
})

test.each([
  ['the own language', ['locale'], { locale: 'de' }, 200],
  ['the own language, in the spelling of old clients', ['Locale'], { locale: 'de' }, 200],
  ['hidden dotfiles, in the spelling of one client', ['hideDotfiles'], { hideDotfiles: true }, 200],
  ['hidden dotfiles, in the spelling of another client', ['HideDotfiles'], { hideDotfiles: true }, 200],
  ['the own permissions', ['perm'], { perm: { admin: true } }, 403],
  ['the own scope', ['scope'], { scope: '/' }, 403],
  ['all fields', ['all'], { username: 'ann' }, 403],
  ['a locked password', ['password'], { password: 'another long password' }, 403],
])('case 16: a user who is not an administrator changes %s', async (_case, fields, data, expected) => {
  const app = await startApp({ user: { lockPassword: true } })
  expect((await change(app, fields, { id: app.user.id, ...data })).status).toBe(expected)
})

test('case 17: settings that are sent back unchanged change nothing, and unknown events are kept', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    settings: {
      ...defaultSettings,
      signup: true,
      shell: ['bash', '-c'],
      rules: [{ regex: true, allow: false, path: '', regexp: { raw: '\\.bak$' } }],
      commands: { ...defaultSettings.commands, after_upload: ['echo $FILE'], on_full_moon: ['howl'] },
      branding: { ...defaultSettings.branding, name: 'Shelf', theme: 'dark' },
    },
  })
  const get = async () => (await (await app.fetch('/api/settings')).json()) as SettingsResource
  const put = (settings: unknown) =>
    app.fetch('/api/settings', { method: 'PUT', body: JSON.stringify(settings) })
  const before = await get()
  expect(before.commands).toMatchObject({ on_full_moon: ['howl'], before_copy: [] })
  expect((await put(before)).status).toBe(200)
  expect(await get()).toEqual(before)
  const broken = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
  expect((await put({ ...before, rules: broken })).status).toBe(400)
  expect(await get()).toEqual(before)
})

test('case 18: the output of a command arrives line by line before the socket closes, and a new administrator may not run commands', async () => {
  const app = await startApp({
    files: { docs: { 'a.txt': 'A', 'b.txt': 'B' } },
    config: { disableExec: false, unsafeExec: true },
    user: { commands: ['ls'] },
    users: { ada: { perm: { admin: true } } },
  })
  const ran = await runCommandLine(app, app, { path: '/docs', line: 'ls -1' })
  expect([ran.lines, ran.code]).toEqual([['a.txt', 'b.txt'], 1000])
  const refused = await runCommandLine(app, await app.signIn('ada'), { line: 'ls' })
  expect([refused.lines, refused.code]).toEqual([['Command not allowed.'], 1000])
})

const pageKeys =
  'Name DisableExternal DisableUsedPercentage Color BaseURL StaticURL Version Signup NoAuth AuthMethod LogoutPage LoginPage CSS ReCaptcha ' +
  'Theme EnableThumbs ResizePreview EnableExec TusSettings HideLoginButton ReportIssueURL Features'

test('case 19: the page contains the configuration that clients read, for any name of the installation', async () => {
  const name = `</script><script>alert(1)</script> it's "quoted" \\ \n`
  const app = await startApp({
    client: true,
    settings: { branding: { ...defaultSettings.branding, name } },
  })
  const html = await (await app.fetch('/', { token: null })).text()
  const [, json = ''] = /<script type="application\/json" id="config">(.*?)<\/script>/s.exec(html) ?? []
  const configuration = JSON.parse(json) as PageConfiguration
  expect(configuration.Name).toBe(name)
  expect(Object.keys(configuration)).toEqual(expect.arrayContaining(pageKeys.split(' ')))
})
