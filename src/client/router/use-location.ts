import { useEffect } from 'react'
import { useStore } from '../state/store.ts'
import { block, location, type Blocker, type Location } from './router.ts'

export const useLocation = (): Location => useStore(location)

/** Registers a blocker while `isActive` is true. */
export function useBlocker(isActive: boolean, blocker: Blocker): void {
  useEffect(() => (isActive ? block(blocker) : undefined), [isActive, blocker])
}
