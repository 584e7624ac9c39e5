import { config } from '../../api/config.ts'
import { logout } from '../../api/session.ts'
import { mayLeave } from '../../router/router.ts'
import { unfinishedFiles } from '../../state/personal.ts'
import { prompt } from '../../state/prompt.ts'

/** Returns true when users log in with a password here, so that a logout has an effect. */
export const canLogOut = (): boolean => config().AuthMethod === 'json' && !config().NoAuth

/** Logs out. Asks first while files are still being uploaded, and about unsaved changes of a text. */
export async function leave(): Promise<void> {
  if (!(await mayLeave())) return
  if (unfinishedFiles() > 0) prompt.set({ kind: 'logout' })
  else void logout()
}
