import { createDeviceStore } from './device-store.ts'
import type { Store } from '../store.ts'

export const themeChoices = ['instance', 'system', 'light', 'dark'] as const
/**
 * The theme that the user chose on this device. `instance` means the theme that the server configured. The script in
 * the page's head reads the same storage key before the first paint.
 */
export type ThemeChoice = (typeof themeChoices)[number]

/**
 * Applies the chosen theme, and follows the system's theme while "system" is chosen. `instance` is the theme of the
 * page configuration. When it is empty, the theme of the system applies until the user chooses one.
 */
export function startTheme(instance: '' | 'light' | 'dark'): Store<ThemeChoice> {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const chosen = theme.get()
    const choice = chosen === 'instance' ? instance || 'system' : chosen
    const isDark = choice === 'system' ? system.matches : choice === 'dark'
    document.documentElement.classList.toggle('dark', isDark)
    document.documentElement.classList.toggle('light', !isDark)
  }
  theme.subscribe(apply)
  system.addEventListener('change', apply)
  apply()
  return theme
}

export const theme: Store<ThemeChoice> = createDeviceStore<ThemeChoice>('theme', 'instance', themeChoices)
