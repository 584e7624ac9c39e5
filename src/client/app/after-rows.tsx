import '../features/editor/draft-database.ts'
// The modules of the same name contain what the layers below use. All of them are loaded together with this one.
import '../features/files/after-rows.ts'
import '../i18n/later-texts.ts'
import '../listing/after-rows.ts'
import '../operations/after-rows.ts'
import { useEffect, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { statusOf } from '../api/call.ts'
import { config } from '../api/config.ts'
import { Clipboard } from '../features/clipboard/clipboard.tsx'
import { DragLayer } from '../features/drag/drag-layer.tsx'
import { ConnectionMark } from '../features/files/bars/connection-mark.tsx'
import { SessionEndedDialog } from '../features/login/session-ended-dialog.tsx'
import { Prompts } from '../features/prompts/prompts.tsx'
import { SearchPanel } from '../features/search/search-panel.tsx'
import { NewFiles } from '../features/sharing/new-files.tsx'
import { SharePrompts } from '../features/sharing/share-prompts.tsx'
import { DiskUsage } from '../features/sidebar/disk-usage.tsx'
import { SidebarFolders } from '../features/sidebar/sidebar-folders.tsx'
import { SidebarResizer } from '../features/sidebar/sidebar-resizer.tsx'
import { Uploads } from '../features/uploads/uploads.tsx'
import { useLocale } from '../i18n/locale.ts'
import { startServiceWorker } from '../operations/device/start-service-worker.ts'
import { isShellOpen } from '../state/panels/shell.ts'
import { prompt } from '../state/prompt.ts'
import { startPins } from '../state/saved-pins.ts'
import { startRecentPlaces } from '../state/saved-recent-places.ts'
import { session, useUser } from '../state/session.ts'
import { lazyPart } from '../state/parts/lazy-part.ts'
import type { SlotName } from '../state/slots.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Fill } from '../ui/slot.tsx'
import { releaseKeys } from './held-keys.ts'
import { PageKeys } from './page-keys.tsx'
import { PartNotice } from './part-notice.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { Toasts } from './toasts.tsx'

/** Most users never open the shell. */
const Shell = lazyPart(async () => (await import('../features/shell/shell.tsx')).Shell)

startPins(config().BaseURL)
startRecentPlaces(config().BaseURL)

/**
 * Renders what the frame needs only after the first rows: the keys of every screen, the parts of the sidebar, the search, and
 * the layers above the screens. These are the uploads, the open prompt, the notices, and the login dialog after the session
 * has ended. `reportAddress` is the page on which users report a failure, or null when there is none. React Aria would
 * use the language of the browser without being told another one.
 */
export function AfterRows({ reportAddress }: { readonly reportAddress: string | null }) {
  const { kind } = useStore(prompt)
  const user = useUser()
  const hasEnded = useStore(session).kind === 'ended'
  useEffect(releaseKeys, [])
  return (
    <I18nProvider locale={useLocale()}>
      <Layer resetKey={kind}>
        <PageKeys />
        {user !== null && <DeviceLink userId={user.id} />}
        {user !== null && <Uploads />}
        {user !== null && <Transfers />}
        {kind !== 'none' && <Prompts />}
        {kind !== 'none' && <SharePrompts />}
      </Layer>
      <Layer>
        <Toasts reportAddress={reportAddress} />
      </Layer>
      <Layer resetKey={String(hasEnded)}>
        {hasEnded && <SessionEndedDialog username={user?.username ?? ''} />}
      </Layer>
      <SlotLayer slot="search">
        <SearchPanel />
      </SlotLayer>
      <SlotLayer slot="sidebar-folders">
        <SidebarFolders />
      </SlotLayer>
      <SlotLayer slot="sidebar-new-files">
        <NewFiles />
      </SlotLayer>
      <SlotLayer slot="sidebar-usage">
        <DiskUsage />
      </SlotLayer>
      <SlotLayer slot="sidebar-theme">
        <ThemeMenu />
      </SlotLayer>
      <SlotLayer slot="sidebar-resizer">
        <SidebarResizer />
      </SlotLayer>
    </I18nProvider>
  )
}

/** Renders a layer, which is left out when it fails. The others stay. */
const Layer = ({ resetKey = '', children }: { readonly resetKey?: string; readonly children: ReactNode }) => (
  <ErrorBoundary resetKey={resetKey} renderFallback={() => null}>
    {children}
  </ErrorBoundary>
)

const SlotLayer = ({ slot, children }: { readonly slot: SlotName; readonly children: ReactNode }) => (
  <Layer>
    <Fill slot={slot}>{children}</Fill>
  </Layer>
)

/** Connects the page with the device, which keeps it for times without a network and offers files of other apps. Renders nothing. */
function DeviceLink({ userId }: { readonly userId: number }) {
  useEffect(() => startServiceWorker(userId), [userId])
  return null
}

/** Renders the layers for moving and copying entries, and the state of live updates. */
const Transfers = () => (
  <>
    <Clipboard />
    <DragLayer />
    <ConnectionMark />
    {useStore(isShellOpen) && (
      <ErrorBoundary
        resetKey=""
        renderFallback={(thrown, retry) => <PartNotice status={statusOf(thrown)} onRetry={retry} />}
      >
        <Shell />
      </ErrorBoundary>
    )}
  </>
)
