import { pathOf } from '../../shared/domain/path.ts'
import { changeKinds, observedChangeOf, type ObservedChange, type StorageChange } from '../changes/change.ts'
import type { PeerMessage } from './peer-link.ts'

/** Returns the message that tells peers of a change. */
export const messageOfChange = (change: StorageChange): PeerMessage => ({ change: observedChangeOf(change) })

const kinds: ReadonlySet<unknown> = new Set(changeKinds)

/** Reads the message of a change. Returns null for any other message, such as one of a newer version. */
export function changeOfMessage(message: unknown): ObservedChange | null {
  const { kind, path, to, userId, scope, origin } = fieldsOf(fieldsOf(message)['change'])
  const [at, target, below] = [pathIn(path), pathIn(to), pathIn(scope)]
  if (!kinds.has(kind) || at === null || below === null || typeof userId !== 'number') return null
  if ((kind === 'moved' || kind === 'copied') && target === null) return null
  return {
    kind: kind as ObservedChange['kind'],
    path: at,
    ...(target !== null && { to: target }),
    userId,
    scope: below,
    origin: typeof origin === 'string' ? origin : null,
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const pathIn = (value: unknown) => (typeof value === 'string' ? pathOf(value) : null)
