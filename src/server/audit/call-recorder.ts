import { sharePasswordHeader } from '../../shared/contract/entry-headers.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import { namesOf } from '../../shared/domain/path.ts'
import type { RefusedCall, RouteResponse, UntypedRequest } from '../http/route.ts'
import type { User } from '../records/user-store.ts'
import type { AuditLog } from './audit-log.ts'
import type { NewAuditEvent } from './event-writer.ts'
import { routineFailures } from './operation-events.ts'
import type { RepeatDetector } from './repeat-detector.ts'
import type { RouteAudit } from './audit-of-routes.ts'
import {
  textMember,
  volumePathOf,
  type AuditSubject,
  type ReadSubject,
  type SubjectDependencies,
} from './subjects.ts'

export type CallRecorderDependencies = SubjectDependencies &
  RepeatDetector & {
    readonly log: Pick<AuditLog, 'record' | 'recordDescribed'>
    readonly findUserByName: (username: string) => Promise<User | null>
  }

/** Records the outcomes of the calls of one route. No call waits until its event is described. */
export type CallRecorder = {
  readonly succeeded: (request: UntypedRequest, response: RouteResponse, subject?: ReadSubject) => void
  readonly failed: (request: UntypedRequest, code: ErrorCode, subject?: ReadSubject) => void
}

/** Creates the recorder of the calls of one route. */
export function createCallRecorder(dependencies: CallRecorderDependencies, audit: RouteAudit): CallRecorder {
  const { log } = dependencies

  function describe(
    request: UntypedRequest,
    result: RouteResponse | ErrorCode,
    known?: ReadSubject,
  ): NewAuditEvent | Promise<NewAuditEvent> {
    const subject = known ?? audit.subject.read(dependencies, request)
    return afterwards(subject, (read) => {
      const completed = typeof result === 'string' ? undefined : read.complete?.(result)
      return afterwards(completed, (complete) =>
        eventOf(audit, request, { result, subject: { ...read, ...complete } }),
      )
    })
  }

  return {
    succeeded(request, response, subject) {
      if (!isSuccessRecorded(audit, request, response)) return
      if (!isPartOfEarlierCall(dependencies, audit, request))
        log.recordDescribed(() => describe(request, response, subject))
    },
    failed(request, code, subject) {
      if (!isFailureRecorded(audit, request, code)) return
      const isLogin = audit.records === 'logins'
      log.recordDescribed(() =>
        isLogin ? describeFailedLogin(dependencies, request, code) : describe(request, code, subject),
      )
    },
  }
}

/** Calls a function with a value, which may be a promise. A value that is there is used at once. */
const afterwards = <Value, Result>(
  value: Value | Promise<Value>,
  use: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> => (value instanceof Promise ? value.then(use) : use(value))

/** Returns the event of a call whose subject is known. */
function eventOf(
  audit: RouteAudit,
  request: UntypedRequest,
  { result, subject }: { readonly result: RouteResponse | ErrorCode; readonly subject: AuditSubject },
): NewAuditEvent {
  const outcome = typeof result === 'string' ? result : 'ok'
  const { target, destination = '', details = {} } = subject
  const caller = callerMembersOf(audit, request)
  return {
    action: actionOf(audit, request, outcome),
    outcome,
    ...caller,
    username: subject.username ?? caller.username,
    target,
    destination,
    details,
  }
}

/** Returns the event of a call that was refused before its query was read. */
export const refusalOf = (audit: RouteAudit, call: RefusedCall): NewAuditEvent => ({
  action: actionOf(audit, { ...call, query: {} }, 'forbidden'),
  outcome: 'forbidden',
  ...callerMembersOf(audit, call),
  target: takesEntryPath(call.endpoint) ? volumePathOf(call, call.path) : '',
  destination: '',
  details: {},
})

const takesEntryPath = ({ route, hasIdentifierPath }: Endpoint): boolean =>
  routes[route].pattern.endsWith('*') && hasIdentifierPath !== true

function callerMembersOf(
  { subject }: RouteAudit,
  { caller, client, path }: Pick<UntypedRequest, 'caller' | 'client' | 'path'>,
) {
  const { address } = client
  if (caller === undefined) {
    const [hash = ''] = subject.isVisit === true ? namesOf(path) : []
    const actor = subject.isVisit === true ? 'guest' : 'nobody'
    return { actor, userId: null, username: '', session: hash, address } as const
  }
  const { user, session } = caller
  return { actor: 'user', userId: user.id, username: user.username, session: session.id, address } as const
}

const actionOf = (
  { records, action }: RouteAudit,
  request: Pick<UntypedRequest, 'isFolder' | 'query'>,
  outcome: NewAuditEvent['outcome'],
) => {
  if ((records === 'texts' || records === 'views') && outcome !== 'ok') return 'access'
  return typeof action === 'string' ? action : action(request)
}

/**
 * Describes a failed login. A name that belongs to no user is not recorded, because people type their password into the
 * field of the name.
 */
async function describeFailedLogin(
  { findUserByName }: CallRecorderDependencies,
  { body, client }: UntypedRequest,
  outcome: ErrorCode,
): Promise<NewAuditEvent> {
  const user = await findUserByName(textMember(body, 'username'))
  return {
    action: 'login',
    outcome,
    actor: 'nobody',
    userId: user?.id ?? null,
    username: user?.username ?? '',
    session: '',
    address: client.address,
    target: '',
    destination: '',
    details: {},
  }
}

function isSuccessRecorded(
  { records }: RouteAudit,
  { isHead }: UntypedRequest,
  response: RouteResponse,
): boolean {
  if (isHead || records === 'failures' || records === 'logins' || records === 'refusals') return false
  return (records !== 'texts' && records !== 'views') || containsFile(response)
}

/** Returns true for a response with the whole content of a file. */
const containsFile = (response: RouteResponse): boolean =>
  (response.kind === 'file' && response.isPicture !== true) ||
  (response.kind === 'json' &&
    typeof (response.json as { readonly content?: unknown } | null)?.content === 'string')

/**
 * Returns true for a failure that is recorded: each failed change and login, and each refused read.
 * A missing share password does not count as a failure, and neither does an unknown share hash, because it may be any
 * text.
 */
function isFailureRecorded(
  { records, subject }: RouteAudit,
  { header }: UntypedRequest,
  code: ErrorCode,
): boolean {
  if (subject.isVisit === true && code === 'not-signed-in') return (header(sharePasswordHeader) ?? '') !== ''
  if (subject.isVisit === true && code === 'not-found') return false
  if (records === 'changes' || records === 'failures') return !routineFailures.has(code)
  if (records === 'logins') return code !== 'aborted'
  if (subject.isVisit !== true) return code === 'forbidden'
  return code === 'forbidden' || code === 'too-many-tries'
}

/** Returns true for a request that belongs to a download or visit that is recorded already. */
function isPartOfEarlierCall(
  { isRepeated }: RepeatDetector,
  audit: RouteAudit,
  request: UntypedRequest,
): boolean {
  const { records } = audit
  if (records !== 'downloads' && records !== 'views' && records !== 'visits') return false
  const { session, address } = callerMembersOf(audit, request)
  const { member, files } = request.query
  const object = records === 'visits' ? '' : JSON.stringify([request.path, member, files])
  // A view and a download of one file have the same key, because the pages may show a file first and load it then.
  const kind = records === 'visits' ? 'visits' : 'downloads'
  const wasSeen = isRepeated(`${kind}\n${session}\n${address}\n${object}`)
  return wasSeen && (records !== 'downloads' || isPartialRequest(request))
}

/** Returns true for a request that browsers repeat for one file: for a range, for a part of a page, or for a new version. */
const isPartialRequest = ({ header, query }: UntypedRequest): boolean =>
  query['inline'] === 'true' ||
  ['range', 'if-none-match', 'if-modified-since'].some((name) => header(name) !== undefined)
