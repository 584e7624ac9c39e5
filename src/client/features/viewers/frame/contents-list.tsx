import { useEffect, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { moveFocusInList } from './side-panel.tsx'
import styles from './side-panel.module.css'

/** The largest depth that is shown by indentation. */
const maxDepth = 5

/** A line of a table of contents. */
type ContentsLine = {
  readonly label: string
  /** The number of lines above this one that contain it. */
  readonly depth: number
  readonly isCurrent?: boolean
  /** Goes to the place in the content, or is null for a line that leads nowhere. */
  readonly onGo: (() => void) | null
}

/** Renders a table of contents. The line of the place on screen is in view when the list appears. */
export function ContentsList({ lines }: { readonly lines: readonly ContentsLine[] }) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' })
  }, [])
  const keys = { onKeyDown: moveFocusInList }
  return (
    <ScrollArea ref={list} className={styles.scroller} label={t('viewer.contents')}>
      <ol {...keys}>
        {lines.map(({ label, depth, isCurrent, onGo }, index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.line}
              style={{ paddingInlineStart: `${0.75 + Math.min(depth, maxDepth) * 0.875}rem` }}
              disabled={onGo === null}
              aria-current={isCurrent ? 'location' : undefined}
              dir="auto"
              onClick={() => onGo?.()}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </ScrollArea>
  )
}
