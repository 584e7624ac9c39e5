/** SQLite's extended result codes, and PostgreSQL's states. */
const unique: readonly unknown[] = [2067, 1555, '23505']
const foreignKey: readonly unknown[] = [787, '23503']

/** Whether a database refused a row because another has its key. */
export const isUniqueViolation = (thrown: unknown): boolean => hasCode(thrown, unique)

/** Whether a database refused a row because another, which it belongs to, is not there. */
export const isOrphan = (thrown: unknown): boolean => hasCode(thrown, foreignKey)

function hasCode(thrown: unknown, codes: readonly unknown[]): boolean {
  if (!(thrown instanceof Error)) return false
  const { errcode, code } = thrown as Error & { readonly errcode?: unknown; readonly code?: unknown }
  return codes.includes(errcode) || codes.includes(code)
}
