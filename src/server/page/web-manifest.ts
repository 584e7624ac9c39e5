import { createHash } from 'node:crypto'
import { offerField, offerPath } from '../../shared/domain/device/offered-files.ts'
import type { PageConfiguration } from '../../shared/contract/page.ts'
import type { StaticFile } from '../http/response/static-files.ts'
import { iconsFor } from './icons.ts'
import { defaultTitle } from './render-page.ts'

/**
 * The path of the manifest below `/static`. The URLs in the manifest are relative to the server's origin and include
 * the base path.
 */
export const manifestName = '/manifest.webmanifest'

const backgrounds = { '': '#ffffff', light: '#ffffff', dark: '#0e1014' } as const

/**
 * Creates the manifest of the web app (contract 13.1) with the name, colours and icons of the installation. All URLs in
 * the manifest are below the base path.
 */
export function webManifest(
  { Name, Color, Theme, BaseURL, StaticURL }: PageConfiguration,
  brandingIcons: readonly string[],
): StaticFile {
  const name = Name || defaultTitle
  const text = JSON.stringify({
    id: `${BaseURL}/`,
    name,
    short_name: name,
    start_url: `${BaseURL}/`,
    scope: `${BaseURL}/`,
    display: 'standalone',
    background_color: backgrounds[Theme],
    theme_color: Color || '#455a64',
    icons: iconsFor('installed', brandingIcons).map(({ name: file, type, sizes }) => ({
      src: `${StaticURL}/img/icons/${file}`,
      type,
      sizes,
    })),
    share_target: {
      action: `${BaseURL}${offerPath}`,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: offerField, accept: ['*/*'] }] },
    },
  })
  const bytes = Buffer.from(text)
  const etag = createHash('sha256').update(bytes).digest('base64url')
  return { bytes, etag, type: 'application/manifest+json' }
}
