/** The events that Stowage knows, such as `before_upload`. Their names are translated. */
const knownHook = /^(before|after)_(copy|delete|rename|save|upload)$/

export const isKnownHook = (name: string): boolean => knownHook.test(name)

/**
 * Returns the names of events in the order in which the page shows them: for each change, the event before it and then
 * the event after it. Events that Stowage does not know come last, in the order of the server.
 */
export function orderHooks(names: readonly string[]): readonly string[] {
  const known = names.filter(isKnownHook).toSorted((a, b) => compareTexts(orderKeyOf(a), orderKeyOf(b)))
  return [...known, ...names.filter((name) => !isKnownHook(name))]
}

/** Returns a sort key. Events are sorted by the change, and the event before a change precedes the event after it. */
function orderKeyOf(name: string): string {
  const [time = '', change = ''] = name.split('_')
  return `${change} ${time === 'before' ? 0 : 1}`
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
