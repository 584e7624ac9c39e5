/** The codes of a violated constraint: extended result codes of SQLite, and SQLSTATE codes of PostgreSQL. */
const unique: readonly unknown[] = [2067, 1555, '23505']
const foreignKey: readonly unknown[] = [787, '23503']

/** Returns true for the error of a database that refused a row because another row has the same key. */
export const isUniqueViolation = (thrown: unknown): boolean => hasCode(thrown, unique)

/** Returns true for the error of a database that refused a row because the row that it refers to does not exist. */
export const isForeignKeyViolation = (thrown: unknown): boolean => hasCode(thrown, foreignKey)

function hasCode(thrown: unknown, codes: readonly unknown[]): boolean {
  if (!(thrown instanceof Error)) return false
  const { errcode, code } = thrown as Error & { readonly errcode?: unknown; readonly code?: unknown }
  return codes.includes(errcode) || codes.includes(code)
}
