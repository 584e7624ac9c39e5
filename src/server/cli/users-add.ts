import { withAdminImplied } from '../../shared/domain/access.ts'
import { homeScope } from '../../shared/domain/home-scope.ts'
import { hashedPassword } from './hashed-password.ts'
import { makeHome } from './home-folder.ts'
import { applyFlags } from './setter.ts'
import { userSetters } from './user-setters.ts'
import { userTable } from './user-table.ts'
import type { RecordsCall, Verb } from './verb.ts'

/** Makes a user from the stored defaults and the flags (contract 14.2). */
export const usersAdd: Verb = {
  name: 'users add',
  takes: ['NAME', 'PASSWORD'],
  meaning: 'Makes a user.',
  options: userSetters.map(({ option }) => option),
  on: 'database',
  run: addUser,
}

async function addUser(call: RecordsCall): Promise<void> {
  const { words, flags, records, loaded, print } = call
  const [username = '', password = ''] = words
  const settings = await records.settings.get()
  const draft = applyFlags(userSetters, { ...settings.defaults, lockPassword: false }, flags)
  const scope = homeScope(settings, username, flags.has('scope') ? draft.scope : null)
  const fields = {
    ...draft,
    username,
    scope,
    passwordHash: await hashedPassword(call, password),
    perm: withAdminImplied(draft.perm, !loaded.config.disableExec),
    rules: [],
    isDisabled: false,
  }
  if (settings.createUserDir) await makeHome(loaded.config, scope)
  const user = await records.users.add(fields)
  print(userTable([user]))
}
