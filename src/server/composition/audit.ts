import { auditLine } from '../audit/audit-line.ts'
import { createAuditLog, type AuditLog } from '../audit/audit-log.ts'
import type { NewAuditEvent } from '../audit/event-writer.ts'
import { withAudit } from '../audit/with-audit.ts'
import { refusalOf } from '../audit/call-recorder.ts'
import { createRepeatDetector } from '../audit/repeat-detector.ts'
import { eventOfOperation, isOperationRecorded } from '../audit/operation-events.ts'
import { auditOfRoutes } from '../audit/audit-of-routes.ts'
import { auditRoutes } from '../audit/routes.ts'
import { networkOf } from '../auth/network.ts'
import type { EndedOperation } from '../changes/file-operation.ts'
import { destinationOf } from '../files/destination.ts'
import type { RefusedCall, Route } from '../http/route.ts'
import type { HookFailure } from '../hooks/hook-runner.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SessionRecord } from '../records/session-store.ts'
import type { User } from '../records/user-store.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import { commandFields, type CommandLogEntry } from '../shell/command-log.ts'
import { joinPaths, root } from '../../shared/domain/path.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of the audit log. */
export type AuditModuleDependencies = {
  readonly records: ServerRecords
  readonly runtime: Pick<ServerRuntime, 'nowMs' | 'logAudit'>
  readonly onFault: (error: unknown) => void
}

/** The audit log, with the functions by which other modules report events to it. */
export type AuditModule = {
  readonly routes: readonly Route[]
  /** Wraps routes so that their calls are recorded. */
  readonly withAudit: (routes: readonly Route[]) => readonly Route[]
  readonly onRefusal: (call: RefusedCall) => void
  readonly onLogin: (user: User, session: SessionRecord) => void
  /** Records an operation on files, unless the route of the call that made it does. */
  readonly onOperation: (operation: EndedOperation) => void
  readonly onCommand: (entry: CommandLogEntry) => void
  /** Records a line of a hook that has failed. */
  readonly onHookFailure: (failure: HookFailure) => void
  readonly stop: () => Promise<void>
}

/** Creates the audit log and its routes. */
export function composeAudit({ records, runtime, onFault }: AuditModuleDependencies): AuditModule {
  const { nowMs, logAudit } = runtime
  const keptDays = async () => (await records.settings.get()).auditDays
  const log = createAuditLog({
    store: records.audit,
    keptDays,
    writeLine: logAudit === undefined ? null : (event) => logAudit(auditLine(event)),
    networkOf,
    nowMs,
    onFault,
  })
  const dependencies = {
    log,
    ...createRepeatDetector(nowMs),
    records,
    destinationOf,
    findUserByName: (username: string) => records.users.findByName(username),
  }
  return {
    routes: auditRoutes({ audit: records.audit, flush: log.flush, keptDays }),
    withAudit: (routes) => withAudit(dependencies, routes),
    onRefusal(call) {
      const audit = auditOfRoutes[call.endpoint.route]
      if (audit !== null) log.record(refusalOf(audit, call))
    },
    onLogin: (user, session) => log.record(loginOf(user, session)),
    onOperation(operation) {
      if (isOperationRecorded(operation)) log.record(eventOfOperation(operation))
    },
    onCommand: (entry) => recordCommand(log, records, entry),
    onHookFailure: (failure) => log.record(eventOfHook(failure)),
    stop: log.stop,
  }
}

const loginOf = ({ id, username }: User, session: SessionRecord) =>
  ({
    action: 'login',
    outcome: 'ok',
    actor: 'user',
    userId: id,
    username,
    session: session.id,
    address: session.address,
    target: '',
    destination: '',
    details: session.agent === '' ? {} : { agent: session.agent },
  }) as const

/** Returns the event of a failed line. The change beside which it ran is an event of its own, with the user who made it. */
const eventOfHook = ({ trigger, line, path, end, status, printed }: HookFailure): NewAuditEvent => ({
  action: 'hook',
  outcome: trigger.startsWith('before_') ? 'refused-by-hook' : 'internal',
  actor: 'server',
  userId: null,
  username: '',
  session: '',
  address: '',
  target: path,
  destination: '',
  details: {
    event: trigger,
    line,
    end,
    ...(status !== null && { status }),
    ...(printed !== '' && { printed }),
  },
})

/** Records a command with the folder in which it ran, as a path in the volume. */
function recordCommand(log: AuditLog, { users }: ServerRecords, entry: CommandLogEntry): void {
  log.recordDescribed(async () => {
    const user = await users.find(entry.userId)
    const scope = confinedScope(user?.scope ?? '') ?? root
    return {
      action: 'command',
      outcome: entry.kind === 'ran' ? 'ok' : 'forbidden',
      actor: 'user',
      userId: entry.userId,
      username: user?.username ?? entry.user,
      session: entry.sessionId,
      address: entry.address,
      target: joinPaths(scope, entry.path) ?? entry.path,
      destination: '',
      details: commandFields(entry),
    } as const
  })
}
