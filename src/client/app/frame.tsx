import { useEffect, type CSSProperties, type ReactNode } from 'react'
import { config } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { location } from '../router/router.ts'
import { isDrawerOpen, sidebarSize, sidebarWidth } from '../state/device/sidebar.ts'
import { useStore } from '../state/store.ts'
import { addIcons } from '../ui/icon.tsx'
import { moreIcons } from '../ui/icons/more-icons.ts'
import { GlyphSprite } from '../ui/file-picture.tsx'
import { Slot } from '../ui/slot.tsx'
import { mobileQuery, railQuery, useMedia } from '../ui/use-media.ts'
import { focusContent } from './focus-content.ts'
import { Header } from './header.tsx'
import { Overlays } from './overlays.tsx'
import { Sidebar, type SidebarMode } from './sidebar.tsx'
import styles from './frame.module.css'

addIcons(moreIcons)
// Operations show these texts, and are loaded later. The first rows do not wait for them.
void import('../i18n/later-texts.ts').catch(() => undefined)

/** Renders the header, the sidebar, the notices and the open dialog around every screen except the login. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const isMobile = useMedia(mobileQuery)
  const isNarrow = useMedia(railQuery)
  const size = useStore(sidebarSize)
  const widthPx = useStore(sidebarWidth)
  const sidebarMode: SidebarMode = isMobile ? 'drawer' : isNarrow ? 'rail' : size
  const { DisableExternal, ReportIssueURL } = config()
  useDrawerClosing()
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
        <Slot name="below-header" className={styles.below} />
        <div className={styles.screen}>{children}</div>
      </main>
      <Overlays reportAddress={DisableExternal || ReportIssueURL === '' ? null : ReportIssueURL} />
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

/** Closes the drawer whenever the user navigates. */
function useDrawerClosing(): void {
  useEffect(() => location.subscribe(() => isDrawerOpen.set(false)), [])
}
