import { useState } from 'react'
import type { UserResource } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { useQuery } from '../../../api/use-query.ts'
import { usersQuery } from '../users-query.ts'
import { useRuleCheck, type RuleCheckAnswer } from './use-rule-check.ts'

/** The facts about a user whose rules are edited. */
export type EditedUser = {
  /** The rules for all users, which are applied before those of the user. */
  readonly globalRules: readonly AccessRule[]
  /** The folder of the user, in which the paths begin. */
  readonly scope: string
}

/** A trial of rules that are being edited, on a path that the administrator types. */
export type RuleTrial = {
  /** The path to try. Empty while nothing is tried. */
  readonly path: string
  readonly setPath: (path: string) => void
  /** The answer about the edited rules, or null. */
  readonly answer: RuleCheckAnswer | null
  /** The folder in which paths are completed. Null for the folder of the administrator. */
  readonly scope: string | null
  /** The users as whom rules for all users can be tried. Empty for the rules of one user. */
  readonly people: readonly UserResource[]
  /** The user as whom the path is tried. Null for all of them together, and for the rules of one user. */
  readonly person: UserResource | null
  readonly setPersonId: (id: number | null) => void
  /** The answer for that user, whose own rules come after the edited ones, or null. */
  readonly personalAnswer: RuleCheckAnswer | null
}

/** Holds a trial of rules for all users, or of the rules of one user. The server is asked when there is something to say. */
export function useRuleTrial(rules: readonly AccessRule[], user: EditedUser | undefined): RuleTrial {
  const [path, setPath] = useState('')
  const [personId, setPersonId] = useState<number | null>(null)
  const isForEverybody = user === undefined
  const { data } = useQuery({ ...usersQuery, enabled: isForEverybody })
  const people = isForEverybody ? (data ?? []).filter(({ isDisabled }) => !isDisabled) : []
  const person = people.find(({ id }) => id === personId) ?? null
  const scope = user?.scope ?? person?.scope ?? mostCommonScope(people)
  const tried = { rules: [...(user?.globalRules ?? []), ...rules], path, scope }
  const isAsked = path !== '' || rules.length > 0
  const answer = useRuleCheck(isAsked ? { ...tried, ...(isForEverybody && { everybody: true }) } : null)
  const personalAnswer = useRuleCheck(
    person === null || path === '' ? null : { rules: [...rules, ...person.rules], path, scope: person.scope },
  )
  return { path, setPath, answer, scope, people, person, setPersonId, personalAnswer }
}

/** Returns the scope that most users have, in which paths for all of them are probably meant. Null without users. */
function mostCommonScope(people: readonly UserResource[]): string | null {
  const byScope = [...Map.groupBy(people, ({ scope }) => scope)]
  const [most] = byScope.toSorted(([, one], [, other]) => other.length - one.length)
  return most?.[0] ?? null
}
