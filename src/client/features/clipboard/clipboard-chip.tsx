import { Copy, Scissors } from 'lucide'
import type { Path } from '../../../shared/domain/path.ts'
import { isAvailable } from '../../actions/action.ts'
import { paste } from '../../actions/paste.ts'
import { t } from '../../i18n/translate.ts'
import { clipboardText } from '../../operations/clipboard-text.ts'
import { clearClipboard, type ClipboardContent } from '../../state/clipboard.ts'
import { useMay } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Fill } from '../../ui/slot.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './clipboard.module.css'

type ClipboardChipProps = { readonly content: ClipboardContent; readonly folder: Path }

/**
 * Shows what the clipboard contains, with buttons that paste it into the open folder and that empty it. The chip is in
 * the status bar, and floats above the list on phones, which have no status bar.
 */
export function ClipboardChip({ content, folder }: ClipboardChipProps) {
  const isPhone = useMedia(mobileQuery)
  const context = { folder, selected: [], may: useMay(), isMultiple: false }
  const chip = (
    <fieldset
      aria-label={t('clipboard.label')}
      className={classNames(styles.chip, isPhone && styles.floating)}
      data-part="clipboard"
    >
      <Icon icon={content.verb === 'move' ? Scissors : Copy} size={14} />
      <bdi className={styles.text}>{visibleName(clipboardText(content))}</bdi>
      {isAvailable(paste, context) && (
        <Button kind="quiet" className={styles.button} onClick={() => void paste.run(context)}>
          {t('clipboard.paste')}
        </Button>
      )}
      <Button kind="quiet" className={styles.button} onClick={clearClipboard}>
        {t('clipboard.clear')}
      </Button>
    </fieldset>
  )
  return isPhone ? chip : <Fill slot="status">{chip}</Fill>
}
