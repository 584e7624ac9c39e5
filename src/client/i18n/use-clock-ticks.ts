import { useEffect } from 'react'
import { clock } from './format.ts'

/** Advances the clock of the relative times while the page is visible, and as soon as it becomes visible again. */
export function useClockTicks(): void {
  useEffect(() => {
    const tick = (): void => {
      if (document.visibilityState === 'visible') clock.set(Date.now())
    }
    tick()
    const timer = setInterval(tick, 60_000)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
}
