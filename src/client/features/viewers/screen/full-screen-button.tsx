import { Expand, Shrink } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { signKeys } from '../../../state/device/key-preferences.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import { useFullScreen } from '../frame/full-screen.ts'

/**
 * Renders the button with which a picture or a comic fills the screen. The key F does the same, unless the user has switched off such
 * keys, and Escape ends it. Renders nothing where the browser allows no full screen.
 */
export function FullScreenButton() {
  const { isOn, toggle } = useFullScreen(null)
  useKeyScope('screen', ({ key, altKey, ctrlKey, metaKey, shiftKey }) => {
    if (toggle === null || altKey || ctrlKey || metaKey || shiftKey) return false
    const isKey = (key === 'f' && signKeys.get() === 'on') || (key === 'Escape' && isOn)
    if (isKey) toggle()
    return isKey
  })
  if (toggle === null) return null
  return (
    <IconButton
      icon={isOn ? Shrink : Expand}
      label={isOn ? t('viewer.endFullScreen') : t('viewer.fullScreen')}
      hint="F"
      onClick={toggle}
    />
  )
}
