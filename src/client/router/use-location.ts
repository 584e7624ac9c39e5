import { useEffect } from 'react'
import { useStore } from '../state/store.ts'
import { block, location, type NavigationBlocker, type Location } from './router.ts'

export const useLocation = (): Location => useStore(location)

/** Registers a blocker while `isActive` is true. */
export function useBlocker(isActive: boolean, blocker: NavigationBlocker): void {
  useEffect(() => (isActive ? block(blocker) : undefined), [isActive, blocker])
}
