import { useEffect, useEffectEvent } from 'react'
import { type KeyScope, openKeyScope } from './key-scopes.ts'

/** Opens a scope of keys while the component is mounted. */
export function useKeyScope(
  kind: KeyScope['kind'],
  onKey: KeyScope['onKey'],
  fieldKeys?: KeyScope['fieldKeys'],
): void {
  const handle = useEffectEvent(onKey)
  useEffect(() => openKeyScope({ kind, onKey: handle, fieldKeys }), [kind, fieldKeys])
}

/** Handles no key. For the scope of a dialog or menu whose elements handle keys themselves, and which hides the scopes below. */
export const ignoreKeys = (): boolean => false
