import { posix } from 'node:path'
import type { AccessRule } from '../../shared/domain/access.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Path } from '../../shared/domain/path.ts'
import { regexSize } from './regex-size.ts'

/** Returns true for a path that the rules allow. */
export type PathFilter = (path: Path) => boolean

/** The rule that decides about a path: its position in the list of rules, and whether it allows the path. */
export type DecidingRule = { readonly index: number; readonly allow: boolean }

/** A compiled rule. `key` is the path in the normal form that all rules are compared in (NFC). */
type CompiledRule = DecidingRule & { readonly matches: (key: string, path: string) => boolean }

export type RuleOptions = {
  /**
   * True when the file system ignores the case of names. Path rules then ignore case too, but regular expressions do
   * not.
   */
  readonly foldsCase?: boolean
  readonly onBroken?: (raw: string) => void
}

/**
 * Compiles rules in order, global rules first: the last rule that matches wins, and a path without a matching rule is
 * allowed (contract 1.7). A rule with a regular expression that does not compile has no effect and is reported to
 * `onBroken` at each compilation. A database that was taken over from File Browser may contain such a rule.
 */
export async function compileRules(
  rules: readonly AccessRule[],
  options: RuleOptions = {},
): Promise<PathFilter> {
  const backwards = await compileBackwards(rules, options)
  if (backwards.every((rule) => rule.allow)) return () => true
  return (path) => decidingRuleOf(backwards, path)?.allow ?? true
}

/**
 * Compiles rules as `compileRules` does. The returned function names the rule that decides about a path, or returns null
 * when no rule matches the path.
 */
export async function compileRuleFinder(
  rules: readonly AccessRule[],
  options: RuleOptions = {},
): Promise<(path: Path) => DecidingRule | null> {
  const backwards = await compileBackwards(rules, options)
  return (path) => decidingRuleOf(backwards, path)
}

/** Compiles rules, and returns the last one first. */
async function compileBackwards(
  rules: readonly AccessRule[],
  { foldsCase = false, onBroken = () => {} }: RuleOptions,
): Promise<readonly CompiledRule[]> {
  const compiled: CompiledRule[] = []
  for (const [index, rule] of rules.entries()) {
    if (rule.regex && compiled.length > 0) await yieldToEventLoop()
    const matches = rule.regex ? await regexOf(rule.regexp?.raw, onBroken) : prefixOf(rule.path, foldsCase)
    if (matches !== null) compiled.push({ index, matches, allow: rule.allow })
  }
  return compiled.reverse()
}

function decidingRuleOf(backwards: readonly CompiledRule[], path: Path): CompiledRule | null {
  const key = keyOf(path)
  return backwards.find((rule) => rule.matches(key, path)) ?? null
}

/** Lets the event loop run between two expressions, because compiling a thousand expressions takes seconds. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns true when the text is a valid regular expression in the linear-time syntax (RE2). */
export const isRegex = async (raw: string): Promise<boolean> => (await regexOf(raw, () => {})) !== null

/** The reason why a regular expression cannot be stored: RE2 does not accept it, or its written-out form is too large. */
export type RegexFault = 'invalid' | 'too-large'

/**
 * Returns the reason why a regular expression cannot be stored, or null when it can. Its size is limited, with counted
 * repetitions written out: a few characters could otherwise block the server and use up its memory.
 */
export async function faultOfRegex(raw: string): Promise<RegexFault | null> {
  if (regexSize(raw) > limits.ruleSteps) return 'too-large'
  return (await isRegex(raw)) ? null : 'invalid'
}

/**
 * Returns the reason why the regular expressions of a list of rules cannot be stored, or null when they can. The size of
 * each expression and their total size are limited, and each expression must compile.
 */
export async function faultOfRegexes(raws: readonly string[]): Promise<string | null> {
  const sizes = raws.map(regexSize)
  if (sizes.some((steps) => steps > limits.ruleSteps)) return 'a regular expression repeats too much'
  if (sizes.reduce((sum, steps) => sum + steps, 0) > limits.rulesSteps)
    return 'the regular expressions repeat too much'
  for (const raw of raws) {
    if ((await faultOfRegex(raw)) !== null) return 'a rule is not a valid regular expression'
    await yieldToEventLoop()
  }
  return null
}

/** Returns the path in NFC, so that a rule applies to both Unicode spellings of an accented letter. */
const keyOf = (path: string): string => (/^[\0-\x7f]*$/.test(path) ? path : path.normalize('NFC'))

/**
 * Compiles a path rule. A rule for `/a` matches `/a` and all paths below it, but not `/ab`. A rule for `/a/` matches
 * only the paths below `/a`.
 */
function prefixOf(written: string, foldsCase: boolean): CompiledRule['matches'] {
  const folded = (key: string): string => (foldsCase ? keyOf(key.toUpperCase().toLowerCase()) : key)
  const path = folded(keyOf(posix.normalize(`/${written}`).replace(/^\/+/, '/')))
  if (path === '/') return () => true
  if (path.endsWith('/')) return (key) => folded(key).startsWith(path)
  const below = `${path}/`
  return (key) => folded(key) === path || folded(key).startsWith(below)
}

/**
 * Compiles a regular expression rule. The expression may match any part of the path; the paths of parent folders are
 * not matched separately. A dot also matches line breaks, which names may contain. Both Unicode spellings of an
 * accented letter match, in the rule and in the path. Returns null for a missing or invalid expression.
 */
async function regexOf(
  raw: string | undefined,
  onBroken: (raw: string) => void,
): Promise<CompiledRule['matches'] | null> {
  if (raw === undefined) return null
  // The library is loaded on first use: it is large, and most servers have no rule with a regular expression.
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
