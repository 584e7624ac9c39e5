import { useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './tiff.module.css'
import { directed } from '../../../ui/icon.tsx'
import { isKeyTaken, isTextField } from '../../../ui/key-targets.ts'

type PageSwitchProps = {
  /** The open page, counted from 0. */
  readonly page: number
  readonly pages: number
  readonly onGo: (page: number) => void
}

/** Renders the ways to the other pages of an image. */
export function PageSwitch({ page, pages, onGo }: PageSwitchProps) {
  usePageKeys((by) => onGo(Math.max(0, Math.min(pages - 1, page + by))))
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

/** Goes to other pages with the keys Page Up and Page Down. */
function usePageKeys(onStep: (by: 1 | -1) => void): void {
  const latest = useRef(onStep)
  useEffect(() => {
    latest.current = onStep
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isKeyTaken(event) || isTextField(event.target) || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (event.key !== 'PageDown' && event.key !== 'PageUp') return
      event.preventDefault()
      latest.current(event.key === 'PageDown' ? 1 : -1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
