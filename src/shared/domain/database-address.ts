/** Whether a database is named by the address of a PostgreSQL server; else it is a file. */
export const isDatabaseAddress = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database)

/** A database as it may be shown: an address without the password that it may hold, a file as it is. */
export function shownDatabase(database: string): string {
  if (!isDatabaseAddress(database)) return database
  const start = database.indexOf('://') + 3
  const at = database.lastIndexOf('@')
  const rest = database.slice(Math.max(at, start)).replaceAll(secretParameter, '$1(given)')
  if (at < start) return database.slice(0, start) + rest
  const [user = '', ...password] = database.slice(start, at).split(':')
  return `${database.slice(0, start)}${user}${password.length > 0 ? ':(given)' : ''}${rest}`
}

/** Parameters that a PostgreSQL address may carry its secrets in. */
const secretParameter = /([?&](?:ssl)?password=)[^&#]*/gi
