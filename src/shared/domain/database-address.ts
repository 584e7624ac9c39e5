/** True when a database is given as the address of a PostgreSQL server; otherwise it is a file. */
export const isDatabaseAddress = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database)

/** Returns a database as it may be displayed: an address without the password in it, a file unchanged. */
export function redactedDatabase(database: string): string {
  if (!isDatabaseAddress(database)) return database
  const start = database.indexOf('://') + 3
  const at = database.lastIndexOf('@')
  const rest = database.slice(Math.max(at, start)).replaceAll(secretParameter, '$1(given)')
  if (at < start) return database.slice(0, start) + rest
  const [user = '', ...password] = database.slice(start, at).split(':')
  return `${database.slice(0, start)}${user}${password.length > 0 ? ':(given)' : ''}${rest}`
}

/** Matches the parameters of a PostgreSQL address that may carry a secret. */
const secretParameter = /([?&](?:ssl)?password=)[^&#]*/gi
