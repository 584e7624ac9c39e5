import { useEffect, useEffectEvent, useRef } from 'react'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { StripPage } from './comic-page.tsx'
import type { Comic } from './comic.ts'
import styles from './comic.module.css'

type ComicStripProps = {
  readonly comic: Comic
  readonly label: string
  readonly page: number
  /** Called when the user has scrolled to another page. */
  readonly onPage: (page: number) => void
}

/** Shows all pages of a comic below each other. Scrolls to `page` whenever `page` differs from the page on screen. */
export function ComicStrip({ comic, label, page, onPage }: ComicStripProps) {
  const area = useRef<HTMLElement>(null)
  const shownPage = useRef(-1)
  const tell = useEffectEvent(onPage)
  useEffect(() => {
    if (shownPage.current === page) return
    shownPage.current = page
    area.current?.querySelector(`[data-page="${page + 1}"]`)?.scrollIntoView({ block: 'start' })
  }, [page])
  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    element.focus({ preventScroll: true })
    const onScroll = (): void => {
      const visible = visiblePage(element)
      if (visible === shownPage.current) return
      shownPage.current = visible
      tell(visible)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [])
  return (
    <ScrollArea ref={area} className={styles.strip} label={label}>
      {comic.pages.map(({ start }, index) => (
        <StripPage key={start} comic={comic} index={index} />
      ))}
    </ScrollArea>
  )
}

/** Returns the index of the page at a quarter of the visible area, or of the last page at the end of the strip. */
function visiblePage(area: HTMLElement): number {
  const pages = [...area.querySelectorAll<HTMLElement>('[data-page]')]
  if (area.scrollTop + area.clientHeight >= area.scrollHeight - 1) return pages.length - 1
  const { top, height } = area.getBoundingClientRect()
  const at = pages.findLastIndex((page) => page.getBoundingClientRect().top <= top + height / 4)
  return Math.max(0, at)
}
