import { withAdminImplied } from '../../shared/domain/access.ts'
import { CallError } from '../config/call-error.ts'
import { text } from '../config/kinds.ts'
import type { Option } from '../config/option.ts'
import { hashedPassword } from './hashed-password.ts'
import { applyFlags } from './setter.ts'
import { userSetters } from './user-setters.ts'
import { userTable } from './user-table.ts'
import type { RecordsCall, Verb } from './verb.ts'
import { whichUser } from './which-user.ts'

const username: Option = { name: 'username', short: 'u', kind: text, default: '', meaning: 'A new name.' }
const password: Option = { name: 'password', short: 'p', kind: text, default: '', meaning: 'A new password.' }

/** Changes what the flags name, and nothing else. A new password ends the user's sessions. */
export const usersUpdate: Verb = {
  name: 'users update',
  takes: ['WHO'],
  meaning: 'Changes a user, by id or name.',
  options: [username, password, ...userSetters.map(({ option }) => option)],
  on: 'database',
  run: updateUser,
}

async function updateUser(call: RecordsCall): Promise<void> {
  const { words, flags, records, loaded, print } = call
  const { id } = await whichUser(records.users, words[0] ?? '')
  const names = usersUpdate.options.map(({ name }) => name)
  if (!names.some((name) => flags.has(name))) throw new CallError('nothing to change: name at least one flag')
  const newPassword = flags.get('password')
  const passwordHash = newPassword === undefined ? null : await hashedPassword(call, newPassword)
  // a taken-over administrator keeps its rights until somebody changes them
  const changesRights = names.some((name) => name.startsWith('perm.') && flags.has(name))
  const user = await records.users.updateBy(id, (before) => {
    const fields = applyFlags(userSetters, before, flags)
    return {
      ...fields,
      username: flags.get('username') ?? before.username,
      passwordHash: passwordHash ?? before.passwordHash,
      perm: changesRights ? withAdminImplied(fields.perm, !loaded.config.disableExec) : fields.perm,
    }
  })
  if (newPassword !== undefined) await records.sessions.endAllOf(user.id)
  print(userTable([user]))
}
