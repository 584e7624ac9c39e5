import type { AccessRule } from '../../../shared/domain/access.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { byteLength } from '../../../shared/domain/name-bytes.ts'
import { regexSize } from '../../access/regex-size.ts'

/** A rule after the takeover. */
export type PlannedRule = {
  readonly rule: AccessRule
  /** True for a rule that denied every path that begins with its text. */
  readonly deniesSiblings: boolean
}

/**
 * Adds the rules that deny the siblings of denied paths: `/docs2` for a rule that denies `/docs`. The order of rules
 * only matters between rules that allow and rules that deny. The siblings of consecutive denying rules are therefore
 * denied by a few expressions after these rules, which are matched faster than one expression for each path.
 */
export function withSiblingRules(planned: readonly PlannedRule[]): readonly AccessRule[] {
  const rules: AccessRule[] = []
  let paths: string[] = []
  const endRun = (): void => {
    rules.push(...siblingRules(paths))
    paths = []
  }
  for (const { rule, deniesSiblings } of planned) {
    if (rule.allow) endRun()
    rules.push(rule)
    if (deniesSiblings) paths.push(rule.path)
  }
  endRun()
  return rules
}

/** Returns rules that deny every path that begins with one of the paths and goes on with another character than `/`. */
const siblingRules = (paths: readonly string[]): readonly AccessRule[] =>
  expressionsOf([...new Set(paths)].toSorted().map(tokensOf)).map((raw) => ({
    regex: true,
    allow: false,
    path: '',
    regexp: { raw },
  }))

/** A path in parts that an expression can separate. */
type Tokens = readonly string[]

/**
 * Splits a path at each character. An accent stays with the letter before it, because expressions are also matched in the
 * other Unicode spelling of the letter.
 */
const tokensOf = (path: string): Tokens => path.match(/[\0-\x7f]?[^\0-\x7f]+|[\0-\x7f]/g) ?? []

/**
 * The maximum number of paths in one expression. Each path can add a nested group, and expressions that are nested more than
 * 1000 times cannot be read.
 */
const maxPaths = 256

/** Returns the fewest expressions that halving the sorted paths finds and that are short enough to be stored. */
function expressionsOf(paths: readonly Tokens[]): readonly string[] {
  if (paths.length === 0) return []
  const expression = paths.length > maxPaths ? null : `^${alternativesOf(paths)}[^/]`
  if (expression !== null && (paths.length === 1 || isStorable(expression))) return [expression]
  const middle = Math.ceil(paths.length / 2)
  return [...expressionsOf(paths.slice(0, middle)), ...expressionsOf(paths.slice(middle))]
}

/**
 * Returns an expression that matches each of the paths. What they begin with is written once, so that a path which begins in
 * another way is compared once and not with each path of the list.
 */
function alternativesOf(paths: readonly Tokens[]): string {
  const [first = []] = paths
  const end = first.findIndex((token, at) => paths.some((path) => path[at] !== token))
  const shared = end === -1 ? first.length : end
  const head = first
    .slice(0, shared)
    .join('')
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const rests = Map.groupBy(
    paths.map((path) => path.slice(shared)).filter((rest) => rest.length > 0),
    ([token]) => token,
  )
  if (rests.size === 0) return head
  const endsHere = paths.some((path) => path.length === shared)
  return `${head}(?:${[...rests.values()].map(alternativesOf).join('|')})${endsHere ? '?' : ''}`
}

const isStorable = (expression: string): boolean =>
  byteLength(expression) <= limits.ruleBytes && regexSize(expression) <= limits.ruleSteps
