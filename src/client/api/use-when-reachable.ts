import { useEffect, useEffectEvent } from 'react'
import { href } from './href.ts'

/** The time in milliseconds between two checks whether the server responds again. */
const checkMs = 5000

/**
 * Calls `onReachable` when a server that could not be reached responds again. The server is asked every 5 seconds while
 * the tab is visible, and when the browser reports that the network is back. Does nothing while `isUnreachable` is false.
 */
export function useWhenReachable(isUnreachable: boolean, onReachable: () => void): void {
  const act = useEffectEvent(onReachable)
  useEffect(() => {
    if (!isUnreachable) return undefined
    let isOver = false
    const check = (): void => {
      if (document.visibilityState === 'hidden') return
      fetch(href('health.get')).then(
        ({ ok }) => ok && !isOver && act(),
        () => {},
      )
    }
    const timer = setInterval(check, checkMs)
    addEventListener('online', check)
    return () => {
      isOver = true
      clearInterval(timer)
      removeEventListener('online', check)
    }
  }, [isUnreachable])
}
