import { posix } from 'node:path'
import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { initialUserValues } from '../../../shared/contract/fields/user-fields.ts'
import { permissions } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { homeScope } from '../../../shared/domain/home-scope.ts'
import { root } from '../../../shared/domain/path.ts'
import { takenOver, textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { reportOfSentences, type TakeoverReport } from '../../../shared/domain/takeover/takeover-report.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { User, UserFields } from '../../records/user-store.ts'
import { nameKey } from '../../records/user-checks.ts'
import { administratorNotes, faultOfUser, planPassword } from '../plan/plan-users.ts'
import type { ServedFolder } from '../plan/served-folder.ts'
import type { HtpasswdFile, HtpasswdLine } from './read-htpasswd.ts'

/** The users that an import of a htpasswd file adds, and the report about it. */
export type HtpasswdPlan = { readonly users: readonly UserFields[]; readonly report: TakeoverReport }

export type HtpasswdPlanOptions = {
  /** The users who are stored already. They stay as they are. */
  readonly existing: readonly User[]
  readonly settings: Pick<Settings, 'createUserDir' | 'userHomeBasePath' | 'defaults'>
  /** Null when new users get no home folders. */
  readonly folder: Pick<ServedFolder, 'find' | 'namesIn'> | null
}

/** The names and folders that are taken while a file is planned, in the form in which they are compared. */
type TakenNames = {
  readonly names: Map<string, string>
  /** The scopes of users, and each folder that contains a scope. */
  readonly homes: Set<string>
  /** The entries in the folder of all home folders. */
  readonly entries: ReadonlySet<string>
  /** The reason why no home folder can be made; null when home folders can be made. */
  readonly fault: string | null
}

/** Maximum number of sentences about users, and about lines that are not imported. Nobody reads more sentences. */
const maxSentences = 200

/**
 * Plans the import of a htpasswd file. Each new user gets the defaults of this installation and is not an
 * administrator. The first of several lines with the same name counts, as it does for the servers that read such
 * files.
 */
export function planHtpasswd(
  file: HtpasswdFile,
  { existing, settings, folder }: HtpasswdPlanOptions,
): HtpasswdPlan {
  const taken: TakenNames = {
    names: new Map(existing.map(({ username }) => [nameKey(username), 'exists already and is not changed'])),
    homes: new Set(existing.flatMap(({ scope }) => foldersAround(homeKey(scope)))),
    ...takenEntries(folder, settings),
  }
  const plans = file.lines.map((line) => planLine(line, settings, taken))
  const users = plans.flatMap((plan) => (typeof plan === 'string' ? [] : [plan]))
  const notes = users.flatMap(({ username, passwordHash }) => {
    const { note } = planPassword(passwordHash)
    return note === null ? [] : [`User ${username}: ${textOfMessage(note)}`]
  })
  const left = [...plans.flatMap((plan) => (typeof plan === 'string' ? [plan] : [])), ...file.damaged]
  return {
    users,
    report: reportOfSentences({
      kept: [
        `${takenOver(users.length, 'user', 'with passwords and the defaults of new users')} ${termsOf(settings)}`,
      ],
      changed: [
        ...(file.encoding === 'UTF-8'
          ? []
          : [`The file is not UTF-8. Its names were read as ${file.encoding}.`]),
        ...firstSentences(notes),
        ...administratorNotes([...existing, ...users]).map((note) => textOfMessage(note)),
      ],
      left: firstSentences(left),
    }),
  }
}

/** Returns a sentence about the scope and the permissions of the new users. */
function termsOf({ createUserDir, userHomeBasePath, defaults }: HtpasswdPlanOptions['settings']): string {
  const scope = createUserDir
    ? `a new home folder in ${userHomeBasePath}`
    : `the folder ${confinedScope(defaults.scope) ?? defaults.scope}`
  const granted = permissions.filter((name) => name !== 'admin' && defaults.perm[name])
  return granted.length === 0
    ? `Each user gets ${scope} and no permissions.`
    : `Each user gets ${scope} and the permissions ${granted.join(', ')}.`
}

const firstSentences = (sentences: readonly string[]): readonly string[] =>
  sentences.length <= maxSentences
    ? sentences
    : [...sentences.slice(0, maxSentences), `There are ${sentences.length - maxSentences} more.`]

/** Returns the entries that are in the folder of all home folders, each of which may hold the files of an earlier person. */
function takenEntries(
  folder: HtpasswdPlanOptions['folder'],
  settings: HtpasswdPlanOptions['settings'],
): Pick<TakenNames, 'entries' | 'fault'> {
  const base = confinedScope(settings.userHomeBasePath)
  if (folder === null || base === null) return { entries: new Set(), fault: null }
  const { kind } = folder.find(root, base)
  return {
    entries: new Set(folder.namesIn(root, base).map((name) => homeKey(posix.join(base, name)))),
    fault:
      kind === 'folder' || kind === 'absent'
        ? null
        : `${base}, the folder of home folders, ${kind === 'outside' ? 'leads out of the served folder' : 'is not a folder'}`,
  }
}

/** Returns a folder and the folders above it, except the root, which is not a home folder. */
const foldersAround = (key: string): readonly string[] =>
  key === '/' ? [] : [key, ...foldersAround(posix.dirname(key))]

/** Returns the user to add, or a sentence about why the line is left out. */
function planLine(
  entry: HtpasswdLine,
  settings: HtpasswdPlanOptions['settings'],
  taken: TakenNames,
): UserFields | string {
  const { line, username } = entry
  const leftOut = (reason: string): string =>
    `Line ${line}: The user ${username} is left out, because ${reason}.`
  const other = taken.names.get(nameKey(username))
  if (other !== undefined) return leftOut(`the name ${other}`)
  taken.names.set(nameKey(username), `is on line ${line} already, in the same letters or in others`)
  if ('reason' in entry) return leftOut(entry.reason)
  if (username.includes('/') || /^\.+$/.test(username))
    return leftOut('the user name leaves no valid folder name')
  const user = userOf(entry.username, entry.passwordHash, settings)
  if (typeof user === 'string') return leftOut(user)
  const fault = faultOfUser(user)
  if (fault !== null) return leftOut(fault)
  const homeFault = settings.createUserDir ? faultOfHome(user.scope, taken) : null
  if (homeFault !== null) return leftOut(homeFault)
  taken.homes.add(homeKey(user.scope))
  return user
}

/** Returns why a folder cannot be the home folder of a new user, as for a sign-up; null when it can be. */
function faultOfHome(scope: string, { homes, entries, fault }: TakenNames): string | null {
  if (fault !== null) return fault
  if (homes.has(homeKey(scope))) return `the home folder ${scope} belongs to another user`
  return entries.has(homeKey(scope)) ? `there is ${scope} already, which may belong to somebody else` : null
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
