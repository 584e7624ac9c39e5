import { AppError } from '../../../shared/domain/failure.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { createRecordReader, type RecordReader } from '../../exchange/record-reader.ts'
import { BoltError } from '../bolt/bolt-error.ts'
import { readBolt, type BoltBucket } from '../bolt/read-bolt.ts'
import { jsonOf, numberOf, recordsIn, requireMembers } from '../original/stored-records.ts'
import { sourcePathOf, sourcesOf, type QuantumSource } from './quantum-sources.ts'

/** The content of the database of an installation of FileBrowser Quantum. */
export type QuantumState = {
  readonly users: readonly QuantumUser[]
  readonly shares: readonly QuantumShare[]
  readonly access: QuantumAccess
  /** The sources of the first start. FileBrowser Quantum does not store later changes of its configuration. */
  readonly sources: readonly QuantumSource[]
  /** The login methods that were enabled at the first start, such as `oidc`. */
  readonly loginMethods: readonly string[]
}

export type QuantumUser = {
  readonly id: number
  readonly username: string
  readonly record: RecordReader
  /** The folders of the user. `source` is the path of the source on its machine, and `path` is a path in the source. */
  readonly scopes: readonly { readonly source: string; readonly path: string }[]
}

export type QuantumShare = {
  readonly hash: string
  readonly userId: number
  readonly source: string
  /** The path in the source. */
  readonly path: string
  readonly record: RecordReader
}

/** The access rules of all sources, and the members of the groups that rules name. */
export type QuantumAccess = {
  readonly rules: readonly QuantumAccessRule[]
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
}

/** An access rule for a path of a source and all entries below it. */
export type QuantumAccessRule = {
  readonly source: string
  readonly path: string
  /** True when the rule denies all users who are not named in any rule. */
  readonly deniesAll: boolean
  readonly denied: AccessNames
  readonly allowed: AccessNames
}

type AccessNames = { readonly users: ReadonlySet<string>; readonly groups: ReadonlySet<string> }

/**
 * Reads the database of FileBrowser Quantum from a copy in memory. Throws `corrupt` for a damaged file, and `unsupported`
 * for a database of another program. Each error has a reason of one line.
 */
export function readQuantum(file: Buffer, name: string): QuantumState {
  try {
    return stateOf(readBolt(file))
  } catch (cause) {
    if (cause instanceof BoltError)
      throw new AppError(cause.fault === 'version' || cause.fault === 'foreign' ? 'unsupported' : 'corrupt', {
        cause,
        reason: `the database ${name} ${cause.message}; nothing was changed`,
      })
    if (cause instanceof AppError)
      throw new AppError(cause.code === 'bad-request' ? 'corrupt' : cause.code, {
        cause,
        reason: `the database ${name} cannot be imported: ${cause.reason}; nothing was changed`,
      })
    throw cause
  }
}

function stateOf(file: BoltBucket): QuantumState {
  const users = file.buckets.get('User')
  if (users === undefined || !(file.buckets.has('access_rules') || file.buckets.has('IndexInfo')))
    throw new AppError('unsupported', {
      reason:
        'it does not belong to FileBrowser Quantum; a database of File Browser is taken over with: stowage takeover',
    })
  const config = file.buckets.get('config')
  const member = (key: string): RecordReader => {
    const value = config?.values.get(key)
    return createRecordReader(value === undefined ? {} : jsonOf(value, key), `config.${key}`)
  }
  return {
    users: recordsIn(users).map(([key, value]) => userAt(key, value)),
    shares: recordsIn(file.buckets.get('Link')).map(([key, value]) => shareAt(key, value)),
    access: accessOf(file.buckets.get('access_rules')),
    sources: sourcesOf(member('server')),
    loginMethods: enabledMethods(member('settings').members('auth').members('methods')),
  }
}

function userAt(key: string, value: Buffer): QuantumUser {
  const id = numberOf(Buffer.from(key, 'latin1'))
  const record = createRecordReader(jsonOf(value, `user ${id}`), `user ${id}`)
  if (id === 0 || record.number('id', 0) !== id)
    throw new AppError('corrupt', { reason: `the record of user ${id} is damaged` })
  requireMembers(record, ['username', 'scopes', 'permissions', 'loginMethod'], `user ${id}`)
  const scopes = record.list('scopes').map((scope) => {
    requireMembers(scope, ['name', 'scope'], `user ${id}`)
    return { source: sourcePathOf(scope.text('name')), path: scope.text('scope') }
  })
  return { id, username: record.text('username'), record, scopes }
}

function shareAt(key: string, value: Buffer): QuantumShare {
  const hash = Buffer.from(key, 'latin1').toString()
  const record = createRecordReader(jsonOf(value, `share ${hash}`), `share ${hash}`)
  if (record.text('hash') !== hash)
    throw new AppError('corrupt', { reason: `the record of share ${hash} is damaged` })
  requireMembers(record, ['source', 'path', 'userID', 'expire'], `share ${hash}`)
  return {
    hash,
    userId: record.number('userID', 0),
    source: sourcePathOf(record.text('source')),
    path: record.text('path'),
    record,
  }
}

/** Reads the access rules, which are stored as one text of JSON, in base64, in JSON. */
function accessOf(bucket: BoltBucket | undefined): QuantumAccess {
  const value = bucket?.values.get('rules')
  if (value === undefined) return { rules: [], groups: new Map() }
  const text = jsonOf(value, 'the access rules')
  const content = typeof text === 'string' ? Buffer.from(text, 'base64') : value
  const record = createRecordReader(jsonOf(content, 'the access rules'), 'access rules')
  requireMembers(record, ['all_rules', 'groups'], 'the access rules')
  requireDistinctMembers(record, 'the access rules')
  return {
    rules: membersOf(record, 'all_rules').flatMap(([source, rules]) =>
      createRecordReader(rules, `all_rules.${source}`)
        .entries()
        .map(([path, rule]) => accessRuleOf(source, path, rule)),
    ),
    // A group whose members are null counts as a group without a list of members.
    groups: new Map(
      membersOf(record, 'groups').flatMap(([group, names]) =>
        names === null ? [] : [[group, namesIn(createRecordReader(names, `groups.${group}`))]],
      ),
    ),
  }
}

/**
 * Reads an access rule. Throws `corrupt` for a member that is unknown, doubled or null: it may be a restriction of a later
 * version, or the damaged name of a restriction, so it must not be ignored.
 */
function accessRuleOf(source: string, path: string, value: unknown): QuantumAccessRule {
  const where = `the access rule ${path}`
  const rule = createRecordReader(value, `access rule ${path}`)
  requireMembers(rule, ['Deny', 'Allow'], where)
  requireKnownMembers(rule, ['denyAll', 'Deny', 'Allow'], where)
  if (confinedScope(path) === null)
    throw new AppError('corrupt', { reason: `the path of ${where} is not a path, or is damaged` })
  const namesOf = (list: string): AccessNames => {
    if (!rule.has(list)) throw new AppError('corrupt', { reason: `${where} has no ${list}, or is damaged` })
    const names = rule.members(list)
    requireKnownMembers(names, ['Users', 'Groups'], `${where} (${list})`)
    return { users: namesIn(names.members('Users')), groups: namesIn(names.members('Groups')) }
  }
  return {
    source: sourcePathOf(source),
    path,
    deniesAll: rule.toggle('denyAll'),
    denied: namesOf('Deny'),
    allowed: namesOf('Allow'),
  }
}

/** Throws `corrupt` for a member of another name than the given ones, which a name in other case is as well. */
function requireKnownMembers(record: RecordReader, names: readonly string[], where: string): void {
  const unknown = record.entries().find(([name]) => !names.includes(name))?.[0]
  if (unknown !== undefined)
    throw new AppError('corrupt', { reason: `${where} has an unknown member, ${unknown}, or is damaged` })
}

function requireDistinctMembers(record: RecordReader, where: string): void {
  const names = record.entries().map(([name]) => name.toLowerCase())
  const doubled = names.find((name, at) => names.indexOf(name) !== at)
  if (doubled !== undefined)
    throw new AppError('corrupt', { reason: `${where} have two members ${doubled}, or are damaged` })
}

/** Returns the members of an object. Throws `corrupt` when the object is null. */
function membersOf(record: RecordReader, name: string): (readonly [string, unknown])[] {
  if (!record.has(name))
    throw new AppError('corrupt', { reason: `the record of the access rules has no ${name}, or is damaged` })
  return [...record.members(name).entries()]
}

/** Returns a set of names, which is stored as an object with empty members. */
const namesIn = (record: RecordReader): ReadonlySet<string> => new Set(record.entries().map(([name]) => name))

const enabledMethods = (methods: RecordReader): readonly string[] =>
  methods
    .entries()
    .filter(
      ([, value]) =>
        typeof value === 'object' && value !== null && (value as { enabled?: unknown }).enabled === true,
    )
    .map(([name]) => name)
