/** The icons of an installation below `/static/img/icons/` (contract 13.3), by what they are for; each list in the order of a page. */
const icons = {
  tab: [
    { name: 'favicon.ico', type: 'image/x-icon', sizes: '32x32' },
    { name: 'favicon-16x16.png', type: 'image/png', sizes: '16x16' },
    { name: 'favicon-32x32.png', type: 'image/png', sizes: '32x32' },
    { name: 'favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  ],
  touch: [{ name: 'apple-touch-icon.png', type: 'image/png', sizes: '180x180' }],
  tile: [{ name: 'mstile-144x144.png', type: 'image/png', sizes: '144x144' }],
  installed: [
    { name: 'android-chrome-192x192.png', type: 'image/png', sizes: '192x192' },
    { name: 'android-chrome-512x512.png', type: 'image/png', sizes: '512x512' },
  ],
} as const

export type Icon = { readonly name: string; readonly type: string; readonly sizes: string }

/** All that are asked for by name. */
export const iconNames: readonly string[] = Object.values(icons).flatMap((list) =>
  list.map(({ name }) => name),
)

/**
 * The icons for a purpose, given those of the branding folder: where it has one of them, ours are not named, so that no browser
 * prefers the product's drawing to the installation's.
 */
export function iconsFor(purpose: keyof typeof icons, own: readonly string[]): readonly Icon[] {
  const all: readonly Icon[] = icons[purpose]
  const owned = all.filter(({ name }) => own.includes(name))
  return owned.length > 0 ? owned : all
}
