import { Suspense, useEffect } from 'react'
import { prompt } from '../state/prompt.ts'
import { useStore } from '../state/store.ts'
import { lazyScreen } from './lazy-screen.ts'

const loadPrompts = () => import('../features/prompts/prompts.tsx').then(({ Prompts }) => Prompts)
const Prompts = lazyScreen(loadPrompts)
const Uploads = lazyScreen(() => import('../features/uploads/uploads.tsx').then(({ Uploads }) => Uploads))

/** What opens over the screens. Its code is fetched when the browser has nothing else to do, or a dialog is asked for. */
export function Overlays() {
  const { kind } = useStore(prompt)
  useIdleLoading()
  return (
    <>
      <Suspense>
        <Uploads />
      </Suspense>
      <Suspense>{kind !== 'none' && <Prompts />}</Suspense>
    </>
  )
}

function useIdleLoading(): void {
  useEffect(() => {
    const load = (): void => void loadPrompts().catch(() => undefined)
    const timer = setTimeout(load, 2000)
    return () => clearTimeout(timer)
  }, [])
}
