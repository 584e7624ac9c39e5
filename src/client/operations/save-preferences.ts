import type { userForms } from '../../shared/contract/fields/user-fields.ts'
import type { TokenUser } from '../../shared/contract/users.ts'
import { call } from '../api/call.ts'
import { renewSession } from '../api/renewal.ts'
import { showFields, tokenOf, userOf, userOfToken } from '../state/session.ts'

/** The preferences that users change themselves. Tokens contain them, so that the page shows them at once. */
export type Preferences = Pick<TokenUser, (typeof userForms.preferences)[number]>

/**
 * Saves preferences of the signed-in user.
 * @throws CallError when the server refuses the change or cannot be reached.
 */
export async function savePreferences(changes: Partial<Preferences>): Promise<void> {
  const user = userOf()
  if (user === null) return
  const { id } = user
  await call('users.update', {
    id,
    body: { what: 'user', which: Object.keys(changes), data: { id, ...changes } },
  })
}

/** Shows preferences on every screen, once the server has stored them. */
export function showPreferences(changes: Partial<Preferences>): void {
  const confirm = showFields(changes)
  void renewUntil(changes).finally(confirm)
}

/** Waits for a token that contains the preferences. */
async function renewUntil(changes: Partial<Preferences>): Promise<void> {
  await renewSession()
  // This renewal may have begun before the server stored the preferences.
  const inToken = userOfToken(tokenOf() ?? '')
  const names = Object.keys(changes) as (keyof Preferences)[]
  if (names.some((name) => inToken?.[name] !== changes[name])) await renewSession()
}
