import { posix } from 'node:path'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { initialUserValues } from '../../../shared/contract/user-fields.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { homeScope } from '../../../shared/domain/home-scope.ts'
import { reportOfSentences, type TakeoverReport } from '../../../shared/domain/takeover-report.ts'
import type { User, UserFields } from '../../records/port.ts'
import { nameKey } from '../../records/user-checks.ts'
import { administratorNotes, faultOfUser, planPassword } from '../plan/plan-users.ts'
import { counted } from '../plan/report-lines.ts'
import type { HtpasswdFile, HtpasswdLine } from './read-htpasswd.ts'

/** The users that an import of a htpasswd file adds, and the report about it. */
export type HtpasswdPlan = { readonly users: readonly UserFields[]; readonly report: TakeoverReport }

export type HtpasswdPlanOptions = {
  /** The users who are stored already. They stay as they are. */
  readonly existing: readonly User[]
  readonly settings: Pick<Settings, 'createUserDir' | 'userHomeBasePath' | 'defaults'>
}

/** The names and home folders that are taken while a file is planned, in the form in which they are compared. */
type TakenNames = { readonly names: Map<string, string>; readonly homes: Set<string> }

/**
 * Plans the import of a htpasswd file. Each new user gets the defaults of this installation and is no administrator. The
 * first of several lines with the same name counts, as it does for the servers that read such files.
 */
export function planHtpasswd(file: HtpasswdFile, { existing, settings }: HtpasswdPlanOptions): HtpasswdPlan {
  const taken: TakenNames = {
    names: new Map(existing.map(({ username }) => [nameKey(username), 'is here already and stays as it is'])),
    homes: new Set(existing.map(({ scope }) => homeKey(scope))),
  }
  const plans = file.lines.map((line) => planLine(line, settings, taken))
  const users = plans.flatMap((plan) => (typeof plan === 'string' ? [] : [plan]))
  const notes = users.flatMap(({ username, passwordHash }) => {
    const { note } = planPassword(passwordHash)
    return note === null ? [] : [`user ${username}: ${note}`]
  })
  const left = [...plans.flatMap((plan) => (typeof plan === 'string' ? [plan] : [])), ...file.damaged]
  return {
    users,
    report: reportOfSentences({
      kept: [`${counted(users.length, 'user')}, with passwords and the defaults of new users`],
      changed: [...notes, ...administratorNotes([...existing, ...users])],
      left,
    }),
  }
}

/** Returns the user to add, or a sentence about why the line is left out. */
function planLine(
  entry: HtpasswdLine,
  settings: HtpasswdPlanOptions['settings'],
  taken: TakenNames,
): UserFields | string {
  const { line, username } = entry
  const leftOut = (reason: string): string => `line ${line}, user ${username}: ${reason}`
  const other = taken.names.get(nameKey(username))
  if (other !== undefined) return leftOut(`the name ${other}`)
  taken.names.set(nameKey(username), `is on line ${line} already, in the same letters or in others`)
  if ('reason' in entry) return leftOut(entry.reason)
  const user = userOf(entry.username, entry.passwordHash, settings)
  if (typeof user === 'string') return leftOut(user)
  const fault = faultOfUser(user)
  if (fault !== null) return leftOut(fault)
  if (settings.createUserDir && taken.homes.has(homeKey(user.scope)))
    return leftOut(`the home folder ${user.scope} belongs to another user`)
  taken.homes.add(homeKey(user.scope))
  return user
}

/** Returns a new user, or the reason why there can be none with this name. */
function userOf(
  username: string,
  passwordHash: string,
  settings: HtpasswdPlanOptions['settings'],
): UserFields | string {
  try {
    const { defaults } = settings
    return {
      ...initialUserValues,
      ...defaults,
      username,
      passwordHash,
      scope: homeScope(settings, username, null),
      perm: { ...defaults.perm, admin: false },
      isDisabled: false,
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.reason ?? thrown.code
    throw thrown
  }
}

/** Returns the form in which home folders are compared. Some file systems ignore the case of names. */
const homeKey = (scope: string): string => nameKey(posix.normalize(`/${scope}`))
