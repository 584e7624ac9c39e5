import { posix } from 'node:path'
import type { Rule } from '../../shared/domain/access.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Path } from '../../shared/domain/path.ts'
import { regexSize } from './regex-size.ts'

/** True for a path that the rules allow. */
export type Permits = (path: Path) => boolean

/** A compiled rule. `key` is the path in the normal form that all rules are compared in (NFC). */
type CompiledRule = { readonly matches: (key: string, path: string) => boolean; readonly allow: boolean }

export type RuleOptions = {
  /**
   * True when the disk treats names that differ only in case as one name; path rules then ignore case too. Regular
   * expressions keep the case that they are written in.
   */
  readonly foldsCase?: boolean
  readonly onBroken?: (raw: string) => void
}

/**
 * Compiles rules in order, global rules first: the last rule that matches wins, and a path without a matching rule is
 * allowed (contract 1.7). A regular expression that does not compile denies nothing and is reported to `onBroken` at
 * each compilation; a database taken over from the original may hold one.
 */
export async function compileRules(
  rules: readonly Rule[],
  { foldsCase = false, onBroken = () => {} }: RuleOptions = {},
): Promise<Permits> {
  const judges: CompiledRule[] = []
  for (const rule of rules) {
    if (rule.regex && judges.length > 0) await yieldToEventLoop()
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

/** Lets the event loop run between two expressions: a thousand of them take seconds to compile. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** True when the text compiles as a regular expression of the linear-time syntax (RE2). */
export const isRegex = async (raw: string): Promise<boolean> => (await regexOf(raw, () => {})) !== null

/**
 * Returns why the regular expressions of a list of rules cannot be stored, or null when they can. Each must compile.
 * Written out without counted repetitions, neither one expression nor all together may be too long: a few characters
 * could otherwise block the server for everybody and use up its memory.
 */
export async function faultOfRegexes(raws: readonly string[]): Promise<string | null> {
  const sizes = raws.map(regexSize)
  if (sizes.some((steps) => steps > limits.ruleSteps)) return 'a regular expression repeats too much'
  if (sizes.reduce((sum, steps) => sum + steps, 0) > limits.rulesSteps)
    return 'the regular expressions repeat too much'
  for (const raw of raws) {
    if (!(await isRegex(raw))) return 'a rule is not a valid regular expression'
    await yieldToEventLoop()
  }
  return null
}

/**
 * Returns the path in NFC. Rules treat both Unicode spellings of an accented letter as one name, so that neither evades
 * them.
 */
const keyOf = (path: string): string => (/^[\0-\x7f]*$/.test(path) ? path : path.normalize('NFC'))

/**
 * Compiles a path rule. It covers the path itself and everything below, on a segment boundary; a rule written with a
 * trailing slash covers only what lies below.
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
 * Compiles a regular expression rule. The expression is searched for anywhere in the path, but not in the path's
 * ancestors separately; a dot matches line breaks too, which a name may contain. An accented letter matches in both
 * Unicode spellings, in the rule and in the path. Returns null for no expression or a broken one.
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
