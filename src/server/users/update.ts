import type { updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { done, type Answer, type Asked } from '../http/route.ts'
import type { UserFields } from '../records/port.ts'
import { checkCurrentPassword } from './current-password.ts'
import { fieldReaders, type Field } from './field-readers.ts'
import { newHash } from './new-hash.ts'
import type { UserNeeds } from './user-needs.ts'

type AskedFor = Asked<typeof updateUser>
type Named = Field | 'password'

/** What only administrators may change, in their own record too (contract 10.4). */
const forAdmins: ReadonlySet<Named> = new Set([
  'username',
  'scope',
  'lockPassword',
  'perm',
  'commands',
  'rules',
  'quotaBytes',
] as const)

/** Changes what `which` names: all of it, or nothing when anything is refused. */
export async function update(needs: UserNeeds, asked: AskedFor): Promise<Answer> {
  const { caller, id, body } = asked
  if (body.what !== 'user') throw new AppError('bad-request', { reason: 'unknown kind of record' })
  if (body.data['id'] !== id)
    throw new AppError('bad-request', { reason: 'the id is not the one of the address' })
  const isAdmin = caller.may('admin')
  const named = namesOf(needs, body.which)
  if (!isAdmin && (named === 'all' || named.some((name) => forAdmins.has(name))))
    throw new AppError('forbidden')
  const user = await needs.users.find(id)
  if (user === null) throw new AppError('not-found')
  const names = named === 'all' ? everyName(needs, body.data) : named
  if (names.includes('password') && user.lockPassword && !isAdmin) throw new AppError('forbidden')
  await checkCurrentPassword(needs, caller.user, body.current_password)
  const fields = await fieldsOf(needs, names, body.data)
  await needs.users.update(id, fields)
  if (fields.passwordHash !== undefined)
    await needs.endSessions(id, id === caller.user.id ? caller.session.id : undefined)
  return done
}

/** Nothing, an empty list and exactly `all` mean everything. One unknown name refuses the whole call. */
function namesOf(needs: UserNeeds, which: readonly string[] | null | undefined): readonly Named[] | 'all' {
  const names = (which ?? []).map((name) => name.slice(0, 1).toLowerCase() + name.slice(1))
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return 'all'
  const readers = fieldReaders(needs.isExecOn)
  const isName = (name: string): name is Named => name === 'password' || Object.hasOwn(readers, name)
  if (!names.every(isName)) throw new AppError('bad-request', { reason: 'unknown field' })
  return names
}

/** A whole record with an empty password keeps the stored one, and the original's clients know of no quota. */
function everyName(needs: UserNeeds, sent: Readonly<Record<string, unknown>>): readonly Named[] {
  const fields = (Object.keys(fieldReaders(needs.isExecOn)) as Field[]).filter(
    (name) => name !== 'quotaBytes' || sent[name] !== undefined,
  )
  const keepsPassword = (sent['password'] ?? '') === ''
  return keepsPassword ? fields : [...fields, 'password']
}

async function fieldsOf(
  needs: UserNeeds,
  names: readonly Named[],
  sent: Readonly<Record<string, unknown>>,
): Promise<Partial<UserFields>> {
  const readers = fieldReaders(needs.isExecOn)
  let fields: Partial<UserFields> = {}
  for (const name of names) {
    if (name !== 'password') fields = { ...fields, ...(await readers[name](sent[name])) }
  }
  if (!names.includes('password')) return fields
  return { ...fields, passwordHash: await newHash(needs, sent['password']) }
}
