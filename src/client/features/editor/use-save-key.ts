import { useKeyScope } from '../../ui/keyboard/use-key-scope.ts'
import { combinationOf } from '../../ui/keyboard/keys.ts'

/**
 * Makes Ctrl+S save the open text, whatever part of the page has the focus. On the other screens, the key downloads the file,
 * which in an open text would be the version before the changes. `save` is null for a text that cannot be changed.
 */
export function useSaveKey(save: (() => Promise<unknown>) | null): void {
  useKeyScope(
    'viewer',
    (event) => {
      if (save === null || combinationOf(event) !== 'ctrl+s') return false
      void save()
      return true
    },
    'with-field-keys',
  )
}
