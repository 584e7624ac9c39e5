import type { ChangeMessage } from './events.ts'
import type { RouteName } from './routes.ts'

/** An event before and after which programs of the administrator run (contract 12.2). */
export type HookEvent = {
  /** The name of the event. Its lists of programs are named `before_` and `after_` with this name. */
  readonly name: string
  /** The calls that can cause the event. */
  readonly calls: readonly RouteName[]
  /** The kinds of changes by which such a call causes the event. */
  readonly changes: readonly ChangeMessage['kind'][]
}

export const hookEvents: readonly HookEvent[] = [
  { name: 'copy', calls: ['resources.transfer'], changes: ['copied'] },
  { name: 'delete', calls: ['resources.remove'], changes: ['removed', 'moved'] },
  { name: 'rename', calls: ['resources.transfer'], changes: ['moved'] },
  { name: 'save', calls: ['resources.save'], changes: ['written'] },
  {
    name: 'upload',
    calls: ['resources.create', 'tus.begin', 'tus.continue'],
    changes: ['created', 'written'],
  },
]

/** Calls that change something about a path but no file: sessions, shares, and uploads that were not complete yet. */
export const callsWithoutEvent: readonly RouteName[] = [
  'sessions.end',
  'shares.create',
  'shares.remove',
  'tus.abort',
]
