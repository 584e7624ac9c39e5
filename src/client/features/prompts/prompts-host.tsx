import { lazy, Suspense } from 'react'
import { prompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'

const load = () => import('./prompts.tsx')
const Prompts = lazy(() => load().then((module) => ({ default: module.Prompts })))

/** Fetches the prompts before the first is asked for. Call it when there is nothing more urgent to fetch. */
export const preloadPrompts = (): void => void load().catch(() => undefined)

/** Where prompts appear. Their code comes with the first one, or earlier. */
export function PromptsHost() {
  const isOpen = useStore(prompt).kind !== 'none'
  return <Suspense fallback={null}>{isOpen && <Prompts />}</Suspense>
}
