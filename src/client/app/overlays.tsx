import { Suspense, useEffect } from 'react'
import { prompt } from '../state/prompt.ts'
import { useUser } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyScreen } from './lazy-screen.ts'

const loadDialogs = () => import('./dialogs.tsx').then(({ Dialogs }) => Dialogs)
const loadUploads = () => import('../features/uploads/uploads.tsx').then(({ Uploads }) => Uploads)
const { Screen: Dialogs } = lazyScreen(loadDialogs)
const { Screen: Uploads } = lazyScreen(loadUploads)

/** How long after the frame the dialogs are fetched, unless one is asked for before. */
const idleMs = 1500

/** What lies over the screens: uploads and what is dropped for them, and the open dialog. Their code comes after the first rows. */
export function Overlays() {
  const { kind } = useStore(prompt)
  const isUser = useUser() !== null
  useIdleLoading()
  return (
    <ErrorBoundary resetKey={kind} renderFallback={() => null}>
      <Suspense>{isUser && <Uploads />}</Suspense>
      <Suspense>{kind === 'none' ? null : <Dialogs />}</Suspense>
    </ErrorBoundary>
  )
}

function useIdleLoading(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadDialogs().catch(() => undefined), idleMs)
    return () => clearTimeout(timer)
  }, [])
}
