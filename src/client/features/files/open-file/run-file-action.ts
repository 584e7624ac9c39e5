import { type ActionContext, isAvailable } from '../../../actions/action.ts'
import { actionOfKey } from '../../../actions/action-keys.ts'

type FileActionOptions = { readonly context: ActionContext; readonly onClose: () => void }

/** Runs the action that belongs to a key on the open file. Returns false for a key without an action of an open file. */
export function runFileAction({ context, onClose }: FileActionOptions, event: KeyboardEvent): boolean {
  const action = actionOfKey(event)
  if (action === undefined || action.isNative || action.isGlobal) return false
  if (action.id === 'parent-folder') onClose()
  else if (action.places.includes('file-header') && isAvailable(action, context)) void action.run(context)
  return true
}
