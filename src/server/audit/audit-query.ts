import type { AuditQuery } from '../../shared/contract/audit.ts'
import { auditActions, type AuditAction } from '../../shared/domain/audit-actions.ts'
import { AppError, errorCodes } from '../../shared/domain/failure.ts'
import { pathOf } from '../../shared/domain/path.ts'
import type { AuditFilter } from '../records/audit-store.ts'

/** Reads the filter of a request. Empty values are ignored. Throws `bad-request` for a value that cannot match. */
export function readAuditFilter({ from, to, user, action, path, text, outcome }: AuditQuery): AuditFilter {
  return {
    ...(isGiven(from) && { fromMs: timeIn(from) }),
    ...(isGiven(to) && { toMs: timeIn(to) }),
    ...(isGiven(user) && { username: user }),
    ...(isGiven(action) && { actions: action.split(',').map(actionIn) }),
    ...(isGiven(path) && { path: pathOf(path) ?? refuse('the path') }),
    ...(isGiven(text) && { text }),
    ...(isGiven(outcome) && { outcome: outcomeIn(outcome) }),
  }
}

/** Reads a positive integer from a query. Throws `bad-request` for any other text. */
export function readCount(text: string, name: string): number {
  const count = Number(text)
  return /^\d{1,15}$/.test(text) && count > 0 ? count : refuse(name)
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''

function refuse(name: string): never {
  throw new AppError('bad-request', { reason: `${name} is invalid` })
}

/** Reads a date or a time in ISO 8601. A date means its beginning in UTC. */
function timeIn(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? refuse('the time') : atMs
}

const actionIn = (text: string): AuditAction =>
  auditActions.find((action) => action === text) ?? refuse('the action')

const outcomeIn = (text: string): NonNullable<AuditFilter['outcome']> =>
  text === 'ok' || text === 'failed'
    ? text
    : (errorCodes.find((code) => code === text) ?? refuse('the outcome'))
