import { Upload } from 'lucide'
import { nameOf } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { DropTarget } from './use-drop.ts'
import styles from './uploads.module.css'

/**
 * Renders a dashed frame around the target of a drop, with the name of the target folder. The frame ignores pointer
 * events.
 */
export function DropOverlay({ target: { folder, row } }: { readonly target: DropTarget }) {
  const listing = document.querySelector('[data-part="listing"]')
  const around = (row ?? listing ?? document.body).getBoundingClientRect()
  const inset = row === null ? 8 : 0
  const name = <FileName name={nameOf(folder) || t('sidebar.myFiles')} isWhole />
  return (
    <div className={styles.drop}>
      <div
        className={styles.dropFrame}
        style={{
          left: around.left + inset,
          top: around.top + inset,
          width: around.width - 2 * inset,
          height: around.height - 2 * inset,
        }}
      />
      <p className={styles.dropText}>
        <Icon icon={Upload} />
        <span>
          <RichText id={row === null ? 'uploads.drop' : 'uploads.dropInto'} values={{ folder: name }} />
        </span>
      </p>
    </div>
  )
}
