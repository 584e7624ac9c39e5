const changes = ['copy', 'delete', 'rename', 'save', 'upload'] as const

/** An event that Stowage knows, such as `before_upload`. Its name is translated. */
export type KnownHook = `${'before' | 'after'}_${(typeof changes)[number]}`

const knownHooks: readonly string[] = changes.flatMap((change) => [`before_${change}`, `after_${change}`])

export const isKnownHook = (name: string): name is KnownHook => knownHooks.includes(name)

/**
 * Returns the names of events in the order in which the page shows them: for each change, the event before it and then
 * the event after it. Events that Stowage does not know come last, in the order of the server.
 */
export function orderHooks(names: readonly string[]): readonly string[] {
  const known = names
    .filter((name) => isKnownHook(name))
    .toSorted((a, b) => compareTexts(orderKeyOf(a), orderKeyOf(b)))
  return [...known, ...names.filter((name) => !isKnownHook(name))]
}

/** Returns a sort key. Events are sorted by the change, and the event before a change precedes the event after it. */
function orderKeyOf(name: string): string {
  const [time = '', change = ''] = name.split('_')
  return `${change} ${time === 'before' ? 0 : 1}`
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
