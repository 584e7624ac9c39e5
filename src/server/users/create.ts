import type { createUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { homeScope } from '../../shared/domain/home-scope.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Settings, UserFields } from '../records/port.ts'
import { checkCurrentPassword } from './current-password.ts'
import { fieldReaders, type Field } from './field-readers.ts'
import { newHash } from './new-hash.ts'
import type { UserNeeds } from './user-needs.ts'

/** Makes a user. What the request leaves out is as the settings say for new users (contract 10.3, A20); an id in it says nothing. */
export async function create(needs: UserNeeds, { caller, body }: Asked<typeof createUser>): Promise<Answer> {
  if (body.what !== 'user') throw new AppError('bad-request', { reason: 'unknown kind of record' })
  if ((body.which ?? []).length > 0)
    throw new AppError('bad-request', { reason: 'a new user is made as a whole' })
  await checkCurrentPassword(needs, caller.user, body.current_password)
  const settings = await needs.settings()
  const draft = await draftOf(needs, settings, body.data)
  const given = typeof body.data['scope'] === 'string' ? draft.scope : null
  const fields = {
    ...draft,
    scope: homeScope(settings, draft.username, given),
    passwordHash: await newHash(needs, body.data['password'] ?? ''),
  }
  const user = await needs.provision(fields, settings.createUserDir ? 'shared' : 'none')
  return { kind: 'status', status: 201, headers: { Location: `/settings/users/${user.id}` } }
}

/** The defaults with what was sent over them. */
async function draftOf(
  needs: UserNeeds,
  { defaults }: Settings,
  sent: Readonly<Record<string, unknown>>,
): Promise<UserFields> {
  const readers = fieldReaders(needs.isExecOn)
  const names = (Object.keys(readers) as Field[]).filter((name) => name === 'username' || isSent(sent[name]))
  let fields: UserFields = {
    ...defaults,
    ...readers.perm(defaults.perm),
    username: '',
    passwordHash: '',
    lockPassword: false,
    rules: [],
    isDisabled: false,
  }
  for (const name of names) fields = { ...fields, ...(await readers[name](sent[name])) }
  return fields
}

const isSent = (value: unknown): boolean => value !== undefined && value !== null
