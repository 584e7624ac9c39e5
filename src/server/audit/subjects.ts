import type { AuditDetail } from '../../shared/contract/audit.ts'
import { joinPaths, namesOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { RouteResponse, UntypedRequest } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'
import type { ShareRecord } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'

/** The object of a call, and the caller's name when no user is logged in. */
export type AuditSubject = {
  readonly target: string
  readonly destination?: string
  readonly details?: Readonly<Record<string, AuditDetail>>
  /** The name of a user who is not logged in, if the name is known to belong to a user. */
  readonly username?: string
}

export type SubjectDependencies = {
  readonly records: {
    readonly users: Pick<ServerRecords['users'], 'find'>
    readonly shares: Pick<ServerRecords['shares'], 'find' | 'findByAddress'>
    readonly settings: Pick<ServerRecords['settings'], 'get'>
  }
  /** Returns the destination that a query contains. Throws for a destination that is not a path. */
  readonly destinationOf: (text: string | undefined) => Path
}

/** A subject, which `complete` completes after the call has succeeded. */
export type ReadSubject = AuditSubject & {
  readonly complete?: (response: RouteResponse) => AuditSubject | Promise<AuditSubject>
}

/**
 * Reads the subject of a call. When `isReadBefore` is true, `read` is called before the operation, because the operation
 * removes or changes the subject.
 */
export type SubjectReader = {
  readonly isReadBefore?: true
  /** True when the path of the request begins with the hash of a share. */
  readonly isVisit?: true
  readonly read: (
    dependencies: SubjectDependencies,
    request: UntypedRequest,
  ) => ReadSubject | Promise<ReadSubject>
}

/** Returns the place of a caller's path in the volume. */
export function volumePathOf({ caller }: Pick<UntypedRequest, 'caller'>, path: Path): string {
  if (caller === undefined) return path
  return joinPaths(confinedScope(caller.user.scope) ?? root, path) ?? path
}

/** The number of names that an event contains. A request may name thousands. */
const namedEntries = 10

/** Returns the first names of a list, and the number of the others. */
export const firstNames = (names: readonly string[]): readonly string[] =>
  names.length <= namedEntries ? names : [...names.slice(0, namedEntries), `+${names.length - namedEntries}`]

const filesOf = ({ query }: UntypedRequest): Readonly<Record<string, AuditDetail>> => {
  const files = query['files'] ?? ''
  return files === '' ? {} : { files: firstNames(files.split(',').map(decoded)) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const inlineOf = ({ query }: UntypedRequest): Readonly<Record<string, AuditDetail>> =>
  query['inline'] === 'true' ? { isInline: true } : {}

/** The subject of a call without an object. */
export const noSubject: SubjectReader = { read: () => ({ target: '' }) }

/** The entry at the path of the request. */
export const entrySubject: SubjectReader = {
  read: (_, request) => ({ target: volumePathOf(request, request.path) }),
}

/** An entry and the place to which it is moved or copied. */
export const transferSubject: SubjectReader = {
  read({ destinationOf }, request) {
    const target = volumePathOf(request, request.path)
    try {
      return { target, destination: volumePathOf(request, destinationOf(request.query['destination'])) }
    } catch {
      return { target }
    }
  },
}

/** An archive and the folder to which it is extracted. The query names the folder without an encoding of its own. */
export const extractionSubject: SubjectReader = {
  read(_, request) {
    const target = volumePathOf(request, request.path)
    const { destination: text } = request.query
    const destination = text === undefined ? null : pathOf(text)
    return destination === null ? { target } : { target, destination: volumePathOf(request, destination) }
  },
}

/** A new archive and the entries in it. */
export const archiveSubject: SubjectReader = {
  read(_, request) {
    const { folder, names } = request.body as { readonly folder: string; readonly names: readonly string[] }
    const from = pathOf(folder)
    return {
      target: volumePathOf(request, request.path),
      details: { folder: from === null ? folder : volumePathOf(request, from), files: firstNames(names) },
    }
  },
}

/** A file or folder that is downloaded. */
export const downloadSubject: SubjectReader = {
  read: (_, request) => ({
    target: volumePathOf(request, request.path),
    details: { ...inlineOf(request), ...filesOf(request) },
  }),
}

/** A member of an archive that is downloaded. */
export const memberSubject: SubjectReader = {
  read: (_, request) => ({
    target: volumePathOf(request, request.path),
    details: { ...inlineOf(request), member: request.query['member'] ?? '' },
  }),
}

/** The name of the user who signs up. It is known only after the signup has succeeded. */
export const signupSubject: SubjectReader = {
  read(_, { body }) {
    const username = textMember(body, 'username')
    return { target: '', complete: () => ({ target: username, username }) }
  },
}

/** The session that a user ends. */
export const sessionSubject: SubjectReader = {
  read: (_, { path }) => ({ target: '', details: { ended: namesOf(path).join('/') } }),
}

/** A user whose sessions an administrator ends, with the ids of the sessions. Without ids, all of them end. */
export const sessionsOfUserSubject: SubjectReader = {
  async read({ records }, { params: { id = 0 }, body }) {
    const user = await records.users.find(id)
    const { ids } = (body ?? {}) as { readonly ids?: unknown }
    const ended = Array.isArray(ids) ? ids.filter((one) => typeof one === 'string') : []
    return {
      target: user?.username ?? `#${id}`,
      ...(ended.length > 0 && { details: { ended: firstNames(ended).join(' ') } }),
    }
  },
}

/** A user who is created. */
export const createdUserSubject: SubjectReader = {
  read: (_, { body }) => ({
    target: textMember((body as { readonly data?: unknown } | null)?.data, 'username'),
  }),
}

/** A user who is changed or removed, with the names of the changed fields. */
export const userSubject: SubjectReader = {
  isReadBefore: true,
  async read({ records }, { params: { id = 0 } }) {
    const before = await records.users.find(id)
    const target = before?.username ?? `#${id}`
    return {
      target,
      async complete() {
        const after = await records.users.find(id)
        if (before === null || after === null) return { target }
        return { target, details: { fields: changedUserFields(before, after) } }
      },
    }
  },
}

const changedUserFields = (
  { changedAtMs: _before, passwordHash: hashBefore, ...before }: User,
  { changedAtMs: _after, passwordHash: hashAfter, ...after }: User,
): readonly string[] => [...changedNames(before, after), ...(hashBefore === hashAfter ? [] : ['password'])]

/** The trial of a line of a hook. */
export const hookSubject: SubjectReader = {
  read: (_dependencies, { body }) => ({
    target: '',
    details: { event: textMember(body, 'event'), line: textMember(body, 'line'), trial: true },
  }),
}

/** The names of the settings that are changed. */
export const settingsSubject: SubjectReader = {
  isReadBefore: true,
  async read({ records }) {
    const before = await records.settings.get()
    return {
      target: '',
      complete: async () => ({
        target: '',
        details: { fields: changedNames(before, await records.settings.get()) },
      }),
    }
  },
}

function changedNames(before: object, after: object): readonly string[] {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  return Object.entries(after).flatMap(([name, value]) =>
    old.get(name) === JSON.stringify(value) ? [] : [name],
  )
}

/** The entry for which a share is created, with the hash of the share. */
export const newShareSubject: SubjectReader = {
  read(_, request) {
    const target = volumePathOf(request, request.path)
    const details = { hasPassword: textMember(request.body, 'password') !== '' }
    return {
      target,
      details,
      complete: (response) => ({
        target,
        details: { ...details, share: response.kind === 'json' ? textMember(response.json, 'hash') : '' },
      }),
    }
  },
}

/** The share that a user changes or deletes. */
export const shareSubject: SubjectReader = {
  isReadBefore: true,
  async read({ records }, { path }) {
    const [hash = ''] = namesOf(path)
    return { target: (await records.shares.find(hash))?.path ?? '', details: { share: hash } }
  },
}

/** The entry that a guest of a share opens or downloads. */
export const visitSubject: SubjectReader = {
  isVisit: true,
  async read({ records }, request) {
    const [hashOrAlias = '', ...below] = namesOf(request.path)
    const share = await records.shares.findByAddress(hashOrAlias)
    const target = share === null ? '' : sharedPathOf(share, below)
    const byAlias = share !== null && share.hash !== hashOrAlias && { share: share.hash }
    return { target, details: { ...byAlias, ...inlineOf(request), ...filesOf(request) } }
  },
}

function sharedPathOf({ kind, path }: ShareRecord, below: readonly string[]): string {
  const relative = kind === 'folder' ? pathOf(below.join('/')) : null
  return relative === null ? path : (joinPaths(path, relative) ?? path)
}

/** Returns a text member of a request body of any shape; empty when there is none. */
export function textMember(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' ? value : ''
}
