import { t } from '../../../i18n/translate.ts'
import { isSame } from '../../../state/drafts/merge-changes.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { dangersOfRules } from '../rules/dangers-of-rules.ts'
import { isWholeServer } from '../whole-server.ts'
import type { ServerSettings } from './settings-query.ts'

/** Returns the dangers of changed settings, of which the administrator is asked before they are saved. */
export function dangersOfSettings(
  before: ServerSettings,
  after: ServerSettings,
): Promise<readonly string[]> | readonly string[] {
  const dangers = [
    ...(after.auditDays === 0 && before.auditDays !== 0 ? [t('settings.danger.audit')] : []),
    ...dangersOfSignup(before, after),
  ]
  if (isSame(before.rules, after.rules)) return dangers
  return dangersOfRules(after.rules).then((ofRules) => [...dangers, ...ofRules])
}

/**
 * Returns the danger of a signup that gives strangers a folder with the files of others, or that is allowed while the scope of new
 * users is the whole server. The server gives people who sign up a folder of their own then.
 */
function dangersOfSignup(before: ServerSettings, after: ServerSettings): readonly string[] {
  const isUnchanged =
    before.signup &&
    before.createUserDir === after.createUserDir &&
    before.defaults.scope === after.defaults.scope
  if (!after.signup || after.createUserDir || isUnchanged) return []
  const { scope } = after.defaults
  return [
    isWholeServer(scope)
      ? t('settings.danger.signupWhole', { folder: visibleName(after.userHomeBasePath) })
      : t('settings.danger.signupShared', { folder: visibleName(scope) }),
  ]
}
