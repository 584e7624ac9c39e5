/**
 * Returns the stored value with the changes of a draft: a three-way merge. `base` is the value from which the draft
 * started, and `stored` the value that the server has now. Members that the draft did not change keep their stored
 * value, so that a save does not undo what another administrator saved meanwhile. Lists are compared as a whole.
 */
export function mergeChanges<T>(base: T, draft: T, stored: T): T {
  if (isSame(base, draft)) return stored
  if (!isRecord(base) || !isRecord(draft) || !isRecord(stored)) return draft
  const names = [...new Set([...Object.keys(stored), ...Object.keys(draft)])]
  const merged = names.map((name) => [name, mergeChanges(base[name], draft[name], stored[name])] as const)
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as T
}

/** Returns true for JSON values that are equal. The order of the members of an object does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
