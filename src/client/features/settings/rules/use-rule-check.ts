import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { callJson } from '../../../api/call.ts'

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
  const settled = useSettled(input === null ? '' : JSON.stringify(input))
  const { data } = useQuery({
    queryKey: ['rule check', settled],
    queryFn: async ({ signal }): Promise<RuleCheckAnswer> => {
      const sent = JSON.parse(settled) as RuleCheckInput
      return { input: sent, check: await callJson('rules.check', { body: sent, signal }) }
    },
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return input === null ? null : (data ?? null)
}

/** Returns a text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
