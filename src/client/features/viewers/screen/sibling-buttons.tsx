import { useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Siblings } from './siblings.ts'
import styles from './sibling-buttons.module.css'
import { directed } from '../../../ui/icon.tsx'

/** The buttons are hidden after this time without a movement of the mouse, in milliseconds (specification 2). */
const hideAfterMs = 1500

type SiblingButtonsProps = {
  readonly siblings: Siblings
  readonly onStep: (to: 'previous' | 'next') => void
}

/** Renders the buttons to the previous and to the next file at the sides of the open file. */
export function SiblingButtons({ siblings: { position, previous, next }, onStep }: SiblingButtonsProps) {
  const buttons = useRef<HTMLDivElement>(null)
  useHiding(buttons)
  if (position === 0) return null
  return (
    <div ref={buttons} className={styles.siblings} data-fading="float">
      <IconButton
        icon={directed(ChevronLeft)}
        label={t('viewer.previous')}
        blockedBy={previous === null ? t('viewer.isFirst') : undefined}
        className={styles.previous}
        onClick={() => onStep('previous')}
      />
      <IconButton
        icon={directed(ChevronRight)}
        label={t('viewer.next')}
        blockedBy={next === null ? t('viewer.isLast') : undefined}
        className={styles.next}
        onClick={() => onStep('next')}
      />
    </div>
  )
}

/** Marks the buttons as idle while the mouse rests. The style sheet hides them unless they have the focus. */
function useHiding(buttons: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onMove = (): void => {
      clearTimeout(timer)
      buttons.current?.removeAttribute('data-idle')
      timer = setTimeout(() => buttons.current?.setAttribute('data-idle', ''), hideAfterMs)
    }
    onMove()
    document.addEventListener('pointermove', onMove, { passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointermove', onMove)
    }
  }, [buttons])
}
