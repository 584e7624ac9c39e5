/** True when the name of a database is the URL of a PostgreSQL server. Any other name is the path of a file. */
export const isDatabaseUrl = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database)

/**
 * Returns the name of a database for display: the password in a URL is replaced by `(given)`, and the path of a file is
 * unchanged.
 */
export function redactedDatabase(database: string): string {
  if (!isDatabaseUrl(database)) return database
  const start = database.indexOf('://') + 3
  const at = database.lastIndexOf('@')
  const rest = database.slice(Math.max(at, start)).replaceAll(secretParameter, '$1(given)')
  if (at < start) return database.slice(0, start) + rest
  const [user = '', ...password] = database.slice(start, at).split(':')
  return `${database.slice(0, start)}${user}${password.length > 0 ? ':(given)' : ''}${rest}`
}

/** Matches the query parameters of a PostgreSQL URL that may contain a password. */
const secretParameter = /([?&](?:ssl)?password=)[^&#]*/gi
