import type { RuleCheck } from '../../../../shared/contract/users.ts'
import { useRuleCheck } from './use-rule-check.ts'

export type KnownPaths = {
  /** The answer of the server about the typed path, or null. */
  readonly check: RuleCheck | null
  /** The paths of the entries in the folder that was typed so far. */
  readonly paths: readonly { readonly path: string; readonly isFolder: boolean }[]
}

/**
 * Returns the paths that complete a typed one: those of the entries in its folder, below the folder of a user. No request is sent
 * for the path null.
 */
export function useKnownPaths(path: string | null, scope: string | null): KnownPaths {
  const answer = useRuleCheck(path === null ? null : { rules: [], path, scope })
  const check = answer?.check ?? null
  // The answer may be about an earlier text, whose folder the names are in.
  const asked = answer?.input.path ?? ''
  const folder = check?.isFolder === true && !asked.endsWith('/') ? `${asked}/` : asked.replace(/[^/]*$/, '')
  const entries = check?.entries ?? []
  return {
    check,
    paths: entries.map(({ name, isFolder }) => ({ path: `${folder || '/'}${name}`, isFolder })),
  }
}
