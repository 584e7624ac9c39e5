import type { ChangeMessage } from './events.ts'
import type { RouteName } from './routes.ts'

/** An event for which administrators can configure programs that run before and after it (contract 12.2). */
export type HookEvent = {
  /** The name of the event. The names of its two lists of programs are `before_` and `after_` followed by this name. */
  readonly name: string
  /** The routes whose requests can cause the event. */
  readonly calls: readonly RouteName[]
  /** The kinds of changes that cause the event when a request to one of these routes makes them. */
  readonly changes: readonly ChangeMessage['kind'][]
}

const knownEvents = [
  { name: 'copy', calls: ['resources.transfer'], changes: ['copied'] },
  { name: 'delete', calls: ['resources.remove'], changes: ['removed', 'moved'] },
  { name: 'rename', calls: ['resources.transfer'], changes: ['moved'] },
  { name: 'save', calls: ['resources.save'], changes: ['written'] },
  {
    name: 'upload',
    calls: [
      'resources.create',
      'tus.begin',
      'tus.continue',
      'archives.extract',
      'archives.create',
      'public.drop',
    ],
    changes: ['created', 'written'],
  },
] as const satisfies readonly HookEvent[]

export type HookEventName = (typeof knownEvents)[number]['name']

/**
 * The events. A change that a job or a command makes causes the last event that lists its kind, because no call tells
 * which of them is meant.
 */
export const hookEvents: readonly (HookEvent & { readonly name: HookEventName })[] = knownEvents

/**
 * Routes that change data of the server (sessions, shares and incomplete uploads) but no file, and therefore cause no
 * event.
 */
export const callsWithoutEvent: readonly RouteName[] = [
  'sessions.end',
  'shares.create',
  'shares.update',
  'shares.remove',
  'shares.end-reception',
  'tus.abort',
]
