import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { useOpened } from '../frame/use-opened.ts'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { ViewerNote } from '../frame/viewer-note.tsx'
import type { BookAddress } from './book-address.ts'
import { type BookPlace, scrollToTarget, visibleElement } from './book-place.ts'
import { bookStyle } from './book-style.ts'
import type { Book, BookChapterFile } from './book.ts'
import { type LoadedChapter, loadChapter } from './load-chapter.ts'
import styles from './book.module.css'

/** The reading position is saved when the user has not scrolled for this time, in milliseconds. */
const restMs = 200

type BookChapterProps = {
  readonly book: Book
  readonly place: BookPlace
  /** The area that scrolls the chapter. */
  readonly area: RefObject<HTMLElement | null>
  /** Called with the index of the first visible element after the user has scrolled. */
  readonly onPlace: (index: number) => void
  readonly onFollow: (address: BookAddress) => void
}

/** Shows a chapter. It lives in a shadow root, so that its styles and ids do not collide with those of the page. */
export function BookChapter({ book, place, area, onPlace, onFollow }: BookChapterProps) {
  const host = useRef<HTMLDivElement>(null)
  const chapter = useChapter(book, place.chapter)
  const notePlace = useEffectEvent(onPlace)
  const followLink = useEffectEvent(onFollow)
  useEffect(() => {
    if (host.current === null || chapter === null || chapter === 'failed') return undefined
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheetOf(bookStyle), sheetOf(chapter.styles)]
    root.replaceChildren(chapter.article)
    const release = chapter.showImages()
    const follow = (event: Event): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const address = link === null ? undefined : chapter.links.get(link)
      if (address === undefined) return
      event.preventDefault()
      followLink(address)
    }
    chapter.article.addEventListener('click', follow)
    return () => {
      release()
      chapter.article.removeEventListener('click', follow)
    }
  }, [chapter])
  useEffect(() => {
    const element = area.current
    if (element === null || chapter === null || chapter === 'failed') return undefined
    scrollToTarget(chapter.article, element, place.target)
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => notePlace(visibleElement(chapter.article, element)), restMs)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', onScroll)
    }
  }, [chapter, place, area])
  // The chapter is still in the page when the layout effect ends, so that a place that was reached a moment ago is kept, too.
  useLayoutEffect(() => {
    const element = area.current
    const holder = host.current
    if (element === null || chapter === null || chapter === 'failed') return undefined
    return () => {
      if (holder?.hidden === false) notePlace(visibleElement(chapter.article, element))
    }
  }, [chapter, area])
  if (chapter === 'failed') return <ViewerNote text={failureOf(book.chapters[place.chapter])} />
  return (
    <>
      {chapter === null && <ViewerLoading />}
      <div ref={host} className={styles.chapter} hidden={chapter === null} />
    </>
  )
}

/** Returns why a chapter is not shown. */
const failureOf = (file: BookChapterFile | undefined): string =>
  file?.entry === null
    ? t('viewer.missingChapter', { name: visibleName(file.path) })
    : t('viewer.brokenChapter')

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
}

/** Loads a chapter. Returns null while it is loaded. */
function useChapter(book: Book, index: number): LoadedChapter | 'failed' | null {
  const file = book.chapters[index]
  return useOpened<LoadedChapter | 'failed' | null>({
    key: String(index),
    open: async (signal) => (file === undefined ? null : loadChapter(book, file, signal)),
    onFailed: () => 'failed',
  })
}
