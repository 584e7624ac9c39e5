import { AppError } from '../../../shared/domain/failure.ts'
import { createRecordReader, type RecordReader } from '../../exchange/record-reader.ts'
import { BoltError } from '../bolt/bolt-error.ts'
import { readBolt, type BoltBucket } from '../bolt/read-bolt.ts'
import { jsonOf, numberOf, recordsIn, requireMembers } from './stored-records.ts'

/** The state of an installation of File Browser, as its database holds it. */
export type OriginalState = {
  /** The members `settings`, `server` and `auther`, as in an export. */
  readonly config: RecordReader
  /** The key that signs tokens; null when the database has no usable key. */
  readonly key: Uint8Array | null
  readonly users: readonly OriginalUser[]
  /** The highest id that a user ever had. */
  readonly lastUserId: number
  readonly shares: readonly OriginalShare[]
  readonly traits: OriginalTraits
}

export type OriginalUser = {
  readonly id: number
  /** The record of the user, which each access parses again. The parsed records of all users would need much memory. */
  readonly record: RecordReader
}

export type OriginalShare = {
  readonly hash: string
  readonly userId: number
  /** The path in the scope of the user. */
  readonly path: string
  /** 0 for a share that never expires. */
  readonly expiresAtSeconds: number
  /** Empty for a share without a password. */
  readonly passwordHash: string
  readonly token: string
}

/**
 * The traits of the version that wrote the database last. The file does not name the version, but later versions
 * store fields that earlier ones do not have.
 */
export type OriginalTraits = {
  /** True when that version read an absolute scope as a folder below the root, and not as a folder of the machine. */
  readonly confinesScopes: boolean
  /** True when that version compared whole names in rules: before, a rule for `/docs` matched `/docs2` as well. */
  readonly comparesWholeNames: boolean
}

/** The number of bytes of File Browser's signing key. */
const keyBytes = 64

/**
 * Reads the database of File Browser 2 from a copy in memory. Throws `corrupt` for a damaged file, and `unsupported` for
 * a database of another program or of File Browser 1. Each error has a reason of one line.
 */
export function readOriginal(file: Buffer, name: string): OriginalState {
  try {
    return originalStateOf(readBolt(file))
  } catch (cause) {
    if (cause instanceof BoltError)
      throw new AppError(cause.fault === 'version' || cause.fault === 'foreign' ? 'unsupported' : 'corrupt', {
        cause,
        reason: `the database ${name} ${cause.message}; nothing was changed`,
      })
    if (cause instanceof AppError)
      throw new AppError(cause.code === 'bad-request' ? 'corrupt' : cause.code, {
        cause,
        reason: `the database ${name} cannot be taken over: ${cause.reason}; nothing was changed`,
      })
    throw cause
  }
}

function originalStateOf(file: BoltBucket): OriginalState {
  const [users, shares] = [file.buckets.get('User'), file.buckets.get('Link')]
  const config = file.buckets.get('config')
  refuseOtherPrograms(file)
  const member = (key: string): unknown => {
    const value = config?.values.get(key)
    return value === undefined ? {} : jsonOf(value, key)
  }
  const reader = createRecordReader(
    { settings: member('settings'), server: member('server'), auther: member('auther') },
    'config',
  )
  const [settings, server] = [reader.members('settings'), reader.members('server')]
  requireMembers(settings, ['rules'], 'the settings')
  for (const rule of settings.list('rules')) requireMembers(rule, ['regex', 'allow', 'path'], 'the settings')
  const originalUsers = recordsIn(users).map(([key, value]) => userAt(key, value))
  return {
    config: reader,
    key: signingKeyOf(settings),
    users: originalUsers,
    lastUserId: originalUsers.reduce((highest, { id }) => Math.max(highest, id), counterOf(users)),
    shares: recordsIn(shares).map(([key, value]) => shareAt(key, value)),
    traits: {
      confinesScopes: settings.has('userHomeBasePath') || server.has('tokenExpirationTime'),
      comparesWholeNames: settings.members('defaults').has('redirectAfterCopyMove'),
    },
  }
}

/** Throws `unsupported` unless the buckets are those of File Browser 2. */
function refuseOtherPrograms(file: BoltBucket): void {
  const [config, users] = [file.buckets.get('config'), file.buckets.get('User')]
  if (file.buckets.has('access_rules') || file.buckets.has('IndexInfo'))
    throw new AppError('unsupported', {
      reason:
        'it belongs to FileBrowser Quantum, another program; add its users and shares with: stowage import quantum',
    })
  if (config?.values.has('settings') === true) return
  throw new AppError('unsupported', {
    reason:
      users === undefined
        ? 'it holds nothing of File Browser'
        : 'it belongs to File Browser 1; the command `filebrowser upgrade` of File Browser 2.0 to 2.46 converts it',
  })
}

function userAt(key: string, value: Buffer): OriginalUser {
  const id = numberOf(Buffer.from(key, 'latin1'))
  const parse = (): RecordReader => createRecordReader(jsonOf(value, `user ${id}`), `user ${id}`)
  const record = parse()
  if (id === 0 || record.number('id', 0) !== id)
    throw new AppError('corrupt', { reason: `the record of user ${id} is damaged` })
  requireMembers(record, ['username', 'password', 'scope', 'perm', 'rules'], `user ${id}`)
  for (const rule of record.list('rules')) requireMembers(rule, ['regex', 'allow', 'path'], `user ${id}`)
  return {
    id,
    get record() {
      return parse()
    },
  }
}

function shareAt(key: string, value: Buffer): OriginalShare {
  const hash = Buffer.from(key, 'latin1').toString()
  const record = createRecordReader(jsonOf(value, `share ${hash}`), `share ${hash}`)
  if (record.text('hash') !== hash)
    throw new AppError('corrupt', { reason: `the record of share ${hash} is damaged` })
  requireMembers(record, ['path', 'userID', 'expire'], `share ${hash}`)
  return {
    hash,
    userId: record.number('userID', 0),
    path: record.text('path'),
    expiresAtSeconds: record.number('expire', 0),
    passwordHash: record.text('password_hash'),
    token: record.text('token'),
  }
}

/** Returns the id that the object mapper gave out last. */
function counterOf(users: BoltBucket | undefined): number {
  const counter = users?.buckets.get('__storm_metadata')?.values.get('IDcounter')
  return counter === undefined ? 0 : numberOf(counter)
}

function signingKeyOf(settings: RecordReader): Uint8Array | null {
  const key = Buffer.from(settings.text('key'), 'base64')
  return key.length === keyBytes ? new Uint8Array(key) : null
}
