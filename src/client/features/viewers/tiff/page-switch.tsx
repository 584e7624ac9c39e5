import { ChevronLeft, ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './tiff.module.css'
import { directed } from '../../../ui/icon.tsx'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'

type PageSwitchProps = {
  /** The open page, counted from 0. */
  readonly page: number
  readonly pages: number
  readonly onGo: (page: number) => void
}

/** Renders the ways to the other pages of an image, to which the keys Page Up and Page Down lead, too. */
export function PageSwitch({ page, pages, onGo }: PageSwitchProps) {
  useKeyScope('viewer', ({ key, ctrlKey, metaKey, altKey }) => {
    if ((key !== 'PageDown' && key !== 'PageUp') || ctrlKey || metaKey || altKey) return false
    onGo(Math.max(0, Math.min(pages - 1, page + (key === 'PageDown' ? 1 : -1))))
    return true
  })
  return (
    <div className={styles.steps} role="toolbar" aria-label={t('viewer.pages')}>
      <IconButton
        icon={directed(ChevronLeft)}
        label={t('viewer.previousPage')}
        hint={t('key.PageUp')}
        blockedBy={page === 0 ? t('viewer.isFirstPage') : undefined}
        onClick={() => onGo(page - 1)}
      />
      <output className={styles.count}>{t('viewer.position', { position: page + 1, total: pages })}</output>
      <IconButton
        icon={directed(ChevronRight)}
        label={t('viewer.nextPage')}
        hint={t('key.PageDown')}
        blockedBy={page === pages - 1 ? t('viewer.isLastPage') : undefined}
        onClick={() => onGo(page + 1)}
      />
    </div>
  )
}
