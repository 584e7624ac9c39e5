/** True when the name of a database is the address of a PostgreSQL server. Any other name is the path of a file. */
export const isDatabaseAddress = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database)

/**
 * Returns the name of a database for display: the password is removed from an address, and the path of a file is
 * unchanged.
 */
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
