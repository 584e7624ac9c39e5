import type { AccessRule } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { faultOfRegexes } from '../../access/rules.ts'
import { valueOf } from '../../config/arguments.ts'
import { toggle } from '../../config/option-kinds.ts'
import { option } from '../../config/option.ts'
import type { CliVerb } from '../verb/verb.ts'
import { meaninglessIndex, withoutIndexes } from './positions.ts'
import { changeRules, ownerOptions, ruleListOf, rulesText } from './rule-list.ts'

const allow = option({
  name: 'allow',
  short: 'a',
  kind: toggle,
  default: false,
  meaning: 'The rule allows; without it, it forbids.',
})
const regex = option({
  name: 'regex',
  short: 'r',
  kind: toggle,
  default: false,
  meaning: 'EXPR is a regular expression; without it, a path.',
})

export const rulesAdd: CliVerb = {
  name: 'rules add',
  parameters: ['EXPR'],
  meaning: 'Adds a rule after the others; the last rule that matches a path applies.',
  options: [...ownerOptions, allow, regex],
  worksOn: 'database',
  async run(call) {
    const rule = await ruleOf(call.words[0] ?? '', call.flags)
    call.print(rulesText(await changeRules(call, (rules) => [...rules, rule])))
  },
}

export const rulesList: CliVerb = {
  name: 'rules ls',
  parameters: [],
  meaning: 'Shows the rules.',
  options: ownerOptions,
  worksOn: 'database',
  run: async (call) => call.print(rulesText(await ruleListOf(call))),
}

export const rulesRemove: CliVerb = {
  name: 'rules rm',
  parameters: ['INDEX', '[END]'],
  meaning: 'Removes a rule, or all from INDEX to END.',
  options: [...ownerOptions, meaninglessIndex],
  worksOn: 'database',
  async run(call) {
    const without = (rules: readonly AccessRule[]) =>
      withoutIndexes(rules, { words: call.words, thing: 'rule' })
    call.print(rulesText(await changeRules(call, without)))
  },
}

/**
 * Creates a rule. A missing leading slash is added to a path (contract 10.1). Throws `bad-request` for an expression
 * that cannot be stored.
 */
async function ruleOf(expression: string, flags: ReadonlyMap<string, string>): Promise<AccessRule> {
  const allows = valueOf(allow, flags.get('allow') ?? 'false', '--allow')
  if (!valueOf(regex, flags.get('regex') ?? 'false', '--regex'))
    return {
      regex: false,
      allow: allows,
      path: expression.startsWith('/') ? expression : `/${expression}`,
      regexp: null,
    }
  const fault = await faultOfRegexes([expression])
  if (fault !== null) throw new AppError('bad-request', { reason: fault })
  return { regex: true, allow: allows, path: '', regexp: { raw: expression } }
}
