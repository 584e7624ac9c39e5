import type { RouteName } from '../routes.ts'

/** Something that programs of the administrator run before and after (contract 12.2). */
export type HookEvent = {
  /** The lists of its programs are called `before_` and `after_` this. */
  readonly name: string
  /** The calls that mean it. */
  readonly calls: readonly RouteName[]
  /** What such a call does to the files when it is this event. */
  readonly changes: readonly ('created' | 'written' | 'moved' | 'copied' | 'removed')[]
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

/** Calls that change something about a path, but no file: sessions, links, and uploads that were not in place yet. */
export const callsWithoutEvent: readonly RouteName[] = [
  'sessions.end',
  'shares.create',
  'shares.remove',
  'tus.abort',
]
