import { contrastOf, leastContrast } from '../../shared/domain/colors/accent.ts'
import { expect, test } from 'vitest'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import { readableSettingNames } from '../../shared/contract/setting-fields.ts'
import type { SettingsResource } from '../../shared/contract/settings.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

const startAda = () =>
  startApp({ user: { perm: { admin: true } }, files: { docs: { 'a.txt': 'A' } }, users: { bea: {} } })

const settingsOf = async (app: TestApp) => (await (await app.call('settings.get')).json()) as SettingsResource

const change = (app: TestApp, json: object) => app.call('settings.update', { json })

const page = async (app: TestApp) => {
  const html = await (await app.fetch('/login', { token: null })).text()
  const [, json = 'null'] = /id="config">(.*?)<\/script>/s.exec(html) ?? []
  return JSON.parse(json) as PageConfiguration
}

const events = ['copy', 'delete', 'rename', 'save', 'upload'].flatMap((it) => [`before_${it}`, `after_${it}`])

test('a response contains all settings with the ten events, and no secret', async () => {
  const app = await startAda()
  await app.records.settings.setSignIn({
    recaptcha: { host: 'https://captcha.example', key: 'site-key', secret: 'very-secret' },
    header: 'X-User',
    command: '/bin/judge',
  })
  const reply = await app.call('settings.get')
  const text = await reply.text()
  const settings = JSON.parse(text) as SettingsResource
  expect(Object.keys(settings)).toEqual(readableSettingNames)
  expect(Object.keys(settings.commands).toSorted()).toEqual(events.toSorted())
  expect(settings).toMatchObject({ authMethod: 'json', trash: true, branding: { reportIssueURL: '' } })
  for (const secret of ['very-secret', 'site-key', 'X-User', 'judge', 'logoutPage', app.disk])
    expect(text).not.toContain(secret)
})

test('golden case 17: a round trip loses nothing', async () => {
  const app = await startAda()
  await change(app, {
    signup: true,
    createUserDir: true,
    minimumPasswordLength: 20,
    userHomeBasePath: '/homes',
    rules: [{ regex: true, allow: true, path: '', regexp: { raw: '\\.txt$' } }],
    branding: { name: 'It’s <ours>', theme: 'dark', reportIssueURL: 'https://bugs.example/new' },
    shell: ['sh', '-c'],
    commands: { after_save: ['echo saved'], on_full_moon: ['howl'] },
    tus: { chunkSize: 1024, retryCount: 0 },
    trash: false,
  })
  const before = await settingsOf(app)
  expect(before.commands).toMatchObject({
    after_save: ['echo saved'],
    on_full_moon: ['howl'],
    before_copy: [],
  })
  expect(before.tus).toEqual({ chunkSize: 1024, retryCount: 0 })
  const reply = await change(app, before)
  expect([reply.status, await reply.text()]).toEqual([200, '200 OK\n'])
  expect(await settingsOf(app)).toEqual(before)
})

test('a missing key stays unchanged; a key in the request is replaced as a whole', async () => {
  const app = await startAda()
  await change(app, { signup: true, branding: { name: 'Ours', color: '#123456' }, shell: ['sh'] })
  await change(app, { branding: { theme: 'dark' } })
  expect(await settingsOf(app)).toMatchObject({
    signup: true,
    shell: ['sh'],
    branding: { name: '', color: '', theme: 'dark', disableExternal: false },
  })
})

test('a change that is based on another version is refused, and one without a version is not', async () => {
  const app = await startAda()
  const version = async () => (await app.call('settings.get')).headers.get('etag') ?? ''
  const first = await version()
  expect(first).toMatch(/^".+"$/)
  expect(await version()).toBe(first)
  const changeFrom = (base: string, json: object) =>
    app.call('settings.update', { json, headers: { 'If-Match': base } })
  expect((await changeFrom(first, { signup: true })).status).toBe(200)
  const refused = await changeFrom(first, { signup: false, createUserDir: true })
  expect([refused.status, refused.headers.get('x-error')]).toEqual([412, 'changed-meanwhile'])
  expect(await settingsOf(app)).toMatchObject({ signup: true, createUserDir: false })
  expect((await changeFrom('*', { signup: false })).status).toBe(200)
  expect((await changeFrom(`W/${await version()}`, { signup: true })).status).toBe(200)
  expect((await change(app, { createUserDir: true })).status).toBe(200)
  expect((await changeFrom(await version(), { signup: true })).status).toBe(200)
  expect(await settingsOf(app)).toMatchObject({ signup: true, createUserDir: true })
})

test('missing members have their zero value, and null lists are empty', async () => {
  const app = await startAda()
  await change(app, {
    defaults: { perm: { create: true } },
    commands: { after_copy: null },
    rules: null,
    tus: {},
  })
  const { defaults, commands, rules, tus } = await settingsOf(app)
  expect(defaults).toMatchObject({
    scope: '',
    locale: 'en',
    viewMode: 'mosaic',
    commands: [],
    sorting: { by: '', asc: false },
    perm: { admin: false, create: true, download: false },
  })
  expect(Object.keys(commands).toSorted()).toEqual(events.toSorted())
  expect([commands['after_copy'], rules, tus]).toEqual([[], [], { chunkSize: 10_485_760, retryCount: 5 }])
})

test.each<readonly [string, object]>([
  ['an expression that does not compile', { rules: [{ regex: true, regexp: { raw: '(' } }] }],
  [
    'an expression that only other regex engines support',
    { rules: [{ regex: true, regexp: { raw: '(?=a)b' } }] },
  ],
  ['an expression that is missing', { rules: [{ regex: true, regexp: null }] }],
  ['too many rules', { rules: Array.from({ length: 1001 }, () => ({ path: '/a' })) }],
  ['an unknown theme', { branding: { theme: 'neon' } }],
  ['a text as the value of a switch', { signup: 'true' }],
  ['a text as the shell', { shell: 'sh -c' }],
  ['a number as a command', { commands: { after_copy: [1] } }],
  ['an unknown view mode', { defaults: { viewMode: 'wall' } }],
  ['a locale that is not a language tag', { defaults: { locale: 'no way!' } }],
  ['a script as the address for problems', { branding: { reportIssueURL: 'javascript:alert(1)' } }],
  ['a negative minimum length of passwords', { minimumPasswordLength: -1 }],
  ['a wrong current password', { current_password: 'no' }],
])('%s is refused, and nothing changes', async (_case, json) => {
  const app = await startAda()
  const before = await settingsOf(app)
  expect((await change(app, { userHomeBasePath: '/elsewhere', ...json })).status).toBe(400)
  expect(await settingsOf(app)).toEqual(before)
})

test.each<readonly [string, object, string]>([
  ['rules', { rules: [{ regex: true, regexp: { raw: '(' } }] }, 'a rule is not a valid regular expression'],
  [
    'report-url',
    { branding: { reportIssueURL: 'javascript:alert(1)' } },
    'the URL for problem reports is invalid',
  ],
  ['home-folder', { userHomeBasePath: '/a\0b' }, 'the folder for home folders is not a valid path'],
  [
    'share-without-download',
    { defaults: { perm: { share: true } } },
    'sharing needs the permission to download',
  ],
])('a refused setting is named by the code %s', async (refused, json, reason) => {
  const app = await startAda()
  const reply = await change(app, json)
  expect([reply.status, reply.headers.get('x-error'), reply.headers.get('x-refused')]).toEqual([
    400,
    'bad-request',
    refused,
  ])
  expect(await reply.text()).toBe(`400 Bad Request (${reason})\n`)
})

test('null counts as no current password and as no sorting', async () => {
  const app = await startAda()
  const json = { current_password: null, defaults: { sorting: { by: null, asc: true } } }
  expect((await change(app, json)).status).toBe(200)
  expect((await settingsOf(app)).defaults.sorting).toEqual({ by: '', asc: true })
})

test('the authentication method, the key and the logout page cannot be changed', async () => {
  const app = await startAda()
  const json = { authMethod: 'noauth', key: 'AAAA', logoutPage: 'https://evil.example', signup: true }
  expect((await change(app, json)).status).toBe(200)
  expect(await app.records.settings.get()).toMatchObject({ authMethod: 'json', logoutPage: '/login' })
  expect((await app.call('settings.get')).status).toBe(200)
})

test('only administrators read or change settings', async () => {
  const app = await startAda()
  const bea = await app.signIn('bea')
  expect((await bea.call('settings.get')).status).toBe(403)
  expect((await bea.call('settings.update', { json: { signup: true } })).status).toBe(403)
  expect((await settingsOf(app)).signup).toBe(false)
})

test('administrators see options of the server, and nothing about the machine', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    users: { bea: {} },
    config: { maxUploadSize: 4711 },
  })
  const text = await (await app.call('settings.options')).text()
  expect(JSON.parse(text)).toContainEqual({ name: 'maxUploadSize', value: '4711', source: 'default' })
  for (const secret of [app.disk, app.database, new URL(app.url).port]) expect(text).not.toContain(secret)
  expect((await (await app.signIn('bea')).call('settings.options')).status).toBe(403)
})

test('a global rule takes effect with the next request', async () => {
  const app = await startAda()
  const bea = await app.signIn('bea')
  expect((await bea.call('resources.get', { path: '/docs' })).status).toBe(200)
  await change(app, { rules: [{ regex: false, allow: false, path: 'docs', regexp: null }] })
  expect((await bea.call('resources.get', { path: '/docs' })).status).toBe(403)
})

test('the page shows a change immediately, also of the captcha', async () => {
  const app = await startApp({ user: { perm: { admin: true } }, client: true })
  await change(app, { signup: true, branding: { name: 'Ours', reportIssueURL: 'mailto:help@example.org' } })
  expect(await page(app)).toMatchObject({
    Name: 'Ours',
    Signup: true,
    ReportIssueURL: 'mailto:help@example.org',
    ReCaptcha: false,
  })
  const recaptcha = { host: 'https://captcha.example', key: 'site-key', secret: 'very-secret' }
  await app.records.settings.setSignIn({ recaptcha, header: '', command: '' })
  await change(app, {})
  expect(await page(app)).toMatchObject({
    ReCaptcha: true,
    ReCaptchaHost: 'https://captcha.example',
    ReCaptchaKey: 'site-key',
  })
  const shown = await app.fetch('/login', { token: null })
  expect(await shown.text()).not.toContain('very-secret')
  const policy = shown.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' [^;]* https:\/\/captcha\.example;/)
  expect(policy).toContain("frame-src 'self' blob: https://captcha.example;")
})

test('defaults without a quota leave the quota unchanged', async () => {
  const app = await startAda()
  const { defaults } = await settingsOf(app)
  const { quotaBytes, ...known } = defaults
  expect(quotaBytes).toBe(null)
  expect((await change(app, { defaults: { ...defaults, quotaBytes: 10 } })).status).toBe(200)
  expect((await change(app, { defaults: { ...known, scope: 'x' } })).status).toBe(200)
  expect((await settingsOf(app)).defaults).toMatchObject({ scope: 'x', quotaBytes: 10 })
  expect((await change(app, { defaults: { ...known, quotaBytes: '10' } })).status).toBe(400)
  expect((await change(app, { defaults: { ...known, quotaBytes: null } })).status).toBe(200)
  expect((await settingsOf(app)).defaults.quotaBytes).toBe(null)
})

test('a branding folder that is none and an accent without shades are refused, and nothing is stored', async () => {
  const app = await startApp({ user: { perm: { admin: true } } })
  const send = async (branding: object) => {
    const response = await app.call('settings.update', { json: { branding } })
    return [response.status, response.headers.get('x-refused')]
  }
  for (const folder of ['/nowhere/at/all', app.database.startsWith('/') ? app.database : '/etc/hostname'])
    expect(await send({ files: folder })).toEqual([400, 'branding-folder'])
  expect(await send({ accent: 'teal' })).toEqual([400, 'accent'])
  expect((await app.records.settings.get()).branding).toMatchObject({ files: '', accent: '' })
  expect(await send({ files: app.disk, accent: '#7a1fa2' })).toEqual([200, null])
  // A folder that has gone since does not prevent other changes, and a page of File Browser keeps the accent.
  await app.records.settings.change({
    branding: { ...(await app.records.settings.get()).branding, files: '/gone' },
  })
  expect(await send({ files: '/gone', name: 'Ours' })).toEqual([200, null])
  expect((await app.records.settings.get()).branding).toMatchObject({ name: 'Ours', accent: '#7a1fa2' })
})

test('an uploaded logo takes the place of the one in the branding folder, runs nothing, and can be removed', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    files: { img: { 'logo.svg': '<svg id="folder"/>' } },
  })
  await app.call('settings.update', { json: { branding: { files: app.disk } } })
  const shown = async () => {
    const response = await app.fetch('/static/img/logo.svg', { token: null })
    return [
      response.headers.get('content-type'),
      await response.text(),
      response.headers.get('content-security-policy'),
    ]
  }
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  expect(await shown()).toEqual(['image/svg+xml', '<svg id="folder"/>', policy])
  const evil =
    '<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const largest = `<svg>${' '.repeat(256 * 1024 - '<svg></svg>'.length)}</svg>`
  expect((await app.call('settings.set-logo', { body: largest })).status).toBe(200)
  expect((await app.call('settings.set-logo', { body: evil })).status).toBe(200)
  expect(await shown()).toEqual(['image/svg+xml', evil, policy])
  expect(await (await app.call('settings.has-logo')).json()).toEqual({ isStored: true })
  for (const [body, status] of [
    ['<html><svg></svg></html>', 415],
    ['', 415],
    [`<svg>${' '.repeat(256 * 1024)}</svg>`, 413],
  ] as const)
    expect([body.slice(0, 9), (await app.call('settings.set-logo', { body })).status]).toEqual([
      body.slice(0, 9),
      status,
    ])
  expect((await shown())[1]).toBe(evil)
  const webp = 'RIFF\0\0\0\0WEBPVP8 '
  expect((await app.call('settings.set-logo', { body: webp })).status).toBe(200)
  expect((await shown()).slice(0, 2)).toEqual(['image/webp', webp])
  await app.call('settings.remove-logo')
  expect((await shown())[1]).toBe('<svg id="folder"/>')
})

test(
  'a text is a logo when its first element is svg, also after thousands of other parts',
  { timeout: 60_000 },
  async () => {
    const app = await startApp({ user: { perm: { admin: true } } })
    const statusOf = async (body: string) => (await app.call('settings.set-logo', { body })).status
    const documentType = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">'
    const declaration = '<?xml version="1.0"?>'
    for (const text of [
      `\uFEFF\n${declaration}\n<!-- a -->${documentType}<!-- > <svg> -->\n<svg>`,
      `${'<!---->'.repeat(9000)}<svg>`,
      `${' '.repeat(60_000)}<svg\n>`,
    ])
      expect([text.slice(0, 20), await statusOf(text)]).toEqual([text.slice(0, 20), 200])
    for (const text of [
      `${'<!---->'.repeat(40)}x`,
      `${'<!---->'.repeat(9000)}x`,
      `${'<!-- '.repeat(12_000)}<svg>`,
      `${'<!----'.repeat(10_000)}<svg>`,
      `${declaration.repeat(3000)}<svg>`,
      `<?xml${'?'.repeat(60_000)}<svg`,
      `${documentType.repeat(1000)}x`,
      `${'<!DOCTYPE '.repeat(6000)}<svg`,
      '<!DOCTYPE\n'.repeat(6000),
      `<!DOCTYPE svg [${'<!ENTITY a "a">'.repeat(4000)}]><svg>`,
      `${' <!---->\n'.repeat(7000)}<svgx>`,
      `${' '.repeat(65_536)}<svg>`,
    ])
      expect([text.slice(0, 20), await statusOf(text)]).toEqual([text.slice(0, 20), 415])
  },
)

test('an accent that cannot be used prevents no change of a page that sends none', async () => {
  const app = await startApp({ user: { perm: { admin: true } } })
  const { branding } = await app.records.settings.get()
  await app.records.settings.change({ branding: { ...branding, accent: 'red' } })
  const response = await app.call('settings.update', { json: { branding: { name: 'Ours' } } })
  expect(response.status).toBe(200)
  expect((await app.records.settings.get()).branding).toMatchObject({ name: 'Ours', accent: 'red' })
})

test('an accent has a style sheet before the one of the branding folder, in which links can be read', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    files: { 'custom.css': 'a {}' },
    client: true,
  })
  expect((await app.fetch('/static/accent.css', { token: null })).status).toBe(404)
  await app.call('settings.update', { json: { branding: { files: app.disk, accent: '#ffd54a' } } })
  const html = await (await app.fetch('/', { token: null })).text()
  expect(html.match(/\/static\/(?:accent|custom)\.css/g)).toEqual([
    '/static/accent.css',
    '/static/custom.css',
  ])
  const style = await (await app.fetch('/static/accent.css', { token: null })).text()
  expect(style).toContain('--accent:#ffd54a;--accent-hover:#ffdb65;--on-accent:#000000;')
  const [inLight = '', inDark = ''] = Array.from(
    style.matchAll(/--accent-fg:(#\w+)/g),
    ([, color]) => color ?? '',
  )
  expect(contrastOf(inLight, '#edeff3')).toBeGreaterThanOrEqual(leastContrast)
  expect(contrastOf(inDark, '#262b35')).toBeGreaterThanOrEqual(leastContrast)
})

test('what is selected has a tint of the accent, on which links and the palest texts can be read', async () => {
  const app = await startApp({ user: { perm: { admin: true } }, client: true })
  for (const accent of ['#b3261e', '#ffd54a', '#000000', '#ffffff', '#00ff00', '#7f7f7f']) {
    await app.call('settings.update', { json: { branding: { accent } } })
    const style = await (await app.fetch('/static/accent.css', { token: null })).text()
    const [light = [], dark = []] = Array.from(
      style.matchAll(/--accent-fg:(#\w+);.*?--bg-selected:(#\w+)/g),
      ([, link = '', selected = '']) => [link, selected] as const,
    )
    for (const [[link = '', selected = ''], palest, surface] of [
      [light, '#5f6775', '#ffffff'],
      [dark, '#97a0ae', '#15181e'],
    ] as const) {
      expect([accent, contrastOf(link, selected) >= leastContrast]).toEqual([accent, true])
      expect([accent, contrastOf(palest, selected) >= leastContrast]).toEqual([accent, true])
      expect([accent, selected === surface]).toEqual([accent, accent === surface])
    }
  }
})
