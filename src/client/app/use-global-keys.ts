import { isAvailable } from '../actions/action.ts'
import { actionOfKey } from '../actions/action-keys.ts'
import { pageContextOf } from '../actions/page-context.ts'
import { location } from '../router/router.ts'
import { may } from '../state/session.ts'
import { useKeyScope } from '../ui/keyboard/use-key-scope.ts'

/** Runs the actions whose keys work on every screen, such as the help, also while a text field has the focus. */
export function useGlobalKeys(): void {
  useKeyScope('page', runGlobalAction, 'with-field-keys')
}

function runGlobalAction(event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  if (action?.isGlobal !== true) return false
  const context = pageContextOf(location.get(), may)
  if (isAvailable(action, context)) void action.run(context)
  return true
}
