/**
 * The icons below `/static/img/icons/` (contract 13.3), by their purpose. Each list is in the order in which the page
 * refers to the icons.
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

export type PageIcon = { readonly name: string; readonly type: string; readonly sizes: string }

/** The names of all icons. */
export const iconNames: readonly string[] = Object.values(icons).flatMap((group) =>
  group.map(({ name }) => name),
)

/**
 * Returns the icons for a purpose. When the branding folder contains any of them, only the icons of the branding folder
 * are returned, so that no browser chooses a default icon instead.
 */
export function iconsFor(purpose: keyof typeof icons, brandingIcons: readonly string[]): readonly PageIcon[] {
  const all: readonly PageIcon[] = icons[purpose]
  const branded = all.filter(({ name }) => brandingIcons.includes(name))
  return branded.length > 0 ? branded : all
}
