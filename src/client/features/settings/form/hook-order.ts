import { hookEvents, type HookEventName } from '../../../../shared/contract/hook-events.ts'

/** An event that Stowage knows, such as `before_upload`. Its name is translated. */
export type KnownHook = `${'before' | 'after'}_${HookEventName}`

const knownHooks = hookEvents
  .map(({ name }) => name)
  .toSorted()
  .flatMap((name): readonly KnownHook[] => [`before_${name}`, `after_${name}`])

export const isKnownHook = (name: string): name is KnownHook => knownHooks.some((known) => known === name)

/**
 * Returns the names of events in the order in which the page shows them: for each change, the event before it and then
 * the event after it. Events that Stowage does not know come last, in the order of the server.
 */
export const orderHooks = (names: readonly string[]): readonly string[] => [
  ...knownHooks.filter((name) => names.includes(name)),
  ...names.filter((name) => !isKnownHook(name)),
]
