import { posix } from 'node:path'
import type { AccessRule } from '../../../shared/domain/access.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { nameOf, parentOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { isRegex } from '../../access/rules.ts'
import type { TakeoverMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'
import { rulesOfRecord } from '../../exchange/user-record.ts'
import type { OriginalTraits } from '../original/read-original.ts'
import type { ServedFolder } from './served-folder.ts'
import { withSiblingRules } from './sibling-rules.ts'

/** A list of rules after the takeover. Together they allow nothing that they did not allow before. */
export type RulesPlan = {
  readonly rules: readonly AccessRule[]
  readonly changed: readonly TakeoverMessage[]
  readonly left: readonly TakeoverMessage[]
  /** True when an expression cannot be read. File Browser then failed every request, so the rules deny everything. */
  readonly deniesAll: boolean
}

export type RulesPlanOptions = {
  readonly traits: Pick<OriginalTraits, 'comparesWholeNames'>
  readonly folder: Pick<ServedFolder, 'namesIn'>
  /** The scopes in which the rules are applied. */
  readonly scopes: readonly Path[]
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
      rule.regex ? planRegexRule(rule) : planPathRule(rule, written[at]?.text('path') ?? '', options),
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
    changed: [...planned.flatMap(({ changed }) => changed ?? []), ...excessNotes(rules)],
    left: planned.flatMap(({ left }) => left ?? []),
    deniesAll,
  }
}

/** All rules are applied, but a list that is too long cannot be stored again with a change. */
const excessNotes = (rules: readonly AccessRule[]): readonly TakeoverMessage[] =>
  rules.length <= limits.rules
    ? []
    : [{ code: 'rules-too-many', values: { count: rules.length, limit: limits.rules } }]

type RulePlan = {
  /** Null for a rule that is left out. */
  readonly rule: AccessRule | null
  readonly deniesSiblings: boolean
  readonly changed?: TakeoverMessage
  readonly left?: TakeoverMessage
  readonly isUnreadable?: true
}

async function planRegexRule(rule: AccessRule): Promise<RulePlan> {
  if (rule.regexp !== null && (await isRegex(rule.regexp.raw))) return { rule, deniesSiblings: false }
  const left: TakeoverMessage =
    rule.regexp === null
      ? { code: 'rule-empty', values: {} }
      : { code: 'rule-unreadable', values: { expression: rule.regexp.raw } }
  return { rule: null, deniesSiblings: false, left, isUnreadable: true }
}

function planPathRule(rule: AccessRule, written: string, options: RulesPlanOptions): RulePlan {
  const isLiteral = written === '' || (written.startsWith('/') && posix.normalize(written) === written)
  if (!isLiteral && rule.allow)
    return {
      rule: null,
      deniesSiblings: false,
      left: { code: 'rule-matched-nothing', values: { path: written } },
    }
  if (!isLiteral)
    return {
      rule,
      deniesSiblings: false,
      changed: { code: 'rule-denies-now', values: { written, path: rule.path } },
    }
  const { path } = rule
  if (options.traits.comparesWholeNames || path.endsWith('/')) return { rule, deniesSiblings: false }
  const names = siblingsOf(path, options).slice(0, 5)
  if (rule.allow)
    return {
      rule,
      deniesSiblings: false,
      ...(names.length > 0 && { changed: { code: 'rule-allowed-longer', values: { path, names } } }),
    }
  return {
    rule,
    deniesSiblings: true,
    changed:
      names.length > 0
        ? { code: 'rule-denies-found', values: { path, names } }
        : { code: 'rule-denies-longer', values: { path } },
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
