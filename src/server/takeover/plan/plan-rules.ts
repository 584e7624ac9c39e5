import { posix } from 'node:path'
import type { AccessRule } from '../../../shared/domain/access.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { nameOf, parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { isRegex } from '../../access/rules.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'
import { rulesOfRecord } from '../../exchange/user-record.ts'
import type { OriginalTraits } from '../original/read-original.ts'
import type { ServedFolder } from './served-folder.ts'
import { withSiblingRules } from './sibling-rules.ts'

/** A list of rules after the takeover. Together they allow nothing that they did not allow before. */
export type RulesPlan = {
  readonly rules: readonly AccessRule[]
  readonly changed: readonly string[]
  readonly left: readonly string[]
  /** True when an expression cannot be read. File Browser then failed every request, so the rules deny everything. */
  readonly deniesAll: boolean
}

export type RulesPlanOptions = {
  readonly traits: Pick<OriginalTraits, 'comparesWholeNames'>
  readonly folder: Pick<ServedFolder, 'namesIn'>
  /** The scopes in which the rules are applied. */
  readonly scopes: readonly Path[]
  /** The words that follow a rule in the sentences of the report, such as ` for everybody`. Empty for rules of a user. */
  readonly owner: string
}

/** A rule that denies every path. */
export const denyAll: AccessRule = { regex: false, allow: false, path: '/', regexp: null }

/**
 * Plans the rules of a user or of everybody. Path rules of old versions compared text: a rule for `/docs` matched `/docs2`
 * as well. A second rule keeps such entries hidden, also those that are made later (contract 15.4, 4).
 */
export async function planRules(record: RecordReader, options: RulesPlanOptions): Promise<RulesPlan> {
  const written = record.list('rules')
  const planned = await Promise.all(
    rulesOfRecord(record).map(async (rule, at) =>
      rule.regex
        ? planRegexRule(rule, options)
        : planPathRule(rule, written[at]?.text('path') ?? '', options),
    ),
  )
  const deniesAll = planned.some((rule) => rule.isUnreadable === true)
  const rules = [
    ...withSiblingRules(
      planned.flatMap((plan) => (plan.rule === null ? [] : [{ ...plan, rule: plan.rule }])),
    ),
    ...(deniesAll ? [denyAll] : []),
  ]
  return {
    rules,
    changed: [...planned.flatMap(({ changed }) => changed ?? []), ...excessLines(rules, options)],
    left: planned.flatMap(({ left }) => left ?? []),
    deniesAll,
  }
}

/** All rules are applied, but a list that is too long cannot be stored again with a change. */
const excessLines = (rules: readonly AccessRule[], { owner }: RulesPlanOptions): readonly string[] =>
  rules.length <= limits.rules
    ? []
    : [
        `There are ${rules.length} rules${owner}, more than ${limits.rules}. All of them apply, but the settings can only be changed together with a shorter list.`,
      ]

type RulePlan = {
  /** Null for a rule that is left out. */
  readonly rule: AccessRule | null
  readonly deniesSiblings: boolean
  readonly changed?: string
  readonly left?: string
  readonly isUnreadable?: true
}

async function planRegexRule(rule: AccessRule, { owner }: RulesPlanOptions): Promise<RulePlan> {
  if (rule.regexp !== null && (await isRegex(rule.regexp.raw))) return { rule, deniesSiblings: false }
  const expression = rule.regexp === null ? 'without an expression' : `with the expression ${rule.regexp.raw}`
  const left = `The rule${owner} ${expression} cannot be read, so everything is denied instead.`
  return { rule: null, deniesSiblings: false, left, isUnreadable: true }
}

function planPathRule(rule: AccessRule, written: string, options: RulesPlanOptions): RulePlan {
  const isLiteral = written === '' || (written.startsWith('/') && posix.normalize(written) === written)
  if (!isLiteral && rule.allow)
    return {
      rule: null,
      deniesSiblings: false,
      left: `The rule${options.owner} that allows ${written} matched nothing, so it is left out.`,
    }
  if (!isLiteral)
    return {
      rule,
      deniesSiblings: false,
      changed: `The rule${options.owner} that denies ${written} matched nothing. It denies ${rule.path} now.`,
    }
  const { path } = rule
  if (options.traits.comparesWholeNames || path.endsWith('/')) return { rule, deniesSiblings: false }
  const siblings = siblingsOf(path, options)
  const list = siblings.length === 0 ? '' : `, such as ${siblings.slice(0, 5).join(', ')}`
  if (rule.allow)
    return {
      rule,
      deniesSiblings: false,
      ...(siblings.length > 0 && {
        changed: `The rule${options.owner} that allows ${path} also matched longer names${list}. It no longer does.`,
      }),
    }
  return {
    rule,
    deniesSiblings: true,
    changed: `The rule${options.owner} that denies ${path} also matched longer names${list}. A second rule still denies them.`,
  }
}

/** Returns the paths of existing entries whose names begin with the last name of a rule's path and go on. */
function siblingsOf(rulePath: string, { folder, scopes }: RulesPlanOptions): readonly string[] {
  const path = pathOf(rulePath)
  if (path === null) return []
  const name = nameOf(path)
  const names = scopes.flatMap((scope) => folder.namesIn(scope, parentOf(path)))
  const others = names.filter((other) => other.startsWith(name) && other !== name)
  return [...new Set(others)].map((other) => posix.join(parentOf(path), other))
}
