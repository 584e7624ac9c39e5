import { link, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { FolderResource } from '../shared/contract/resources.ts'
import type { PageConfiguration } from '../shared/contract/page.ts'
import { startApp, treeOf } from '../../test/kit/start-app.ts'

const configOf = (html: string) =>
  JSON.parse(
    /<script type="application\/json" id="config">(.*?)<\/script>/s.exec(html)?.[1] ?? '',
  ) as PageConfiguration

test('the health check responds with OK to every method, and contains nothing else (contract 8.1)', async () => {
  const app = await startApp({})
  for (const method of ['POST', 'OPTIONS', 'HEAD', 'DELETE', 'PUT']) {
    const { status } = await app.fetch('/health', { method, token: null })
    expect([method, status]).toEqual([method, 200])
  }
  const reply = await app.fetch('/health', { token: null })
  expect([reply.status, await reply.text()]).toEqual([200, '{"status":"OK"}'])
})

test('every page route serves the same page, with the whole configuration of the client', async () => {
  const app = await startApp({
    settings: { branding: branding("</script><script>alert('x')") },
    client: true,
  })
  const [first, second] = [
    await app.fetch('/', { token: null }),
    await app.fetch('/files/docs/?a=b', { token: null, headers: { 'user-agent': 'x' } }),
  ]
  const html = await first.text()
  expect(await second.text()).toBe(html)
  expect(first.headers.get('content-security-policy')).toContain(
    "default-src 'none'; script-src 'self' 'sha256-",
  )
  expect(first.headers.get('x-frame-options')).toBe('DENY')
  const config = configOf(html)
  expect(config).toMatchObject({
    Name: "</script><script>alert('x')",
    BaseURL: '',
    StaticURL: '/static',
    AuthMethod: 'json',
    LoginPage: true,
    NoAuth: false,
    EnableExec: false,
    Version: 'test',
    LogoutPage: '/login',
    Features: expect.arrayContaining(['rows', 'events', 'sessions']) as unknown,
  })
  const keys =
    'Name DisableExternal DisableUsedPercentage Color BaseURL StaticURL Version Signup NoAuth AuthMethod LogoutPage LoginPage CSS ReCaptcha Theme Locale EnableThumbs ResizePreview EnableExec TusSettings HideLoginButton ReportIssueURL MinimumPasswordLength Features'
  expect(Object.keys(config).toSorted()).toEqual(keys.split(' ').toSorted())
})

const branding = (name: string) => ({
  name,
  disableExternal: false,
  disableUsedPercentage: false,
  files: '',
  theme: '' as const,
  accent: '',
  color: '',
  reportIssueURL: '',
})

test('a changed name and a changed minimum length of passwords appear on the page without a restart', async () => {
  const app = await startApp({ client: true })
  await app.records.settings.change({ branding: branding('Shelf'), minimumPasswordLength: 15 })
  expect(configOf(await (await app.fetch('/', { token: null })).text())).toMatchObject({
    Name: 'Shelf',
    MinimumPasswordLength: 15,
  })
})

test('with a base path all routes, the cookie and the page use that base path', async () => {
  const app = await startApp({ basePath: '/fb', files: { 'a.txt': 'A' }, client: true })
  expect((await app.call('resources.get')).status).toBe(200)
  expect(configOf(await (await app.fetch('/', { token: null })).text())).toMatchObject({
    BaseURL: '/fb',
    StaticURL: '/fb/static',
  })
  const body = JSON.stringify({ username: 'ann', password: app.password })
  const [cookie] = (
    await app.fetch('/api/login', { method: 'POST', token: null, body })
  ).headers.getSetCookie()
  expect(cookie).toMatch(/; Path=\/fb; HttpOnly/)
})

test('an unknown API path does not lead to the page, and a wrong method leads to the status 405', async () => {
  const app = await startApp({})
  const unknown = await app.fetch('/api/nope')
  expect([unknown.status, await unknown.text()]).toEqual([404, '404 Not Found\n'])
  expect((await app.fetch('/api/resourcesfoo')).status).toBe(404)
  expect((await app.fetch('/api/login')).status).toBe(405)
})

test('HEAD responds like GET, without a body', async () => {
  const app = await startApp({ files: { 'a.txt': 'A' } })
  const reply = await app.fetch('/api/resources/a.txt', { method: 'HEAD' })
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    'application/json; charset=utf-8',
    '',
  ])
})

test("the server's own files cannot be accessed, under any name and anywhere in the served folder", async () => {
  const app = await startApp({ files: { 'mine.txt': 'M', '.stowage': { x: '' } }, isStateBesideFiles: true })
  await link(path.join(app.state, 'stowage.db'), path.join(app.disk, 'linked.db'))
  await symlink(path.join(app.state, 'stowage.db'), path.join(app.disk, 'soft.db'))
  const { items } = (await (await app.call('resources.get')).json()) as FolderResource
  expect(items.map(({ name }) => name)).toEqual(['mine.txt'])
  for (const name of ['linked.db', 'soft.db', '.stowage', '.stowage/x']) {
    const statuses = [
      (await app.call('raw.get', { path: `/${name}` })).status,
      (await app.call('resources.create', { path: `/${name}`, query: { override: 'true' }, body: 'x' }))
        .status,
      (
        await app.call('resources.transfer', {
          path: '/mine.txt',
          query: { action: 'rename', destination: `/${name}`, override: 'true' },
        })
      ).status,
    ]
    expect([name, ...statuses]).toEqual([name, 403, 403, 403])
  }
  expect(Object.keys(await treeOf(app.disk)).toSorted()).toEqual([
    '.stowage',
    'linked.db',
    'mine.txt',
    'soft.db',
  ])
})

test('a request whose path contains a line break is logged in one line, and secrets are not logged', async () => {
  const app = await startApp({})
  await app.fetch('/api/raw/a%0Ab?auth=secret', { token: null })
  await app.fetch('/api/login', {
    method: 'POST',
    token: null,
    body: '{"username":"ann","password":"hunter2"}',
  })
  expect(app.lines).toHaveLength(2)
  expect(app.lines[1]).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \/api\/login: 403 127\.0\.0\.1 /)
  expect(app.lines.join('\n')).not.toMatch(/secret|hunter2/)
})

test('a rule that does not compile is logged once', async () => {
  const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
  const app = await startApp({ settings: { rules }, files: { 'a.txt': 'A' } })
  for (let n = 0; n < 3; n += 1) expect((await app.call('resources.get')).status).toBe(200)
  expect(app.lines.filter((line) => line.includes('regular expression'))).toHaveLength(1)
})
