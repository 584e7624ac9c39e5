import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { nameOfSession } from './session-name.ts'

/** Sessions that look the same: of the same browser or program, and from the same address. */
export type SessionGroup = {
  /** The id of the session that was used last, which is the first one. */
  readonly id: string
  readonly sessions: readonly [SessionResource, ...SessionResource[]]
}

/** Groups sessions that look the same, in the order of the list. The current session comes first and is alone in its group. */
export function groupSessions(sessions: readonly SessionResource[]): readonly SessionGroup[] {
  const groups = Map.groupBy(sessions, (session) =>
    session.current ? 'current' : JSON.stringify([nameOfSession(session), session.address]),
  )
  return [...groups.values()]
    .toSorted((one, other) => Number(other[0]?.current) - Number(one[0]?.current))
    .flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ id: first.id, sessions: [first, ...others] as const }],
    )
}
