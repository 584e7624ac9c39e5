import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { EntryThumbnail } from '../../../listing/thumbnails/entry-thumbnail.tsx'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { isRightToLeft } from '../../../ui/direction/direction.ts'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { PictureSequence } from './siblings.ts'
import styles from './film-strip.module.css'

/** The width of a thumbnail with the gap after it, in CSS pixels. The style sheet has the same. */
const stepPx = 68

/** The thumbnails on each side of the visible ones that are rendered as well, so that a short movement shows no gaps. */
const extraCount = 4

type FilmStripProps = {
  readonly pictures: PictureSequence
  /** Returns the URL of the thumbnail of a file, or an empty string for a file without a thumbnail. */
  readonly thumbnailOf: (entry: ListedEntry) => string
  readonly onOpen: (entry: ListedEntry) => void
}

/**
 * Renders the pictures and films of a folder as a strip of thumbnails, of which only those near the visible part exist. The open one is
 * in the middle, and is the only stop of Tab: the arrow keys open the files beside it, and the focus follows them.
 */
export function FilmStrip({ pictures: { total, openIndex, entryAt }, thumbnailOf, onOpen }: FilmStripProps) {
  const strip = useRef<HTMLElement>(null)
  const { first, count } = useVisibleItems(strip, openIndex)
  useFollowingFocus(strip, openIndex)
  const from = Math.max(0, Math.min(first - extraCount, total))
  const until = Math.min(total, first + count + extraCount)
  const shown = Array.from({ length: Math.max(0, until - from) }, (_, at) => from + at)
  const isOpenShown = openIndex === -1 || (openIndex >= from && openIndex < until)
  return (
    <nav
      ref={strip}
      className={styles.strip}
      aria-label={t('viewer.filmStrip')}
      data-part="film-strip"
      data-fading="float"
    >
      <ul className={styles.items} style={{ inlineSize: total * stepPx }}>
        {(isOpenShown ? shown : [...shown, openIndex]).map((index) => {
          const entry = entryAt(index)
          return (
            entry !== null && (
              <li
                key={entry.name}
                className={styles.item}
                style={{ insetInlineStart: index * stepPx }}
                aria-posinset={index + 1}
                aria-setsize={total}
              >
                <button
                  type="button"
                  className={styles.button}
                  aria-label={visibleName(entry.name)}
                  aria-current={index === openIndex || undefined}
                  tabIndex={index === openIndex ? 0 : -1}
                  onClick={() => onOpen(entry)}
                >
                  <Thumbnail entry={entry} address={thumbnailOf(entry)} />
                </button>
              </li>
            )
          )
        })}
      </ul>
    </nav>
  )
}

/** Renders the thumbnail of a file, or its icon where the server makes no thumbnail. */
function Thumbnail({ entry, address }: { readonly entry: ListedEntry; readonly address: string }) {
  if (address === '') return <FilePicture {...entry} className={styles.thumbnail} />
  return <EntryThumbnail entry={entry} address={address} className={styles.thumbnail} />
}

type VisibleItems = { readonly first: number; readonly count: number }

/** Returns which items the strip shows. Scrolls the open one to the middle when it changes, and when the strip gets another width. */
function useVisibleItems(strip: RefObject<HTMLElement | null>, openIndex: number): VisibleItems {
  const [items, setItems] = useState<VisibleItems>({ first: 0, count: 0 })
  useLayoutEffect(() => {
    const element = strip.current
    if (element === null) return undefined
    const read = (): void => {
      const first = Math.floor(Math.abs(element.scrollLeft) / stepPx)
      const count = Math.ceil(element.clientWidth / stepPx) + 1
      setItems((before) => (before.first === first && before.count === count ? before : { first, count }))
    }
    let widthPx = element.clientWidth
    const observer = new ResizeObserver(() => {
      // The observer also reports the size that the strip has at first, when the user may have scrolled it already.
      if (element.clientWidth === widthPx) return
      widthPx = element.clientWidth
      scrollTo(element, openIndex)
      read()
    })
    scrollTo(element, openIndex)
    read()
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [strip, openIndex])
  useWheel(strip)
  return items
}

/** Scrolls an item to the middle of the strip. In languages from right to left, positions are negative. */
function scrollTo(strip: HTMLElement, index: number): void {
  const middle = Math.max(0, index) * stepPx + stepPx / 2 - strip.clientWidth / 2
  strip.scrollLeft = isRightToLeft() ? -Math.max(0, middle) : middle
}

/** Lets the wheel of a mouse, which turns only up and down, scroll the strip. */
function useWheel(strip: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = strip.current
    if (element === null) return undefined
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaX !== 0 || event.ctrlKey) return
      event.preventDefault()
      element.scrollLeft += isRightToLeft() ? -event.deltaY : event.deltaY
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [strip])
}

/** Moves the focus to the open item when another one of the strip has it. */
function useFollowingFocus(strip: RefObject<HTMLElement | null>, openIndex: number): void {
  useEffect(() => {
    const element = strip.current
    if (element?.contains(document.activeElement) !== true) return
    element
      .querySelector<HTMLElement>(`[aria-posinset='${openIndex + 1}'] button`)
      ?.focus({ preventScroll: true })
  }, [strip, openIndex])
}
