import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import type { RenderedPage } from '../http/http-options.ts'
import { iconsFor, type PageIcon } from './icons.ts'

/** The page that is sent when the client has not been built. The API works without the client. */
export const templateWithoutClient = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>%TITLE%</title></head>
  <body><p>The server runs, but its web client has not been built.</p></body>
</html>
`

/** The title of the page when no name is configured. */
export const defaultTitle = 'Stowage'
const defaultColor = '#2979ff'

/** The values of a page that are neither in the template nor in the configuration of the client. */
type PageExtras = {
  readonly brandingIcons?: readonly string[]
  /** The pages that may show the page in a frame, in the notation of `frame-ancestors`. */
  readonly frameAncestors?: readonly string[]
  /** True when the installation has an accent, whose style sheet stands before the one of the branding folder. */
  readonly hasAccent?: boolean
}

/**
 * Renders the page. Every page route serves the same bytes, which do not depend on the request, so that the card of a link in a chat shows
 * the name and the icon of the instance, and nothing of what is shared. Relative URLs in the
 * template are replaced by the URLs of the static files. The style sheet of the branding folder is added after all
 * other style sheets.
 */
export function renderPage(
  template: string,
  configuration: PageConfiguration,
  { brandingIcons = [], frameAncestors = [], hasAccent = false }: PageExtras = {},
): RenderedPage {
  const withStaticUrls = template.replaceAll(
    /\b(href|src)="\.\//g,
    (_, name: string) => `${name}="${escapeAttribute(configuration.StaticURL)}/`,
  )
  const replacements: Readonly<Record<string, string>> = {
    '%TITLE%': escapeAttribute(configuration.Name || defaultTitle),
    '%COLOR%': escapeAttribute(configuration.Color || defaultColor),
    '%THEME%': escapeAttribute(configuration.Theme),
    '%CONFIG%': jsonForHtml(configuration),
    '<!--ICONS-->': iconLinks(configuration.StaticURL, brandingIcons),
    '</head>': `${hasAccent ? styleLink(configuration, 'accent.css') : ''}${configuration.CSS ? styleLink(configuration, 'custom.css') : ''}</head>`,
  }
  const html = withStaticUrls.replaceAll(
    /%(?:TITLE|COLOR|THEME|CONFIG)%|<!--ICONS-->|<\/head>/g,
    (placeholder) => replacements[placeholder] ?? '',
  )
  const bytes = Buffer.from(html)
  return {
    html: bytes,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'content-security-policy': policyOf(html, challengeHosts(configuration), frameAncestors),
      // Browsers that know `frame-ancestors` ignore this header, and it cannot name other origins.
      ...(frameAncestors.length === 0 && { 'x-frame-options': 'DENY' }),
    },
    encodings: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes, { level: 9 }) },
  }
}

function iconLinks(staticUrl: string, brandingIcons: readonly string[]): string {
  const urlOf = (name: string): string => escapeAttribute(`${staticUrl}/${name}`)
  const link = (rel: string, { name, type, sizes }: PageIcon): string =>
    `<link rel="${rel}" href="${urlOf(`img/icons/${name}`)}" type="${type}" sizes="${sizes}" />`
  return [
    `<link rel="manifest" href="${urlOf('manifest.webmanifest')}" />`,
    ...iconsFor('tab', brandingIcons).map((icon) => link('icon', icon)),
    ...iconsFor('touch', brandingIcons).map((icon) => link('apple-touch-icon', icon)),
    ...iconsFor('tile', brandingIcons).map(
      ({ name }) => `<meta name="msapplication-TileImage" content="${urlOf(`img/icons/${name}`)}" />`,
    ),
    ...iconsFor('touch', brandingIcons).map(
      ({ name }) => `<meta property="og:image" content="${urlOf(`img/icons/${name}`)}" />`,
    ),
  ].join('\n    ')
}

const styleLink = ({ StaticURL }: PageConfiguration, name: string): string =>
  `<link rel="stylesheet" href="${escapeAttribute(StaticURL)}/${name}" />`

/**
 * Serialises data for a script element. The characters of tags are escaped, because a script element ends at the first
 * `</script`, even inside a string.
 */
export const jsonForHtml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Builds the content security policy (security 3.7). Inline code is allowed only by its hash, and all other code
 * must be loaded from this server or from the hosts of the captcha.
 */
function policyOf(html: string, hosts: readonly string[], frameAncestors: readonly string[]): string {
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
    ['frame-ancestors', ...(frameAncestors.length === 0 ? ["'none'"] : frameAncestors)].join(' '),
    // The code of the captcha comes from another server, and creates scripts in its own way.
    ...(hosts.length === 0 ? [trustedTypes] : []),
  ].join('; ')
}

/**
 * Keeps texts from becoming code: browsers refuse a text in each place where a script could begin, unless it went through
 * the policy of our own code (`client/api/trusted-sinks.ts`) or of the library that cleans documents.
 */
const trustedTypes = "require-trusted-types-for 'script'; trusted-types stowage dompurify"

/**
 * Returns the hosts from which the page loads the captcha of the login form; none when the captcha is disabled.
 * Google's captcha loads some of its code from a second host.
 */
function challengeHosts({ ReCaptcha, ReCaptchaHost = '' }: PageConfiguration): readonly string[] {
  const [host] = (ReCaptcha ? /^https?:\/\/[\w.:[\]-]+/.exec(ReCaptchaHost) : null) ?? []
  if (host === undefined) return []
  const isGoogle = /^https:\/\/www\.(google\.com|recaptcha\.net)$/.test(host)
  return isGoogle ? [host, 'https://www.gstatic.com'] : [host]
}

function contentsOf(html: string, name: string, isIncluded: (attributes: string) => boolean): string[] {
  const elements = html.matchAll(new RegExp(`<${name}([^>]*)>([\\s\\S]*?)</${name}>`, 'g'))
  return Array.from(elements, ([, attributes = '', content = '']) =>
    isIncluded(attributes) ? [content] : [],
  ).flat()
}

const hashSource = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const escapeAttribute = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
