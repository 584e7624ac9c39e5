import { initialUserValues } from '../../../shared/contract/fields/user-fields.ts'
import { withAdminImplied } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { homeScope } from '../../../shared/domain/home-scope.ts'
import { faultOfPassword } from '../../auth/password-policy.ts'
import { text, toggle } from '../../config/option-kinds.ts'
import { valueOf } from '../../config/arguments.ts'
import type { Option } from '../../config/option.ts'
import { UsageError } from '../../config/usage-error.ts'
import { applyFlags } from '../verb/flag-setter.ts'
import type { VerbCallWithRecords, CliVerb } from '../verb/verb.ts'
import { withHomeFolders } from './home-folder.ts'
import { resolveUser } from './resolve-user.ts'
import { userFlags } from './user-flags.ts'
import { userTable } from './user-table.ts'

const userOptions = userFlags.map(({ option }) => option)

const newName: Option = { name: 'username', short: 'u', kind: text, default: '', meaning: 'A new name.' }
const newPassword: Option = {
  name: 'password',
  short: 'p',
  kind: text,
  default: '',
  meaning: 'A new password.',
}

const newState: Option<boolean> = {
  name: 'disabled',
  kind: toggle,
  default: false,
  meaning: 'Disables the account, or enables it with `--disabled=false`.',
}

/** Creates a user from the stored defaults and the flags (contract 14.2). */
export const usersAdd: CliVerb = {
  name: 'users add',
  parameters: ['NAME', 'PASSWORD'],
  meaning: 'Creates a user.',
  options: userOptions,
  worksOn: 'database',
  run: addUser,
}

/** Changes the fields for which flags are given. A new password ends the user's sessions. */
export const usersUpdate: CliVerb = {
  name: 'users update',
  parameters: ['WHO'],
  meaning: 'Changes a user, by id or name.',
  options: [newName, newPassword, newState, ...userOptions],
  worksOn: 'database',
  run: updateUser,
}

export const usersList: CliVerb = {
  name: 'users ls',
  parameters: [],
  meaning: 'Shows all users.',
  options: [],
  worksOn: 'database',
  run: async ({ records, print }) => print(userTable(await records.users.list())),
}

export const usersFind: CliVerb = {
  name: 'users find',
  parameters: ['WHO'],
  meaning: 'Shows a user, by id or name.',
  options: [],
  worksOn: 'database',
  run: async ({ records, words, print }) =>
    print(userTable([await resolveUser(records.users, words[0] ?? '')])),
}

/** Removes a user. The last administrator cannot be removed. */
export const usersRemove: CliVerb = {
  name: 'users rm',
  parameters: ['WHO'],
  meaning: 'Removes a user, by id or name. Files are kept.',
  options: [],
  worksOn: 'database',
  async run({ records, words, print }) {
    const user = await resolveUser(records.users, words[0] ?? '')
    await records.users.remove(user.id)
    print(`user ${user.username} was removed`)
  },
}

async function addUser(call: VerbCallWithRecords): Promise<void> {
  const { words, flags, records, loaded, print } = call
  const [username = '', password = ''] = words
  const settings = await records.settings.get()
  const draft = applyFlags(userFlags, { ...initialUserValues, ...settings.defaults }, flags)
  const scope = homeScope(settings, username, flags.has('scope') ? draft.scope : null)
  const fields = {
    ...initialUserValues,
    ...draft,
    username,
    scope,
    passwordHash: await hashAcceptedPassword(call, password),
    perm: withAdminImplied(draft.perm, !loaded.config.disableExec),
    isDisabled: false,
  }
  const homes = settings.createUserDir ? [scope] : []
  const user = await withHomeFolders(loaded.config, homes, () => records.users.add(fields))
  print(userTable([user]))
}

async function updateUser(call: VerbCallWithRecords): Promise<void> {
  const { words, flags, records, loaded, print } = call
  const { id } = await resolveUser(records.users, words[0] ?? '')
  const names = usersUpdate.options.map(({ name }) => name)
  if (!names.some((name) => flags.has(name)))
    throw new UsageError('nothing to change: name at least one flag')
  const password = flags.get('password')
  const passwordHash = password === undefined ? null : await hashAcceptedPassword(call, password)
  // An administrator who was imported from File Browser keeps the stored permissions unchanged until a flag changes one
  // of them.
  const changesPermissions = names.some((name) => name.startsWith('perm.') && flags.has(name))
  const disabled = flags.get(newState.name)
  const isDisabled = disabled === undefined ? null : valueOf(newState, disabled, `--${newState.name}`)
  const user = await records.users.updateBy(id, (before) => {
    const fields = applyFlags(userFlags, before, flags)
    return {
      ...fields,
      username: flags.get('username') ?? before.username,
      passwordHash: passwordHash ?? before.passwordHash,
      isDisabled: isDisabled ?? before.isDisabled,
      perm: changesPermissions ? withAdminImplied(fields.perm, !loaded.config.disableExec) : fields.perm,
    }
  })
  if (password !== undefined) await records.sessions.endAllOf(user.id)
  print(userTable([user]))
}

/** Hashes a new password. Throws `bad-request` with the reason when the password policy refuses the password. */
async function hashAcceptedPassword(
  { records, passwords }: VerbCallWithRecords,
  password: string,
): Promise<string> {
  const { minimumPasswordLength } = await records.settings.get()
  const fault = faultOfPassword(password, minimumPasswordLength)
  if (fault !== null) throw new AppError('bad-request', fault)
  return passwords.hash(password)
}
