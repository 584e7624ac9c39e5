import { useEffect, type ComponentProps } from 'react'
import { createStore, useStore } from '../state/store.ts'
import { openFolder, unreachablePath } from '../state/open-folder.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../state/parts/lazy-part.ts'

const { Part: SidebarPart } = lazyPart(async () => (await import('./sidebar-parts.tsx')).SidebarPart)

/** True as soon as the first rows of the page, or an error in their place, have been on screen. */
const hasShownRows = createStore(false)

/**
 * The delay in milliseconds after the first rows, so that the browser paints and handles input first. On screens
 * without rows the parts appear after the longer delay.
 */
const afterRowsMs = 100
const withoutRowsMs = 1500

/** Renders a part of the sidebar after the first rows are on screen. A part whose code cannot be loaded is left out. */
export function LateSidebarPart({ name }: ComponentProps<typeof SidebarPart>) {
  const isTime = useStore(hasShownRows)
  useFirstRows()
  if (!isTime) return null
  return (
    <ErrorBoundary resetKey={name} renderFallback={() => null}>
      <SidebarPart name={name} />
    </ErrorBoundary>
  )
}

function useFirstRows(): void {
  useEffect(() => {
    if (hasShownRows.get()) return undefined
    const settle = (): void => hasShownRows.set(true)
    const timers = [setTimeout(settle, withoutRowsMs)]
    const onView = (): void => {
      if (openFolder.get() !== null || unreachablePath.get() !== null)
        timers.push(setTimeout(settle, afterRowsMs))
    }
    const stops = [openFolder.subscribe(onView), unreachablePath.subscribe(onView)]
    onView()
    return () => {
      stops.forEach((stop) => stop())
      timers.forEach(clearTimeout)
    }
  }, [])
}
