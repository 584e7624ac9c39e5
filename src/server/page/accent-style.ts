import { createHash } from 'node:crypto'
import { accentShades, isAccent } from '../../shared/domain/colors/accent.ts'
import type { StaticFile } from '../http/response/static-files.ts'

/** The path of the style sheet with the accent below `/static`. */
export const accentStyleName = '/accent.css'

/**
 * Returns the style sheet with the accent of the installation; null when it has none. It stands before the style sheet of the
 * branding folder, and leaves the colours of people who want more contrast as they are.
 */
export function accentStyle(accent: string): StaticFile | null {
  if (accent === '' || !isAccent(accent)) return null
  const rule = (selector: string, theme: 'light' | 'dark'): string => {
    const { accent: main, hover, onAccent, text, selected } = accentShades(accent, theme)
    return `${selector}{--accent:${main};--accent-hover:${hover};--on-accent:${onAccent};--accent-fg:${text};--focus:${text};--bg-selected:${selected}}`
  }
  const rules = `${rule(':root', 'light')}${rule(':root.dark', 'dark')}`
  const bytes = Buffer.from(`@media (prefers-contrast: no-preference) and (forced-colors: none){${rules}}\n`)
  const etag = createHash('sha256').update(bytes).digest('base64url')
  return { bytes, etag, type: 'text/css; charset=utf-8' }
}
