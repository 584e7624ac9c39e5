import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'
import { makeTree, type FileTree } from '../../../test/kit/tree.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import { iconNames } from './icons.ts'

const branding = (changes: Partial<typeof defaultSettings.branding>) => ({
  branding: { ...defaultSettings.branding, ...changes },
})

async function folderWith(tree: FileTree): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'stowage-branding-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await makeTree(folder, tree)
  return folder
}

const brandingTree = {
  'custom.css': ':root{--accent:#a00}',
  'secret.txt': 'secret',
  img: { 'logo.svg': '<svg>own</svg>', deep: { 'a b.png': 'png' }, icons: { 'favicon-16x16.png': 'own' } },
}

async function startBranded(tree: FileTree = brandingTree, options: TestAppOptions = {}) {
  const files = await folderWith(tree)
  const app = await startApp({ client: true, settings: branding({ files }), ...options })
  return { app, folder: files }
}

const anyone = (app: TestApp, address: string, headers: Record<string, string> = {}) =>
  app.fetch(address, { token: null, headers })

async function pageOf(app: TestApp) {
  const html = await (await anyone(app, '/')).text()
  const [, json = ''] = /id="config">(.*?)<\/script>/s.exec(html) ?? []
  const links = Array.from(html.matchAll(/<link rel="([^"]+)" href="([^"]+)"/g), ([, rel, href]) => [
    rel,
    href,
  ])
  return { html, links, config: JSON.parse(json) as PageConfiguration }
}

const manifestOf = async (app: TestApp) =>
  (await (await anyone(app, '/static/manifest.webmanifest')).json()) as Record<string, unknown>

test('the files of the branding folder replace the default files for everyone, each with its media type', async () => {
  const { app } = await startBranded()
  const seen = async (address: string) => {
    const reply = await anyone(app, address)
    return [reply.status, reply.headers.get('content-type'), await reply.text()]
  }
  expect(await seen('/static/custom.css')).toEqual([
    200,
    'text/css; charset=utf-8',
    brandingTree['custom.css'],
  ])
  expect(await seen('/static/img/logo.svg')).toEqual([200, 'image/svg+xml', '<svg>own</svg>'])
  expect(await seen('/static/img/deep/a%20b.png')).toEqual([200, 'image/png', 'png'])
  expect((await seen('/static/img/icons/apple-touch-icon.png')).slice(0, 2)).toEqual([200, 'image/png'])
})

test('a branded SVG is sandboxed, and no branding file is cached without revalidation', async () => {
  const { app } = await startBranded()
  const { headers } = await anyone(app, '/static/img/logo.svg')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  )
  expect(headers.get('cache-control')).toBe('public, no-cache')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('the type of a branding file does not depend on the encoding of its URL', async () => {
  const { app } = await startBranded()
  for (const url of ['/static/custom.css', '/static/custom%2Ecss'])
    expect((await anyone(app, url)).headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('a cached branding file is sent again only after it changed, and HEAD works like GET without the bytes', async () => {
  const { app, folder } = await startBranded()
  const etag = (await anyone(app, '/static/custom.css')).headers.get('etag') ?? ''
  const again = () => anyone(app, '/static/custom.css', { 'if-none-match': etag })
  expect((await again()).status).toBe(304)
  await writeFile(path.join(folder, 'custom.css'), 'a{}')
  expect(await (await again()).text()).toBe('a{}')
  const head = await app.fetch('/static/custom.css', { method: 'HEAD', token: null })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3', ''])
})

test.each([
  '/static/secret.txt',
  '/static/img',
  '/static/img/',
  '/static/img/deep',
  '/static/img/.hidden.svg',
  '/static/img/nope.svg',
  '/static/img/..%2fsecret.txt',
  '/static/img/%2e%2e/secret.txt',
  '/static/img/../secret.txt',
  '/static/custom.css/',
  '/static/img/out.svg',
  '/static/img/beside.svg',
  '/static/img/away/passwd',
  '/static/img/pipe.svg',
  '/static/img/large.png',
])('%s serves nothing of the branding folder, and the response is not cached', async (address) => {
  const { app, folder } = await startBranded({
    ...brandingTree,
    img: { ...brandingTree.img, '.hidden.svg': 'h', 'large.png': '' },
  })
  await symlink('/etc/passwd', path.join(folder, 'img/out.svg'))
  await symlink('../secret.txt', path.join(folder, 'img/beside.svg'))
  await symlink('/etc', path.join(folder, 'img/away'))
  await truncate(path.join(folder, 'img/large.png'), 4 * 1024 * 1024 + 1)
  execFileSync('mkfifo', [path.join(folder, 'img/pipe.svg')])
  expect(await app.rawStatus('GET', address)).toBe(404)
  expect((await anyone(app, '/static/img/nope.svg')).headers.get('cache-control')).toContain('no-store')
})

test('a script in the branding folder is never served as a script', async () => {
  const { app } = await startBranded({ img: { 'a.js': 'alert()', 'b.html': '<b>', 'c.css': 'a{}' } })
  for (const name of ['a.js', 'b.html', 'c.css']) {
    const { status, headers } = await anyone(app, `/static/img/${name}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  }
})

test('the page links the custom style last, its configuration contains this, and every page route serves the same page', async () => {
  const { app } = await startBranded()
  const { html, config, links } = await pageOf(app)
  expect([config.CSS, links.at(-1)]).toEqual([true, ['stylesheet', '/static/custom.css']])
  expect(html).toMatch(/custom\.css" \/><\/head>/)
  expect(await (await anyone(app, '/share/abc')).text()).toBe(html)
})

test('without a branding folder there is no custom style, and all icons are the default icons', async () => {
  const app = await startApp({ client: true })
  const { config, html } = await pageOf(app)
  expect([config.CSS, html.includes('custom.css')]).toEqual([false, false])
  expect((await anyone(app, '/static/custom.css')).status).toBe(404)
  for (const name of iconNames)
    expect([name, (await anyone(app, `/static/img/icons/${name}`)).status]).toEqual([name, 200])
})

test('an icon of the branding folder replaces all default icons for the same purpose', async () => {
  const { app } = await startBranded()
  const { links } = await pageOf(app)
  expect(links.filter(([rel]) => rel !== 'stylesheet')).toEqual([
    ['manifest', '/static/manifest.webmanifest'],
    ['icon', '/static/img/icons/favicon-16x16.png'],
    ['apple-touch-icon', '/static/img/icons/apple-touch-icon.png'],
  ])
})

test('the web manifest has the names and colours of the installation, below its base path', async () => {
  const app = await startApp({
    client: true,
    basePath: '/fb',
    settings: branding({ name: 'Shelf "A"', color: '#aa0000', theme: 'dark' }),
  })
  const reply = await anyone(app, '/static/manifest.webmanifest')
  expect(reply.headers.get('content-type')).toBe('application/manifest+json')
  expect(await reply.json()).toEqual({
    id: '/fb/',
    name: 'Shelf "A"',
    short_name: 'Shelf "A"',
    start_url: '/fb/',
    scope: '/fb/',
    display: 'standalone',
    background_color: '#0e1014',
    theme_color: '#aa0000',
    icons: [192, 512].map((size) => ({
      src: `/fb/static/img/icons/android-chrome-${size}x${size}.png`,
      type: 'image/png',
      sizes: `${size}x${size}`,
    })),
    share_target: {
      action: '/fb/offer-files',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['*/*'] }] },
    },
  })
  const page = await pageOf(app)
  expect(page.links[0]).toEqual(['manifest', '/fb/static/manifest.webmanifest'])
  expect(page.html).toContain('<title>Shelf &#34;A&#34;</title>')
  expect(page.html).toContain('<meta name="theme-color" content="#aa0000" />')
  expect(page.html).toContain('<html class="dark">')
})

test('an installation without a name has the name and colour of the product', async () => {
  const app = await startApp({ client: true })
  expect(await manifestOf(app)).toMatchObject({
    name: 'Stowage',
    start_url: '/',
    background_color: '#ffffff',
    theme_color: '#455a64',
  })
})

test('a changed setting takes effect at the next request', async () => {
  const folder = await folderWith(brandingTree)
  const app = await startApp({ client: true, user: { perm: { admin: true } } })
  expect((await anyone(app, '/static/custom.css')).status).toBe(404)
  const json = branding({ files: folder, name: 'Shelf', theme: 'dark' })
  expect((await app.call('settings.update', { json })).status).toBe(200)
  expect((await anyone(app, '/static/custom.css')).status).toBe(200)
  expect((await pageOf(app)).config).toMatchObject({ CSS: true, Name: 'Shelf', Theme: 'dark' })
  expect(await manifestOf(app)).toMatchObject({ name: 'Shelf' })
  expect((await app.call('settings.update', { json: branding({}) })).status).toBe(200)
  expect((await anyone(app, '/static/custom.css')).status).toBe(404)
})

test('a style that is added to the branding folder appears on the page without a restart', async () => {
  const { app, folder } = await startBranded({ img: {} })
  expect((await pageOf(app)).config.CSS).toBe(false)
  await writeFile(path.join(folder, 'custom.css'), 'a{}')
  await expect.poll(async () => (await pageOf(app)).config.CSS, { timeout: 10_000 }).toBe(true)
})

test('a missing branding folder changes nothing', async () => {
  const app = await startApp({ client: true, settings: branding({ files: '/nowhere/at/all' }) })
  expect((await anyone(app, '/static/img/logo.svg')).status).toBe(200)
  expect((await pageOf(app)).config.CSS).toBe(false)
})

test('the next page contains a change by the command line, however long there was no request', async () => {
  let atMs = Date.now()
  const app = await startApp({ client: true, nowMs: () => atMs })
  expect((await pageOf(app)).config).toMatchObject({ Name: '', Signup: false })
  await app.records.settings.change({ ...branding({ name: 'LATE' }), signup: true })
  atMs += 3000
  expect((await pageOf(app)).config).toMatchObject({ Name: 'LATE', Signup: true })
})
