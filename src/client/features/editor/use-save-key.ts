import { useEffect, useRef } from 'react'
import { combinationOf } from '../../ui/keys.ts'
import { isKeyTaken } from '../../ui/key-targets.ts'

/**
 * Makes Ctrl+S save the open text, whatever part of the page has the focus. On the other screens, the key downloads the file,
 * which in an open text would be the version before the changes. `save` is null for a text that cannot be changed.
 */
export function useSaveKey(save: (() => Promise<unknown>) | null): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (latest.current === null || combinationOf(event) !== 'ctrl+s' || isKeyTaken(event)) return
      event.preventDefault()
      void latest.current()
    }
    // The keys of the open file listen on the document as well. The capturing phase is earlier.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
}
