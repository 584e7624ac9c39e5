import { useEffect, type CSSProperties, type ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { location, type Location } from '../router/router.ts'
import { closeContextMenu } from '../state/context-menu.ts'
import { closePrompt } from '../state/prompt.ts'
import { isDrawerOpen, sidebarSize, sidebarWidth } from '../state/device/sidebar.ts'
import { useStore } from '../state/store.ts'
import { GlyphSprite } from '../ui/file-picture.tsx'
import { Slot } from '../ui/slot.tsx'
import { mobileQuery, railQuery, useMedia } from '../ui/measuring/use-media.ts'
import { focusContent } from './focus-content.ts'
import { FollowingRows } from './following-rows.tsx'
import { Header } from './header.tsx'
import { holdKeys } from './held-keys.ts'
import { Sidebar, type SidebarMode } from './sidebar.tsx'
import styles from './frame.module.css'

holdKeys()

/** Renders the header, the sidebar, the notices and the open dialog around every screen except the login. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const isMobile = useMedia(mobileQuery)
  const isNarrow = useMedia(railQuery)
  const size = useStore(sidebarSize)
  const widthPx = useStore(sidebarWidth)
  const sidebarMode: SidebarMode = isMobile ? 'drawer' : isNarrow ? 'rail' : size
  useClosingOnLeave()
  return (
    <div
      className={styles.frame}
      data-sidebar={sidebarMode}
      style={{ '--sidebar-width': `min(${widthPx}rem / 16, max(${widthPx}px, 24vw))` } as CSSProperties}
    >
      <SkipLink />
      <GlyphSprite />
      <Header place={sidebarMode} hasRoom={!isNarrow} />
      <Sidebar place={sidebarMode} hasRoom={!isNarrow} />
      <main className={styles.main} id="content" tabIndex={-1} data-region>
        <div className={styles.screen}>{children}</div>
        <Slot name="page-notice" className={styles.notice} />
      </main>
      <FollowingRows />
    </div>
  )
}

const SkipLink = () => (
  <a
    className={styles.skip}
    href="#content"
    onClick={(event) => {
      event.preventDefault()
      focusContent()
    }}
  >
    {t('shell.skipToContent')}
  </a>
)

/**
 * Closes the drawer whenever the user navigates. Another address also closes the open prompt and the context menu
 * (specification 4), even before their code has come.
 */
function useClosingOnLeave(): void {
  useEffect(() => {
    let before = addressOf(location.get())
    return location.subscribe(() => {
      isDrawerOpen.set(false)
      const now = addressOf(location.get())
      if (now === before) return
      before = now
      closePrompt()
      closeContextMenu()
    })
  }, [])
}

/** Returns the address without its query, which changes while the user types a search. */
const addressOf = ({ key, rawPath }: Location): string => `${key} ${rawPath}`
