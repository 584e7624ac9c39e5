import { Contrast, Monitor, Moon, Sun } from 'lucide'
import { t } from '../i18n/translate.ts'
import { theme, themeChoices, type ThemeChoice } from '../state/device/theme.ts'
import { useStore } from '../state/store.ts'
import { MenuButton } from '../ui/menu-button.tsx'
import type { IconDrawing } from '../ui/icon.tsx'

const icons: Readonly<Record<ThemeChoice, IconDrawing>> = {
  instance: Contrast,
  system: Monitor,
  light: Sun,
  dark: Moon,
}

/** Renders the menu in which the user chooses the theme of the client on this device. */
export function ThemeMenu() {
  const chosen = useStore(theme)
  return (
    <MenuButton
      icon={icons[chosen]}
      label={t('sidebar.theme')}
      placement="top start"
      entries={themeChoices.map((choice) => ({
        id: choice,
        label: t(`sidebar.theme.${choice}`),
        icon: icons[choice],
        isChosen: choice === chosen,
        run: () => theme.set(choice),
      }))}
    />
  )
}
