import { AppError } from '../../../shared/domain/failure.ts'
import { isRegex } from '../../access/rules.ts'
import { toggle } from '../../config/kinds.ts'
import { option } from '../../config/option.ts'
import type { UserFields, UserImport } from '../../records/port.ts'
import { valueOf } from '../../config/arguments.ts'
import { keyMade } from './key-made.ts'
import { plainText } from '../text-table.ts'
import { userTable } from '../user-table.ts'
import type { BringingCall, Verb } from '../verb.ts'
import { formOf, readExchange, writeExchange } from './exchange-file.ts'
import { membersOf } from './members.ts'
import { recordOfUser, userOfRecord } from './user-record.ts'

const overwrite = option({
  name: 'overwrite',
  kind: toggle,
  default: false,
  meaning: 'Users with an id that is there already replace who has it.',
})
const replace = option({
  name: 'replace',
  kind: toggle,
  default: false,
  meaning: 'Users who are not in the file are removed.',
})

export const usersExport: Verb = {
  name: 'users export',
  takes: ['FILE'],
  meaning: 'Writes all users, hashes included, to a file that ends in .json, .yml or .yaml.',
  options: [],
  on: 'database',
  async run(call) {
    const users = await call.records.users.list()
    await writeExchange(call, users.map(recordOfUser))
    call.print(`${users.length} users are written`)
  },
}

/** Takes the original's exports and our own (contract 14.2). All or nothing. */
export const usersImport: Verb = {
  name: 'users import',
  takes: ['FILE'],
  meaning: 'Takes users, hashes included, from such a file; makes a database where there is none.',
  options: [overwrite, replace],
  on: 'any database',
  run: importUsers,
}

async function importUsers(call: BringingCall): Promise<void> {
  formOf(call.words[0] ?? '')
  const isOn = (it: typeof replace) => valueOf(it, call.flags.get(it.name) ?? 'false', `--${it.name}`)
  const onKnown: UserImport['onKnown'] = isOn(replace)
    ? 'replace-all'
    : isOn(overwrite)
      ? 'overwrite'
      : 'refuse'
  const users = usersIn(await readExchange(call))
  await call.withRecords(async ({ records, io, print }) => {
    const stored = await records.users.importAll({ users, onKnown })
    await keyMade(records.settings, io)
    print(userTable(stored))
    for (const note of await notesOn(users)) print(`note: ${plainText(note)}`)
  })
}

function usersIn(content: unknown): UserImport['users'] {
  if (!Array.isArray(content))
    throw new AppError('bad-request', { reason: 'the file holds no list of users' })
  const users = content.map((record: unknown, at) => userOfRecord(membersOf(record, `user ${at}`)))
  const ids = users.map(({ id }) => id).filter((id) => id !== 0)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new AppError('bad-request', { reason: `two users have the id ${twice}` })
  return users
}

/** What somebody should look at: nothing of it is refused, and nothing widens what a user reaches. */
async function notesOn(users: readonly UserFields[]): Promise<readonly string[]> {
  const notes: string[] = []
  for (const { username, scope, rules } of users) {
    if (scope.split('/').includes('..'))
      notes.push(`the scope of ${username}, ${scope}, is confined to the root`)
    for (const { regex, regexp } of rules)
      if (regex && !(await isRegex(regexp?.raw ?? '')))
        notes.push(`a rule of ${username} cannot be read and does nothing: ${regexp?.raw ?? ''}`)
  }
  return notes
}
