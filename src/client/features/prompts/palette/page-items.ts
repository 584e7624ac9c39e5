import { Contrast, LogOut, Monitor, Moon, Settings, Sun } from 'lucide'
import type { TokenUser } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/translate.ts'
import { canLogOut, leave } from '../../../operations/session/leave.ts'
import { navigate } from '../../../router/router.ts'
import { theme, themeChoices, type ThemeChoice } from '../../../state/device/theme.ts'
import { isOfferedTo, settingsPages, type SettingsPageName } from '../../../state/screens/settings-pages.ts'
import { type IconDrawing, directed } from '../../../ui/icon.tsx'
import type { PaletteItem } from './palette-items.ts'

const themeIcons: Readonly<Record<ThemeChoice, IconDrawing>> = {
  instance: Contrast,
  system: Monitor,
  light: Sun,
  dark: Moon,
}

/** The pages that the palette finds. The report of a takeover is found in the navigation of the settings only. */
const isFound = (name: SettingsPageName) => name !== 'takeover'

/** Returns the items for the pages of the settings that the navigation offers to the user. */
export const settingsItems = (user: TokenUser | null): readonly PaletteItem[] =>
  settingsPages
    .filter((name) => user !== null && isOfferedTo(name, user))
    .filter(isFound)
    .map((name) => ({
      id: `settings ${name}`,
      section: 'folders',
      label: t(`settings.tab.${name}`),
      words: `${t('title.settings')} ${t(`palette.words.${name}`)}`,
      icon: Settings,
      run: () => navigate(`/settings/${name}`),
    }))

/** Returns the items for the choices of the theme, and for the logout where there is one. */
export const deviceItems = (): readonly PaletteItem[] => [
  ...themeChoices.map((choice): PaletteItem => ({
    id: `theme ${choice}`,
    section: 'actions',
    label: t('palette.theme', { name: t(`sidebar.theme.${choice}`) }),
    words: t('palette.words.theme'),
    icon: themeIcons[choice],
    isChosen: theme.get() === choice,
    run: () => theme.set(choice),
  })),
  ...(canLogOut() ? [logoutItem()] : []),
]

const logoutItem = (): PaletteItem => ({
  id: 'logout',
  section: 'actions',
  label: t('sidebar.logout'),
  words: t('palette.words.logout'),
  icon: directed(LogOut),
  run: () => void leave(),
})
