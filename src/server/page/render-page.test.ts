import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pageConfiguration } from './page-configuration.ts'
import { renderPage } from './render-page.ts'

const template = `<html class="%THEME%"><title>%TITLE%</title><meta content="%COLOR%">
<script>head()</script><style id="s">a{}</style><script type="application/json" id="config">%CONFIG%</script>
<script type="module" crossorigin src="./assets/a.js"></script><link rel="icon" href="./img/x.svg"></html>`

const options = { basePath: '/fb', version: '1.2.3', authMethod: 'json' }
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the name of an installation cannot inject markup into the page', () => {
  const name = `</script><b>"it's" & \\ 50% %COLOR% $& \u2028`
  const html = renderPage(template, pageConfiguration({ ...options, name })).html.toString()
  const [, json] = /id="config">(.*?)<\/script>/s.exec(html) ?? []
  expect((JSON.parse(json ?? '') as { Name: string }).Name).toBe(name)
  expect(html).toContain('<title>&#60;/script&#62;&#60;b&#62;&#34;it&#39;s&#34; &#38; ')
  expect(html.match(/<b>/g)).toBe(null)
})

test('the card of a link in a chat has the name and the icon of the instance, and nothing else', () => {
  const page = readFileSync(new URL('../../client/index.html', import.meta.url), 'utf8')
  const configuration = pageConfiguration({ ...options, name: 'Photos of "us"' })
  const html = renderPage(page, configuration, { brandingIcons: ['apple-touch-icon.png'] }).html.toString()
  const properties = html.matchAll(/<meta property="([^"]+)" content="([^"]*)"/g)
  expect(Array.from(properties, ([, name, content]) => `${name} ${content}`)).toEqual([
    'og:type website',
    'og:title Photos of &#34;us&#34;',
    'og:site_name Photos of &#34;us&#34;',
    'og:image /fb/static/img/icons/apple-touch-icon.png',
  ])
})

test('the page refers to its files below the base path', () => {
  const html = renderPage(template, pageConfiguration(options)).html.toString()
  expect(html).toContain('src="/fb/static/assets/a.js"')
  expect(html).toContain('href="/fb/static/img/x.svg"')
})

test('inline code is allowed only by its hash', () => {
  const policy = renderPage(template, pageConfiguration(options)).headers['content-security-policy'] ?? ''
  const directives = Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )
  expect(directives['script-src']).toEqual(["'self'", sha256('head()')])
  expect(directives['style-src']).toEqual(["'self'", sha256('a{}')])
  expect(directives['default-src']).toEqual(["'none'"])
  expect(directives['require-trusted-types-for']).toEqual(["'script'"])
  expect(directives['trusted-types']).toEqual(['stowage', 'dompurify'])
})

test('without a captcha, browsers refuse to load or send anything from or to another host', () => {
  const policy = renderPage(template, pageConfiguration(options)).headers['content-security-policy'] ?? ''
  const sources = policy
    .split('; ')
    .filter((directive) => /^\w+-src /.test(directive))
    .flatMap((directive) => directive.split(' ').slice(1))
  expect(sources.length).toBeGreaterThan(10)
  expect(sources.filter((source) => !/^('self'|'none'|blob:|data:|'sha256-[^']+')$/.test(source))).toEqual([])
})

test('the page with a captcha does without trusted types, because its code comes from another server', () => {
  const configuration = {
    ...pageConfiguration(options),
    ReCaptcha: true,
    ReCaptchaHost: 'https://captcha.example',
  }
  const policy = renderPage(template, configuration).headers['content-security-policy'] ?? ''
  expect([policy.includes('https://captcha.example'), policy.includes('trusted-types')]).toEqual([
    true,
    false,
  ])
})

const headersWith = (frameAncestors: readonly string[]) => {
  const { headers } = renderPage(template, pageConfiguration(options), { frameAncestors })
  const directives = headers['content-security-policy']?.split('; ')
  return [directives?.find((one) => one.startsWith('frame-ancestors')), headers['x-frame-options']]
}

test('no page may show the page in a frame, except those of the option', () => {
  expect(headersWith([])).toEqual(["frame-ancestors 'none'", 'DENY'])
  expect(headersWith(["'self'", 'https://dash.example'])).toEqual([
    "frame-ancestors 'self' https://dash.example",
    undefined,
  ])
})

test('the compressed copies contain the same page', () => {
  const { html, encodings } = renderPage(template, pageConfiguration(options))
  expect(brotliDecompressSync(encodings!.br!)).toEqual(html)
  expect(gunzipSync(encodings!.gzip!)).toEqual(html)
})
