import type { ServerRecords } from '../port.ts'

/** An object whose members are all asynchronous functions. */
type AsyncStore = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * The members of the records whose calls are not flushed. A crash may lose counts of failed logins and of guests, events of the audit log
 * and tickets, which are valid for a minute, because a flush would delay each login, request or download. Scopes are
 * counted again after a restart of the machine. `outbox` is null for a database file. The other members change nothing in
 * the database.
 */
const unflushed = [
  'shareUses',
  'throttles',
  'tickets',
  'scopeUsages',
  'audit',
  'ping',
  'version',
  'outbox',
  'fileOperations',
  'close',
] as const satisfies readonly (keyof ServerRecords)[]

const unflushedNames: ReadonlySet<string> = new Set(unflushed)

/** True for a store whose changes are flushed before a reader sees them. */
export const isFlushedStore = (name: string): boolean => !unflushedNames.has(name)

/** Wraps records so that a write resolves once it is on the disk, in every store but those that are named above. */
export function withFlushedWrites(records: ServerRecords, flush: () => Promise<void>): ServerRecords {
  const flushed = Object.entries(records)
    .filter(([name]) => isFlushedStore(name))
    .map(([name, member]) => [
      name,
      typeof member === 'function'
        ? flushedStore({ [name]: member as AsyncStore[string] }, flush)[name]
        : flushedStore(member as AsyncStore, flush),
    ])
  return { ...records, ...(Object.fromEntries(flushed) as Omit<ServerRecords, (typeof unflushed)[number]>) }
}

/**
 * Wraps a store so that each method flushes earlier writes before it resolves. This includes reads, so that no caller
 * sees a change that a crash could still undo.
 */
const flushedStore = (store: AsyncStore, flush: () => Promise<void>): AsyncStore =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      async (...args: never[]) => {
        const result = await method(...args)
        await flush()
        return result
      },
    ]),
  )
