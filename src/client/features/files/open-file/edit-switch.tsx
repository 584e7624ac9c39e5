import { CodeXml, Eye, Pencil } from 'lucide'
import type { FileResource } from '../../../../shared/contract/resources.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { useMay } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { startEditing, stopEditing } from './edit-mode.ts'
import styles from './edit-switch.module.css'

type EditSwitchProps = {
  readonly path: Path
  readonly file: FileResource
  readonly isEditing: boolean
}

/**
 * Renders the button that opens the editor of a document, and that leads from the editor to the document. Somebody who may not change
 * the text can read its source. On phones, the button has no room for its label.
 */
export function EditSwitch({ path, file, isEditing }: EditSwitchProps) {
  const mayModify = useMay()('modify')
  const isPhone = useMedia(mobileQuery)
  const mayEdit = mayModify && file.type !== 'textImmutable'
  const source = mayEdit
    ? { icon: Pencil, label: t('file.edit') }
    : { icon: CodeXml, label: t('file.source') }
  const { icon, label } = isEditing ? { icon: Eye, label: t('file.preview') } : source
  const onClick = (): void => (isEditing ? stopEditing(path) : startEditing(path))
  return isPhone ? (
    <IconButton icon={icon} label={label} onClick={onClick} />
  ) : (
    <Button icon={icon} className={styles.switch} onClick={onClick}>
      {label}
    </Button>
  )
}
