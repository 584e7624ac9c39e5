import { AppError } from '../../../shared/domain/failure.ts'
import { isRegex } from '../../access/rules.ts'
import { toggle } from '../../config/option-kinds.ts'
import { option } from '../../config/option.ts'
import type { UserFields, UserImportRequest } from '../../records/user-store.ts'
import { valueOf } from '../../config/arguments.ts'
import { ensureSigningKey } from '../settings/signing-key.ts'
import { plainText } from '../verb/text-table.ts'
import { userTable } from '../users/user-table.ts'
import type { ImportCall, CliVerb } from '../verb/verb.ts'
import { formatOf, readExchange, writeExchange } from './exchange-file.ts'
import { createRecordReader } from '../../exchange/record-reader.ts'
import { needsServedFolder, planImportedUser, type PlannedImport } from '../../takeover/plan/plan-import.ts'
import type { ServedFolder } from '../../takeover/plan/served-folder.ts'
import { openServedFolder } from '../../takeover/take-over.ts'
import { recordOfUser, userOfRecord } from '../../exchange/user-record.ts'

const overwrite = option({
  name: 'overwrite',
  kind: toggle,
  default: false,
  meaning: 'Imported users replace existing users with the same id.',
})
const replace = option({
  name: 'replace',
  kind: toggle,
  default: false,
  meaning: 'Users who are not in the file are removed.',
})

export const usersExport: CliVerb = {
  name: 'users export',
  parameters: ['FILE'],
  meaning: 'Writes all users, including password hashes, to a file that ends in .json, .yml or .yaml.',
  options: [],
  worksOn: 'database',
  async run(call) {
    const users = await call.records.users.list()
    await writeExchange(call, users.map(recordOfUser))
    call.print(`${users.length} users were written`)
  },
}

/** Imports users from exports of File Browser and of Stowage in one transaction (contract 14.2). */
export const usersImport: CliVerb = {
  name: 'users import',
  parameters: ['FILE'],
  meaning: 'Imports users, including password hashes, from such a file; creates a missing database.',
  options: [overwrite, replace],
  worksOn: 'any database',
  run: importUsers,
}

async function importUsers(call: ImportCall): Promise<void> {
  formatOf(call.words[0] ?? '')
  const isOn = (it: typeof replace) => valueOf(it, call.flags.get(it.name) ?? 'false', `--${it.name}`)
  const onKnown: UserImportRequest['onExistingId'] = isOn(replace)
    ? 'replace-all'
    : isOn(overwrite)
      ? 'overwrite'
      : 'refuse'
  const { users, notes } = await usersIn(await readExchange(call), call)
  await call.withRecords(async ({ records, io, print }) => {
    const stored = await records.users.importAll({ users, onExistingId: onKnown })
    await ensureSigningKey(records.settings, io)
    print(userTable(stored))
    for (const note of [...notes, ...(await notesOn(users))]) print(`note: ${plainText(note)}`)
  })
}

async function usersIn(
  content: unknown,
  { loaded }: Pick<ImportCall, 'loaded'>,
): Promise<Pick<UserImportRequest, 'users'> & { readonly notes: readonly string[] }> {
  if (!Array.isArray(content))
    throw new AppError('bad-request', { reason: 'the file contains no list of users' })
  const readers = content.map((record: unknown, at) => createRecordReader(record, `user ${at}`))
  const users = readers.map(userOfRecord)
  const ids = users.map(({ id }) => id).filter((id) => id !== 0)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new AppError('bad-request', { reason: `two users have the id ${twice}` })
  const folder = readers.some(needsServedFolder) ? folderOf(loaded) : null
  const plans: PlannedImport<(typeof users)[number]>[] = []
  for (const [at, reader] of readers.entries()) {
    const user = users[at]
    if (user !== undefined) plans.push(await planImportedUser(user, reader, folder))
  }
  return { users: plans.map(({ planned }) => planned), notes: plans.flatMap(({ notes }) => notes) }
}

/**
 * Opens the served folder, on which the meaning of scopes of early versions depends. Throws `bad-request` when the served
 * folder is not configured, because the current folder, which is the default, may be unrelated.
 */
function folderOf({ config, sources }: ImportCall['loaded']): ServedFolder {
  if (sources.root === 'default')
    throw new AppError('bad-request', {
      reason: 'a scope in the file may be a folder of the machine; name the served folder with -r',
    })
  return openServedFolder(config.root, config)
}

/**
 * Returns notes for the administrator about imported values that are accepted, and whose effect differs from the
 * original's. None of these values gives a user more access.
 */
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
