import type { AccessRule } from '../../../../shared/domain/access.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { userOf } from '../../../state/session.ts'

/**
 * Returns what is dangerous about rules for all users: that they deny the whole folder to everybody, or to the administrator who
 * saves them. The server decides, with the rules of each user after these.
 */
export async function dangersOfRules(rules: readonly AccessRule[]): Promise<readonly string[]> {
  if (rules.every(({ allow }) => allow)) return []
  const body = { rules: [...rules], path: '/', everybody: true }
  const { people, otherPeople } = await callJson('rules.check', { body })
  if (otherPeople === 0 && people.every(({ isAllowed }) => !isAllowed)) return [t('settings.danger.denyAll')]
  const self = people.find(({ id }) => id === userOf()?.id)
  return self?.isAllowed === false ? [t('settings.danger.denySelf')] : []
}

/** Returns what is dangerous about all rules of the administrator who saves them: that they deny the whole folder. */
export async function dangersOfOwnRules(rules: readonly AccessRule[]): Promise<readonly string[]> {
  if (rules.every(({ allow }) => allow)) return []
  const { isAllowed } = await callJson('rules.check', { body: { rules: [...rules], path: '/' } })
  return isAllowed ? [] : [t('settings.danger.denySelf')]
}
