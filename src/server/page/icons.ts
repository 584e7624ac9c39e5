/**
 * The icons of an installation below `/static/img/icons/` (contract 13.3), by their purpose. Each list has the order in
 * which the page refers to the icons.
 */
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

/** The names of all icons. */
export const iconNames: readonly string[] = Object.values(icons).flatMap((list) =>
  list.map(({ name }) => name),
)

/**
 * Returns the icons for a purpose. When the branding folder contains any of them, only the icons in the branding folder
 * are returned, so that no browser prefers the product's icon to the installation's icon.
 */
export function iconsFor(purpose: keyof typeof icons, brandingIcons: readonly string[]): readonly Icon[] {
  const all: readonly Icon[] = icons[purpose]
  const replaced = all.filter(({ name }) => brandingIcons.includes(name))
  return replaced.length > 0 ? replaced : all
}
