import type { AuditDetail } from '../../shared/contract/audit.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { EndedOperation } from '../changes/file-operation.ts'
import type { NewAuditEvent } from './event-writer.ts'
import { firstNames } from './subjects.ts'

/** Failures of changes that are not recorded: the client left, or continues an upload at another offset. */
export const routineFailures: ReadonlySet<ErrorCode> = new Set(['aborted', 'not-signed-in', 'wrong-offset'])

/** Operations that change one file after the other where folders are merged. Some files are changed when one is aborted. */
const stepwiseActions: ReadonlySet<EndedOperation['action']> = new Set(['copy', 'move'])

/**
 * Returns true for an operation that is recorded: each one that succeeded, one that was aborted and may have changed
 * files, and the failures of jobs and commands. The failure of a call is recorded by its route, which also knows of the
 * calls that were refused before any change.
 */
export const isOperationRecorded = ({ action, outcome, author }: EndedOperation): boolean =>
  outcome === 'ok' ||
  (outcome === 'aborted' && stepwiseActions.has(action)) ||
  (author.cause.kind !== 'call' && !routineFailures.has(outcome))

/** Returns the event of an operation on files. */
export const eventOfOperation = ({
  action,
  path,
  to,
  outcome,
  ...operation
}: EndedOperation): NewAuditEvent => ({
  action,
  outcome,
  ...authorMembersOf(operation),
  target: path,
  destination: to ?? '',
  details: detailsOf(operation),
})

function authorMembersOf({ author: { user, guestOf, session, cause } }: Pick<EndedOperation, 'author'>) {
  const address = cause.kind === 'call' ? cause.address : ''
  if (guestOf !== null)
    return { actor: 'guest', userId: null, username: '', session: guestOf, address } as const
  const { id: userId, username } = user
  // A job may run longer than the session that has asked for it.
  const ownSession = cause.kind === 'call' ? (session ?? '') : ''
  return { actor: 'user', userId, username, session: ownSession, address } as const
}

const detailsOf = ({
  packed,
  replacedBytes,
  author: { cause },
}: Pick<EndedOperation, 'packed' | 'replacedBytes' | 'author'>): Readonly<Record<string, AuditDetail>> => ({
  ...(packed && { folder: packed.folder, files: firstNames(packed.names) }),
  ...(replacedBytes !== undefined && { replacedBytes }),
  ...(cause.kind !== 'call' && { [cause.kind]: cause.name }),
})
