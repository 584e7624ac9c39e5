import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import type { Page } from '../http/http-options.ts'
import { iconsFor, type Icon } from './icons.ts'

/** The page of a server without a built client. The API of this server works nevertheless. */
export const templateWithoutClient = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>%TITLE%</title></head>
  <body><p>The server runs, but its web client has not been built.</p></body>
</html>
`

/** The title of an installation for which no name is configured. */
export const defaultTitle = 'Stowage'
const defaultColor = '#2979ff'

/**
 * Renders the page. Every page route serves the same bytes, which do not depend on the request. The template refers to
 * its files by relative addresses, which are replaced by the addresses under which the files are served. The
 * installation's own style sheet is the last one.
 */
export function renderPage(
  template: string,
  configuration: PageConfiguration,
  brandingIcons: readonly string[] = [],
): Page {
  const located = template.replaceAll(
    /\b(href|src)="\.\//g,
    (_, name: string) => `${name}="${attribute(configuration.StaticURL)}/`,
  )
  const words: Readonly<Record<string, string>> = {
    '%TITLE%': attribute(configuration.Name || defaultTitle),
    '%COLOR%': attribute(configuration.Color || defaultColor),
    '%THEME%': attribute(configuration.Theme),
    '%CONFIG%': jsonForHtml(configuration),
    '<!--ICONS-->': iconLinks(configuration.StaticURL, brandingIcons),
    '</head>': `${styleLink(configuration)}</head>`,
  }
  const html = located.replaceAll(
    /%(?:TITLE|COLOR|THEME|CONFIG)%|<!--ICONS-->|<\/head>/g,
    (word) => words[word] ?? '',
  )
  const bytes = Buffer.from(html)
  return {
    html: bytes,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'content-security-policy': policyOf(html, challengeHosts(configuration)),
    },
    encodings: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) },
  }
}

function iconLinks(staticUrl: string, brandingIcons: readonly string[]): string {
  const at = (name: string): string => attribute(`${staticUrl}/${name}`)
  const link = (rel: string, { name, type, sizes }: Icon): string =>
    `<link rel="${rel}" href="${at(`img/icons/${name}`)}" type="${type}" sizes="${sizes}" />`
  return [
    `<link rel="manifest" href="${at('manifest.webmanifest')}" />`,
    ...iconsFor('tab', brandingIcons).map((icon) => link('icon', icon)),
    ...iconsFor('touch', brandingIcons).map((icon) => link('apple-touch-icon', icon)),
    ...iconsFor('tile', brandingIcons).map(
      ({ name }) => `<meta name="msapplication-TileImage" content="${at(`img/icons/${name}`)}" />`,
    ),
  ].join('\n    ')
}

const styleLink = ({ CSS, StaticURL }: PageConfiguration): string =>
  CSS ? `<link rel="stylesheet" href="${attribute(StaticURL)}/custom.css" />` : ''

/**
 * Serialises data for a script element. The result contains no text that looks like a tag, because a script element
 * ends at the first `</script`, even within a string.
 */
export const jsonForHtml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Builds the content security policy of security design 3.7: inline code is allowed only by its hash, and all other
 * code must be a file of this server.
 */
function policyOf(html: string, hosts: readonly string[]): string {
  const scripts = contentsOf(
    html,
    'script',
    (attributes) => !/\b(src=|type="application\/json")/.test(attributes),
  )
  const styles = contentsOf(html, 'style', () => true)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map(hashSource), ...hosts].join(' '),
    ["style-src 'self'", ...styles.map(hashSource)].join(' '),
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    ["frame-src 'self' blob:", ...hosts].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * Returns the hosts of the login challenge if it is enabled. Google's challenge loads some of its code from a second
 * host.
 */
function challengeHosts({ ReCaptcha, ReCaptchaHost = '' }: PageConfiguration): readonly string[] {
  const [host] = (ReCaptcha ? /^https?:\/\/[\w.:[\]-]+/.exec(ReCaptchaHost) : null) ?? []
  if (host === undefined) return []
  const isGoogle = /^https:\/\/www\.(google\.com|recaptcha\.net)$/.test(host)
  return isGoogle ? [host, 'https://www.gstatic.com'] : [host]
}

function contentsOf(html: string, name: string, isMeant: (attributes: string) => boolean): string[] {
  const elements = html.matchAll(new RegExp(`<${name}([^>]*)>([\\s\\S]*?)</${name}>`, 'g'))
  return Array.from(elements, ([, attributes = '', content = '']) =>
    isMeant(attributes) ? [content] : [],
  ).flat()
}

const hashSource = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const attribute = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
