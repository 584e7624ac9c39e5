import type { AccessRule } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { valueOf } from '../../config/arguments.ts'
import { UsageError } from '../../config/usage-error.ts'
import { integer, text } from '../../config/option-kinds.ts'
import { option } from '../../config/option.ts'
import type { User } from '../../records/user-store.ts'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { faultOfRules } from '../../records/user-checks.ts'
import { plainText } from '../verb/text-table.ts'
import type { VerbCallWithRecords } from '../verb/verb.ts'
import { resolveUser } from '../users/resolve-user.ts'

const username = option({
  name: 'username',
  short: 'u',
  kind: text,
  default: '',
  meaning: 'The rules of the user of this name.',
})
const id = option({
  name: 'id',
  short: 'i',
  kind: integer(1, 999_999_999_999_999),
  default: 0,
  meaning: 'The rules of the user with this id.',
})

/** The flags that select the rules of one user. Without them, the verbs work on the global rules. */
export const ownerOptions = [username, id]

/** The rules of one user or the global rules, with their title. */
export type RuleList = {
  readonly rules: readonly AccessRule[]
  /** The title in the output: `Global Rules`, or the name of the user. */
  readonly title: string
}

/**
 * Returns the rules that the flags select. Throws `not-found` for an unknown user, and a `UsageError` when both
 * `--username` and `--id` are given.
 */
export async function ruleListOf(call: VerbCallWithRecords): Promise<RuleList> {
  const user = await ownerOf(call)
  return user === null ? globalRules(await call.records.settings.get()) : rulesOfUser(user)
}

/**
 * Changes the rules that the flags select. It uses one transaction, since other processes may change the same rules.
 * Returns the stored rules. Throws the same errors as `ruleListOf`.
 */
export async function changeRules(
  call: VerbCallWithRecords,
  change: (rules: readonly AccessRule[]) => readonly AccessRule[],
): Promise<RuleList> {
  const { users, settings } = call.records
  const user = await ownerOf(call)
  return user === null
    ? globalRules(await settings.changeBy(({ rules }) => ({ rules: storable(change(rules)) })))
    : rulesOfUser(await users.updateBy(user.id, ({ rules }) => ({ rules: change(rules) })))
}

const globalRules = ({ rules }: Settings): RuleList => ({ rules, title: 'Global Rules' })

const rulesOfUser = ({ rules, username }: User): RuleList => ({
  rules,
  title: `Rules of ${plainText(username)}`,
})

function storable(rules: readonly AccessRule[]): readonly AccessRule[] {
  const reason = faultOfRules(rules)
  if (reason !== null) throw new AppError('bad-request', { reason })
  return rules
}

async function ownerOf({ flags, records: { users } }: VerbCallWithRecords): Promise<User | null> {
  const [name, number] = [flags.get('username'), flags.get('id')]
  if (name !== undefined && number !== undefined)
    throw new UsageError('--username and --id cannot be used together')
  if (number !== undefined) return resolveUser(users, String(valueOf(id, number, '--id')))
  if (name === undefined) return null
  const user = await users.findByName(name)
  if (user === null) throw new AppError('not-found', { reason: `there is no user ${name}` })
  return user
}

/** Formats rules in the same way as File Browser. */
export const rulesText = ({ title, rules }: RuleList): string =>
  [`${title}:`, '', ...rules.map((rule, at) => `(${at}) ${ruleText(rule)}`)].join('\n')

const ruleText = ({ allow, regex, path, regexp }: AccessRule): string =>
  `${allow ? 'Allow' : 'Disallow'} ${regex ? 'Regex' : 'Path'}: \t${plainText(regex ? (regexp?.raw ?? '') : path)}`
