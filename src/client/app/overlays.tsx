import { Suspense, useEffect } from 'react'
import { prompt } from '../state/prompt.ts'
import { session, useUser } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyScreen } from '../api/lazy-screen.ts'

const { Screen: Dialogs, fetch: fetchDialogs } = lazyScreen(() =>
  import('./dialogs.tsx').then(({ Dialogs }) => Dialogs),
)
const { Screen: Uploads } = lazyScreen(() =>
  import('../features/uploads/uploads.tsx').then(({ Uploads }) => Uploads),
)
const { Screen: Toasts } = lazyScreen(() => import('./toasts.tsx').then(({ Toasts }) => Toasts))
const { Screen: Transfers } = lazyScreen(() => import('./transfers.tsx').then(({ Transfers }) => Transfers))
const { Screen: PageKeys } = lazyScreen(() => import('./page-keys.tsx').then(({ PageKeys }) => PageKeys))
const { Screen: SessionEndedDialog, fetch: fetchSessionEndedDialog } = lazyScreen(() =>
  import('../features/login/session-ended-dialog.tsx').then(({ SessionEndedDialog }) => SessionEndedDialog),
)

/**
 * The delay between the first rendering of the frame and the loading of the dialogs' code. After this delay the first
 * rows are usually on screen. A dialog that opens earlier loads its code immediately.
 */
const idleMs = 1500

/**
 * Renders what the first rows do not need: the keys of every screen, and the layers above the screens. These are the
 * uploads, the open prompt, the notices, and the login dialog after the session has ended. `reportAddress` is the page
 * on which users report a failure, or null when there is none.
 */
export function Overlays({ reportAddress }: { readonly reportAddress: string | null }) {
  const { kind } = useStore(prompt)
  const user = useUser()
  const hasEnded = useStore(session).kind === 'ended'
  useIdleLoading()
  return (
    <>
      <ErrorBoundary resetKey={kind} renderFallback={() => null}>
        <Suspense>
          <PageKeys />
        </Suspense>
        <Suspense>{user !== null && <Uploads />}</Suspense>
        <Suspense>{user !== null && <Transfers />}</Suspense>
        <Suspense>{kind === 'none' ? null : <Dialogs />}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary resetKey={reportAddress ?? ''} renderFallback={() => null}>
        <Suspense>
          <Toasts reportAddress={reportAddress} />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary resetKey={String(hasEnded)} renderFallback={() => null}>
        <Suspense>{hasEnded && <SessionEndedDialog username={user?.username ?? ''} />}</Suspense>
      </ErrorBoundary>
    </>
  )
}

function useIdleLoading(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void fetchDialogs()
      void fetchSessionEndedDialog()
    }, idleMs)
    return () => clearTimeout(timer)
  }, [])
}
