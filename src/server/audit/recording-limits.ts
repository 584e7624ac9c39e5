import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { auditImportance, type AuditAction } from '../../shared/domain/audit-actions.ts'
import type { NewAuditEvent } from './event-writer.ts'

/** The failures of one network that are recorded in a minute: more than people make, and few enough for an attack. */
export const failuresPerMinute = 60
/**
 * The successful calls of guests of one network that are recorded in a minute. Each file of a shared folder may be one, and a
 * guest can repeat a download at will.
 */
export const visitsPerMinute = 600
/**
 * The events of one action on files that are recorded for a user in a minute. 100 in a second are more than a client causes that
 * uploads or deletes thousands of small files.
 */
export const fileEventsPerMinute = 6000
/** The changes of a user's own shares, sessions or account that are recorded in a minute, for each action. */
export const ownEventsPerMinute = 300
/**
 * The changes of a user's own shares, sessions or account that are recorded in a day, for each action. In the 90 days for which a
 * usual server keeps events, the logins of one user have 600 MB with the longest name of a browser, and 110 MB with a usual one.
 */
export const ownEventsPerDay = 5000

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** The capacity of each count, in networks or in actions of users. When a count is full, the oldest ones begin anew. */
const countedKeys = 10_000

/** Creates the function that counts events, and returns false for those above a limit. */
export function createRecordingLimits(
  networkOf: (address: string) => string,
  nowMs: () => number,
): (event: NewAuditEvent) => boolean {
  const mayRecordFailure = createRateLimit(failuresPerMinute, minuteMs, nowMs)
  const mayRecordVisit = createRateLimit(visitsPerMinute, minuteMs, nowMs)
  const mayRecordFileEvent = createRateLimit(fileEventsPerMinute, minuteMs, nowMs)
  const mayRecordOwnEvent = createRateLimit(ownEventsPerMinute, minuteMs, nowMs)
  const mayRecordOwnEventToday = createRateLimit(ownEventsPerDay, dayMs, nowMs)

  function mayRecordOfUser(event: NewAuditEvent): boolean {
    // Each action has its own count, so that nobody can hide an action behind many others.
    const key = `${event.userId} ${event.action}`
    if (isOnFiles(event.action)) return mayRecordFileEvent(key)
    return !isOwn(event) || (mayRecordOwnEvent(key) && mayRecordOwnEventToday(key))
  }

  return (event) => {
    const { outcome, actor, address } = event
    if (actor === 'guest' && outcome === 'ok') return mayRecordVisit(networkOf(address))
    if (actor === 'user' && !mayRecordOfUser(event)) return false
    return outcome === 'ok' || mayRecordFailure(networkOf(address))
  }
}

const isOnFiles = (action: AuditAction): boolean =>
  auditImportance[action] === 'detail' || auditImportance[action] === 'ordinary'

const ownActions: ReadonlySet<AuditAction> = new Set(['login', 'logout', 'session-end'])

/**
 * Returns true for an event that users without the rights of an administrator can cause. What administrators do to the accounts of
 * others and to the settings is always recorded.
 */
const isOwn = ({ action, outcome, target, username }: NewAuditEvent): boolean =>
  outcome !== 'ok' ||
  auditImportance[action] === 'sharing' ||
  ownActions.has(action) ||
  (action === 'user-change' && target === username)

/** Creates a function that counts events by a key, and returns false for those above the limit of a window. */
function createRateLimit(perWindow: number, windowMs: number, nowMs: () => number): (key: string) => boolean {
  const counts = createBoundedMap<string, { count: number; readonly untilMs: number }>(countedKeys)
  return (key) => {
    const known = counts.get(key)
    if (known !== undefined && nowMs() < known.untilMs) {
      known.count += 1
      return known.count <= perWindow
    }
    counts.set(key, { count: 1, untilMs: nowMs() + windowMs })
    return true
  }
}
