import { Route } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { copyAndNotify } from '../../../operations/copying/copy-and-notify.ts'
import { useLocation } from '../../../router/use-location.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Fill } from '../../../ui/slot.tsx'

/** Renders the button beside the breadcrumb that copies the path of the current address. */
export function CopyPathButton() {
  const { path } = useLocation()
  if (path === null) return null
  return (
    <Fill slot="path-actions">
      <IconButton icon={Route} label={t('breadcrumb.copy')} onClick={() => void copyAndNotify(path)} />
    </Fill>
  )
}
