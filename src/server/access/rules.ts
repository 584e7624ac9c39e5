import { posix } from 'node:path'
import type { Rule } from '../../shared/domain/access.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Path } from '../../shared/domain/path.ts'
import { regexSize } from './regex-size.ts'

/** Whether a path may be reached. */
export type Permits = (path: Path) => boolean

/** `key` is the path in the one spelling that rules know. */
type Judge = { readonly matches: (key: string, path: string) => boolean; readonly allow: boolean }

export type RuleWish = {
  /** Whether the disk takes names that differ in case alone for one: then path rules do, too. Expressions say themselves what they mean. */
  readonly foldsCase?: boolean
  readonly onBroken?: (raw: string) => void
}

/**
 * Compiles rules in order, global ones first: the last match wins, the default is allowed (contract 1.7). A regular expression that
 * does not compile denies nothing and is reported once per compilation; a taken-over database may hold one.
 */
export async function compileRules(
  rules: readonly Rule[],
  { foldsCase = false, onBroken = () => {} }: RuleWish = {},
): Promise<Permits> {
  const judges: Judge[] = []
  for (const rule of rules) {
    if (rule.regex && judges.length > 0) await turnOfOthers()
    const matches = rule.regex ? await regexOf(rule.regexp?.raw, onBroken) : prefixOf(rule.path, foldsCase)
    if (matches !== null) judges.push({ matches, allow: rule.allow })
  }
  if (judges.every((judge) => judge.allow)) return () => true
  const backwards = judges.reverse()
  return (path) => {
    const key = keyOf(path)
    return backwards.find((judge) => judge.matches(key, path))?.allow ?? true
  }
}

/** A thousand expressions take seconds: others have their turn between two of them. */
const turnOfOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Whether it is an expression: it compiles in linear-time syntax. */
export const isRegex = async (raw: string): Promise<boolean> => (await regexOf(raw, () => {})) !== null

/**
 * Why the expressions of a list of rules cannot be stored; null when they can. Each compiles, and none is long when its repetitions are
 * written out, nor all together: a few characters would keep everybody waiting, and take the memory of everybody's files.
 */
export async function faultOfRegexes(raws: readonly string[]): Promise<string | null> {
  const sizes = raws.map(regexSize)
  if (sizes.some((steps) => steps > limits.ruleSteps)) return 'a regular expression repeats too much'
  if (sizes.reduce((sum, steps) => sum + steps, 0) > limits.rulesSteps)
    return 'the regular expressions repeat too much'
  for (const raw of raws) {
    if (!(await isRegex(raw))) return 'a rule is no regular expression'
    await turnOfOthers()
  }
  return null
}

/** Two spellings of one accented letter are one name to a rule, so that neither goes round it. */
const keyOf = (path: string): string => (/^[\0-\x7f]*$/.test(path) ? path : path.normalize('NFC'))

/** A path rule covers the path itself and all below, on a segment boundary; written with a trailing slash only what lies below. */
function prefixOf(written: string, foldsCase: boolean): Judge['matches'] {
  const folded = (key: string): string => (foldsCase ? keyOf(key.toUpperCase().toLowerCase()) : key)
  const path = folded(keyOf(posix.normalize(`/${written}`).replace(/^\/+/, '/')))
  if (path === '/') return () => true
  if (path.endsWith('/')) return (key) => folded(key).startsWith(path)
  const below = `${path}/`
  return (key) => folded(key) === path || folded(key).startsWith(below)
}

/**
 * Searched anywhere in the path itself, not in its ancestors; a dot matches line breaks too, which a name may hold. An accented letter
 * matches however it is spelled, in the rule and in the path.
 */
async function regexOf(
  raw: string | undefined,
  onBroken: (raw: string) => void,
): Promise<Judge['matches'] | null> {
  if (raw === undefined) return null
  // Most servers have no rule with an expression, and the engine is large.
  const { RE2JS } = await import('re2js')
  try {
    const spellings = [...new Set([raw, keyOf(raw)])]
    const expressions = spellings.map((spelling) => RE2JS.compile(spelling, RE2JS.DOTALL))
    return (key, path) =>
      expressions.some((expression) => expression.test(key) || (path !== key && expression.test(path)))
  } catch {
    onBroken(raw)
    return null
  }
}
