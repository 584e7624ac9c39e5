/** The error codes of violated constraints: extended result codes of SQLite, and SQLSTATE codes of PostgreSQL. */
const unique: readonly unknown[] = [2067, 1555, '23505']
const foreignKey: readonly unknown[] = [787, '23503']

/** Returns true for a database error that means that another row has the same key. */
export const isUniqueViolation = (thrown: unknown): boolean => hasCode(thrown, unique)

/** Returns true for a database error that means that a referenced row does not exist. */
export const isForeignKeyViolation = (thrown: unknown): boolean => hasCode(thrown, foreignKey)

function hasCode(thrown: unknown, codes: readonly unknown[]): boolean {
  if (!(thrown instanceof Error)) return false
  const { errcode, code } = thrown as Error & { readonly errcode?: unknown; readonly code?: unknown }
  return codes.includes(errcode) || codes.includes(code)
}
