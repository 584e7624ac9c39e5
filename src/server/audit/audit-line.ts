import { escapeForLine } from '../records/bounded-event.ts'
import type { AuditEvent } from '../records/audit-store.ts'

/** Returns an event as an object for JSON, without the members that are empty. */
export function auditJson(event: AuditEvent): Readonly<Record<string, unknown>> {
  const { atMs, action, outcome, actor, userId, username, ...rest } = event
  const members = { userId, user: username, ...rest }
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== '')
  return { time: new Date(atMs).toISOString(), action, outcome, actor, ...Object.fromEntries(given) }
}

/** Formats an event as one line of JSON, without the line break and without control characters. */
export const auditLine = (event: AuditEvent): string => escapeForLine(JSON.stringify(auditJson(event)))

const csvColumns = [
  'time',
  'action',
  'outcome',
  'actor',
  'userId',
  'user',
  'session',
  'address',
  'target',
  'destination',
  'details',
]

export const csvHeader = `${csvColumns.join(',')}\r\n`

/** Formats an event as a row of a CSV file, with the line break. */
export function csvRow(event: AuditEvent): string {
  const members: Readonly<Record<string, unknown>> = auditJson(event)
  return `${csvColumns.map((name) => csvCell(members[name])).join(',')}\r\n`
}

/**
 * Formats a cell. Spreadsheets run a text as a formula when it begins with certain characters, so it gets an apostrophe.
 * Control characters and backslashes are escaped as in JSON.
 */
function csvCell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const json = escapeForLine(JSON.stringify(value))
  const text = typeof value === 'string' ? json.slice(1, -1).replaceAll('\\"', '"') : json
  const guarded = /^[=+\-@\uff1d\uff0b\uff0d\uff20\s\\]/.test(text) ? `'${text}` : text
  return `"${guarded.replaceAll('"', '""')}"`
}
