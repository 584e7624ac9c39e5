import { config } from '../api/config.ts'
import { startLanguage } from '../i18n/languages.ts'
import { locale } from '../i18n/locale.ts'
import { location } from '../router/router.ts'
import { focusContent } from './focus-content.ts'

/** The language that waits until the user leaves the open folder or file, or null. */
let waiting: string | null = null

/**
 * Applies the language of the user, or that of the browser when `wanted` is empty. All screens are mounted again for
 * another language. An open folder or file may have unsaved changes, so a change that was made elsewhere waits there until
 * the address changes.
 */
export async function applyLanguage(wanted: string): Promise<void> {
  waiting = null
  if (location.get().screen === 'files' && hasFollowed) waiting = wanted
  else await startLanguage(wanted, config().Locale)
}

/** True after the first screen has its language. */
let hasFollowed = false

/** Applies a waiting language whenever the address changes, and keeps the focus in the page when all screens are mounted again. */
export function followLanguage(): void {
  hasFollowed = true
  location.subscribe(() => {
    if (waiting !== null) void startLanguage(waiting, config().Locale)
    waiting = null
  })
  locale.subscribe(() => {
    const scrollPx = scrollY
    requestAnimationFrame(() => {
      scrollTo({ top: scrollPx })
      if (document.activeElement === document.body) focusContent()
    })
  })
}
