/** SQLite's extended result codes of a unique index and of a primary key. */
const sqliteCodes: readonly unknown[] = [2067, 1555]
const postgresCode = '23505'

/** Whether a database refused a row because another has its key. */
export function isUniqueViolation(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { errcode, code } = thrown as Error & { readonly errcode?: unknown; readonly code?: unknown }
  return sqliteCodes.includes(errcode) || code === postgresCode
}
