import { viewModes, initialUserValues, type ViewMode } from '../../../shared/contract/fields/user-fields.ts'
import { noPermissions, type AccessRule, type Permissions } from '../../../shared/domain/access.ts'
import { relativePath, isWithin, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'
import type { UserFields } from '../../records/user-store.ts'
import { isLocale, nameKey } from '../../records/user-checks.ts'
import { textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { faultOfUser, noPassword, planPassword } from '../plan/plan-users.ts'
import { asSentence } from '../plan/report-lines.ts'
import type { ServedFolder } from '../plan/served-folder.ts'
import type { FolderMapper } from './folder-mapper.ts'
import {
  denyBelow,
  lostRestrictionsOf,
  pathRule,
  rulesInPlace,
  type SourceFolder,
} from './plan-quantum-rules.ts'
import type { QuantumSource } from './quantum-sources.ts'
import type { QuantumAccess, QuantumUser } from './read-quantum.ts'

export type QuantumUsersOptions = {
  readonly sources: ReadonlyMap<string, QuantumSource>
  readonly access: QuantumAccess
  readonly mapFolder: FolderMapper
  readonly folder: Pick<ServedFolder, 'hasFolder'>
  /** The keys of the names of existing users. */
  readonly takenNames: ReadonlySet<string>
}

/** The plan of one user: the account to add, or the reason why no account is added. */
export type QuantumUserPlan =
  | { readonly user: UserFields; readonly notes: readonly string[] }
  | { readonly reason: string; readonly isHere: boolean }

/** Plans a user of FileBrowser Quantum. The account never has access to more entries than the user had. */
export function planQuantumUser(user: QuantumUser, options: QuantumUsersOptions): QuantumUserPlan {
  const { username, record } = user
  if (options.takenNames.has(nameKey(username)))
    return { reason: 'the name exists already, and its account is not changed', isHere: true }
  const found = placesOf(user, options)
  const [first] = found.places
  if (first === undefined)
    return { reason: `it has no folder here (${found.notes.join('; ') || 'no source'})`, isHere: false }
  const reach = reachOf(username, found.places, options)
  const password = passwordOf(record)
  const sources = reach.places.map(({ source }) => source)
  const isPrivate = sources.some((source) => source.isPrivate)
  const perm = permissionsOf(record.members('permissions'))
  const doubts = perm.admin
    ? []
    : sources.flatMap((source) =>
        lostRestrictionsOf(source, options.access, (path) => options.sources.has(path)),
      )
  const fields: UserFields = {
    ...initialUserValues,
    ...preferencesOf(record),
    username,
    passwordHash: password.hash,
    scope: reach.scope,
    rules: reach.rules,
    perm: isPrivate ? { ...perm, share: false } : perm,
    lockPassword: record.toggle('lockPassword'),
    isDisabled: doubts.length > 0,
  }
  const fault = faultOfUser(fields)
  if (fault !== null) return { reason: fault, isHere: false }
  const notes = [
    ...found.notes.map(asSentence),
    ...reach.notes,
    ...(reach.places.length > 1 && (perm.rename || perm.delete)
      ? ['The user can move, rename and delete these folders themselves here, which was not possible before.']
      : []),
    ...password.notes,
    ...(isPrivate && perm.share ? ['The user may not share, because a source is private.'] : []),
    ...(doubts.length > 0
      ? [
          `The account is disabled, because ${[...new Set(doubts)].join(', and because ')}. ${enableHint(username)}`,
        ]
      : []),
    ...(record.text('hideFileExt') === '' ? [] : ['File extensions are not hidden here.']),
  ]
  return { user: fields, notes }
}

const enableHint = (username: string): string =>
  `Add rules, and then run stowage users update ${username} --disabled=false to enable it.`

type FoundSourceFolders = { readonly places: readonly SourceFolder[]; readonly notes: readonly string[] }

/** Finds the folders of a user below the served folder. Folders inside of another folder of the user are left out. */
function placesOf({ scopes }: QuantumUser, options: QuantumUsersOptions): FoundSourceFolders {
  const found = scopes.map(({ source, path }) => placeOf(source, path, options))
  const places = found.flatMap((place) => (typeof place === 'string' ? [] : [place]))
  const outer = places.filter(
    ({ at }, index) =>
      !places.some((other, n) => n !== index && isWithin(at, other.at) && (other.at !== at || n < index)),
  )
  return { places: outer, notes: found.filter((place) => typeof place === 'string') }
}

function placeOf(path: string, scope: string, options: QuantumUsersOptions): SourceFolder | string {
  const source = options.sources.get(path)
  if (source === undefined) return `the source ${path} is not configured`
  if (source.isDisabled) return `the source ${source.name} is disabled`
  const [inSource, mapped] = [confinedScope(scope), options.mapFolder(path, scope)]
  if (inSource === null || mapped === null)
    return `the folder ${scope || '/'} of the source ${source.name} is not below the served folder`
  return { source, path: inSource, at: mapped.path }
}

type UserAccessPlan = {
  readonly scope: Path
  readonly rules: readonly AccessRule[]
  readonly places: readonly SourceFolder[]
  readonly notes: readonly string[]
}

/**
 * Returns the scope and the rules of a user. When all folders of the user have the same parent, the scope is the parent,
 * and rules deny its other entries. Otherwise the scope is the first folder.
 */
function reachOf(
  username: string,
  found: readonly SourceFolder[],
  options: QuantumUsersOptions,
): UserAccessPlan {
  const present = found.filter(({ at }) => options.folder.hasFolder(at))
  const places = present.length === 0 ? found.slice(0, 1) : present
  const absent = found.filter((place) => !present.includes(place))
  const absentNotes = absent.map(({ at }) => `There is no folder ${at} below the served folder.`)
  const parents = new Set(places.map(({ at }) => parentOf(at)))
  const isOneFolder = places.length > 1 && parents.size === 1
  const used = isOneFolder ? places : places.slice(0, 1)
  const scope = (isOneFolder ? [...parents][0] : used[0]?.at) ?? root
  const rulesOf = (place: SourceFolder) => rulesInPlace(username, place, { ...options, base: scope })
  const others = places.slice(used.length).map(({ at }) => at)
  return {
    scope,
    places: used,
    rules: [
      ...(isOneFolder
        ? [denyBelow(root), ...used.map(({ at }) => pathRule(true, relativePath(at, scope)))]
        : []),
      ...used.flatMap(rulesOf),
    ],
    notes: [
      ...absentNotes,
      ...(isOneFolder
        ? [
            `The folders of the user are ${used.map(({ at }) => at).join(', ')}. The scope is ${scope}, and rules deny the rest.`,
          ]
        : []),
      ...(others.length > 0
        ? [`An account has one folder here, ${scope}. It does not reach ${others.join(', ')}.`]
        : []),
    ],
  }
}

/**
 * Returns the hash of the password. Users who log in by another method have the hash of their own name in its place,
 * which must not become their password.
 */
function passwordOf(record: RecordReader): { readonly hash: string; readonly notes: readonly string[] } {
  const method = record.text('loginMethod')
  if (method !== 'password')
    return {
      hash: noPassword,
      notes: [`The user logged in by ${method || 'another method'}. Set a password.`],
    }
  const { hash, note } = planPassword(record.text('password'))
  const hasSecondFactor = record.toggle('otpEnabled') || record.text('totpSecret') !== ''
  return {
    hash,
    notes: [
      ...(note === null ? [] : [textOfMessage(note)]),
      ...(hasSecondFactor ? ['The second factor is left out. The password alone is enough here.'] : []),
    ],
  }
}

/** Returns the permissions of a user. In FileBrowser Quantum, the permission to modify includes renaming. */
const permissionsOf = (record: RecordReader): Permissions => ({
  ...noPermissions,
  admin: record.toggle('admin'),
  create: record.toggle('create'),
  modify: record.toggle('modify'),
  rename: record.toggle('modify'),
  delete: record.toggle('delete'),
  share: record.toggle('share'),
  download: record.toggle('download'),
})

const views: Readonly<Record<string, ViewMode>> = { list: 'list', compact: 'list', gallery: 'mosaic gallery' }

function preferencesOf(record: RecordReader) {
  const locale = record.text('locale').replace(/^([a-z]{2})([A-Z]{2})$/, '$1-$2')
  const sorting = record.members('sorting')
  const by = sorting.text('by')
  return {
    locale: isLocale(locale) ? locale : '',
    viewMode: views[record.text('viewMode')] ?? viewModes[1],
    singleClick: record.toggle('singleClick'),
    dateFormat: record.toggle('dateFormat'),
    hideDotfiles: !record.toggle('showHidden'),
    sorting: {
      by: (['name', 'size', 'modified'] as const).find((key) => key === by) ?? ('' as const),
      asc: sorting.toggle('asc'),
    },
  }
}
