import { useEffect, type CSSProperties, type ReactNode } from 'react'
import { config } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { location } from '../router/router.ts'
import { lazyPart } from '../state/parts/lazy-part.ts'
import { closePrompt, prompt } from '../state/prompt.ts'
import { isDrawerOpen, sidebarSize, sidebarWidth } from '../state/device/sidebar.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { GlyphSprite } from '../ui/file-picture.tsx'
import { Slot } from '../ui/slot.tsx'
import { mobileQuery, railQuery, useMedia } from '../ui/measuring/use-media.ts'
import { focusContent } from './focus-content.ts'
import { Header } from './header.tsx'
import { holdKeys } from './held-keys.ts'
import { Sidebar, type SidebarMode } from './sidebar.tsx'
import { useIsAfterRows } from './use-is-after-rows.ts'
import styles from './frame.module.css'

const AfterRows = lazyPart(async () => (await import('./after-rows.tsx')).AfterRows)

holdKeys()

/** Renders the header, the sidebar, the notices and the open dialog around every screen except the login. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const isMobile = useMedia(mobileQuery)
  const isNarrow = useMedia(railQuery)
  const size = useStore(sidebarSize)
  const widthPx = useStore(sidebarWidth)
  const sidebarMode: SidebarMode = isMobile ? 'drawer' : isNarrow ? 'rail' : size
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
      <FollowingRows />
    </div>
  )
}

/** Renders what follows the first rows. A prompt that is opened later loads the code again that could not be loaded. */
function FollowingRows() {
  const { kind } = useStore(prompt)
  const { DisableExternal, ReportIssueURL } = config()
  if (!useIsAfterRows()) return null
  return (
    <ErrorBoundary resetKey={kind} renderFallback={() => <ClosedPrompt />}>
      <AfterRows reportAddress={DisableExternal || ReportIssueURL === '' ? null : ReportIssueURL} />
    </ErrorBoundary>
  )
}

/** Closes the open prompt, which cannot be shown. Otherwise it would keep the keys. */
function ClosedPrompt() {
  useEffect(closePrompt, [])
  return null
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
