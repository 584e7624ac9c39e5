import { useEffect } from 'react'
import { isAvailable } from '../actions/action.ts'
import { actionOfKey } from '../actions/action-keys.ts'
import { pageContextOf } from '../actions/page-context.ts'
import { location } from '../router/router.ts'
import { may } from '../state/session.ts'
import { isKeyTaken, isTextField } from '../ui/key-targets.ts'

/**
 * Runs the actions whose keys work on every screen, such as the help. The list handles its keys first. In a text field,
 * only keys that type no character run actions.
 */
export function useGlobalKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = isKeyTaken(event) ? undefined : actionOfKey(event)
      if (
        action?.isGlobal !== true ||
        (event.key.length === 1 && !hasModifier(event) && isTextField(event.target))
      )
        return
      event.preventDefault()
      const context = pageContextOf(location.get(), may)
      if (isAvailable(action, context)) void action.run(context)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey
