import type { Rule } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { valueOf } from '../../config/arguments.ts'
import { CallError } from '../../config/call-error.ts'
import { integer, text } from '../../config/kinds.ts'
import { option } from '../../config/option.ts'
import type { Settings, User } from '../../records/port.ts'
import { faultOfRules } from '../../records/user-fields.ts'
import { plainText } from '../text-table.ts'
import type { RecordsCall } from '../verb.ts'
import { whichUser } from '../which-user.ts'

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

/** Whose rules are meant; everybody's without them. */
export const ownerOptions = [username, id]

/** The rules that the flags mean. */
export type RuleList = {
  readonly rules: readonly Rule[]
  /** `Global Rules`, or whose. */
  readonly title: string
}

/** `not-found` for a user that is not there, `CallError` when both flags are given. */
export async function ruleListOf(call: RecordsCall): Promise<RuleList> {
  const user = await ownerOf(call)
  return user === null ? globalRules(await call.records.settings.get()) : rulesOfUser(user)
}

/** Stores what becomes of those rules, in one step: others may be changing them. Gives them as they are then; fails as `ruleListOf`. */
export async function changeRules(
  call: RecordsCall,
  change: (rules: readonly Rule[]) => readonly Rule[],
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

function storable(rules: readonly Rule[]): readonly Rule[] {
  const reason = faultOfRules(rules)
  if (reason !== null) throw new AppError('bad-request', { reason })
  return rules
}

async function ownerOf({ flags, records: { users } }: RecordsCall): Promise<User | null> {
  const [name, number] = [flags.get('username'), flags.get('id')]
  if (name !== undefined && number !== undefined)
    throw new CallError('--username and --id exclude each other')
  if (number !== undefined) return whichUser(users, String(valueOf(id, number, '--id')))
  if (name === undefined) return null
  const user = await users.findByName(name)
  if (user === null) throw new AppError('not-found', { reason: `there is no user ${name}` })
  return user
}

/** The rules as the original lists them. */
export const rulesText = ({ title, rules }: RuleList): string =>
  [`${title}:`, '', ...rules.map((rule, at) => `(${at}) ${ruleText(rule)}`)].join('\n')

const ruleText = ({ allow, regex, path, regexp }: Rule): string =>
  `${allow ? 'Allow' : 'Disallow'} ${regex ? 'Regex' : 'Path'}: \t${plainText(regex ? (regexp?.raw ?? '') : path)}`
