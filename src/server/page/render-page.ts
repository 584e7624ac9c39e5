import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import type { Page } from '../http/http-options.ts'
import { iconsFor, type Icon } from './icons.ts'

/** The page of a server whose client was not built; its API works all the same. */
export const templateWithoutClient = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>%TITLE%</title></head>
  <body><p>The server runs, but its web client has not been built.</p></body>
</html>
`

/** The name of an installation that has no name of its own. */
export const defaultTitle = 'Stowage'
const defaultColor = '#2979ff'

/**
 * Renders the page. Every page route serves the same bytes, which hold nothing of a request. The template refers to its
 * files relative to itself; here they get the addresses under which they are served. The installation's own style sheet
 * comes last.
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
 * Serialises data for a script element, which ends at the first `</script` even within a string: nothing in the result
 * looks like a tag.
 */
export const jsonForHtml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Builds the content security policy of security design 3.7: inline code runs by its hash alone, and everything else
 * that runs must be a file of ours.
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
 * Returns the hosts of the login challenge while it is in use. Google's challenge loads the rest of its code from a
 * second host.
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
