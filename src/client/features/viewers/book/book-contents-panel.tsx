import { useEffect, useEffectEvent, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { type Book, type ContentsItem, lineOfChapter } from './book.ts'
import styles from './book.module.css'

/** The largest depth that is shown by indentation. */
const maxDepth = 5

type BookContentsProps = {
  readonly book: Book
  readonly chapter: number
  readonly onGo: (chapter: number, fragment: string) => void
  readonly onClose: () => void
}

/** Renders the table of contents. A book without one gets a line for each chapter. */
export function BookContents({ book, chapter, onGo, onClose }: BookContentsProps) {
  const panel = useRef<HTMLElement>(null)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const element = panel.current
    if (element === null) return undefined
    element.querySelector<HTMLElement>('[aria-current]')?.scrollIntoView({ block: 'center' })
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
    }
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [])
  const items = book.contents.length > 0 ? book.contents : plainContents(book)
  const current = lineOfChapter(items, chapter)
  return (
    <ScrollArea ref={panel} className={styles.contents} label={t('viewer.contents')}>
      <ol>
        {items.map(({ label, depth, chapter: target, fragment }, index) => (
          <li key={index}>
            <button
              type="button"
              className={styles.line}
              style={{ paddingInlineStart: `${1 + Math.min(depth, maxDepth)}rem` }}
              aria-current={index === current ? 'location' : undefined}
              dir="auto"
              onClick={() => onGo(target, fragment)}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </ScrollArea>
  )
}

const plainContents = ({ chapters }: Book): readonly ContentsItem[] =>
  chapters.map((_, chapter) => ({
    label: t('viewer.chapter', { number: chapter + 1 }),
    depth: 0,
    chapter,
    fragment: '',
  }))
