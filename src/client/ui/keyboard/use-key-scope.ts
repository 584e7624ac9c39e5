import { useEffect, useEffectEvent } from 'react'
import { type KeyScope, openKeyScope } from './key-scopes.ts'

const handleNothing = (): boolean => false

/**
 * Opens a scope of keys while the component is mounted. A dialog or menu that handles its keys on its own elements opens a scope
 * without a function, which keeps the keys from the scopes below.
 */
export function useKeyScope(
  kind: KeyScope['kind'],
  onKey: KeyScope['onKey'] = handleNothing,
  { hasFieldKeys = false }: Pick<KeyScope, 'hasFieldKeys'> = {},
): void {
  const handle = useEffectEvent(onKey)
  useEffect(() => openKeyScope({ kind, onKey: (event) => handle(event), hasFieldKeys }), [kind, hasFieldKeys])
}
