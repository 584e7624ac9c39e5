import { keepPreviousData, skipToken } from '@tanstack/react-query'
import { useQuery } from '../../../api/use-query.ts'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { callJson } from '../../../api/call.ts'
import { useSettled } from '../../../ui/measuring/use-settled.ts'

/**
 * Time without changes, in milliseconds, after which typed rules are sent. The delay saves requests while the user
 * types.
 */
const pauseMs = 250

export type RuleCheckInput = {
  readonly rules: readonly AccessRule[]
  /** The path to try, as it was typed. */
  readonly path: string
  /** The folder of the user whose files the path names. Without it, the folder of the administrator. */
  readonly scope: string | null
  /** True for rules for all users, which are tried in the folder of each user. */
  readonly everybody?: boolean
}

/** An answer of the server, and the input to which it belongs. The form may have changed since then. */
export type RuleCheckAnswer = { readonly input: RuleCheckInput; readonly check: RuleCheck }

/**
 * Lets the server try rules that are being edited, with the engine that enforces stored rules. Returns null until the
 * first answer, and where the server cannot be asked. Without input, no request is sent.
 */
export function useRuleCheck(input: RuleCheckInput | null): RuleCheckAnswer | null {
  const settled = useSettled(input, { key: JSON.stringify(input), ms: pauseMs })
  const { data } = useQuery({
    queryKey: ['rule check', settled],
    queryFn:
      settled === null
        ? skipToken
        : async ({ signal }): Promise<RuleCheckAnswer> => ({
            input: settled,
            check: await callJson('rules.check', { body: settled, signal }),
          }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return input === null ? null : (data ?? null)
}
