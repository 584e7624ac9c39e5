import { permissions, type Permission, type Permissions } from '../../../../shared/domain/access.ts'
import { config } from '../../../api/config.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'

/** The short words for permissions, which the explanation of access uses too. */
const shortWords = {
  create: 'settings.why.operation.create',
  rename: 'settings.why.operation.move',
  modify: 'settings.why.operation.save',
  delete: 'settings.why.operation.delete',
  share: 'settings.why.operation.share',
  download: 'settings.why.operation.download',
  execute: 'settings.why.operation.execute',
} as const satisfies Readonly<Record<Exclude<Permission, 'admin'>, PlainMessageId>>

/** Returns the rights of a user in a few words: those that the user has, or those that are missing when they are fewer. */
export function rightsText(perm: Permissions): string {
  const names = permissions.filter((name) => name !== 'admin' && (name !== 'execute' || config().EnableExec))
  const missing = names.filter((name) => !perm.admin && !perm[name])
  const granted = names.filter((name) => !missing.includes(name))
  if (missing.length === 0) return t('settings.users.rights.all')
  if (granted.length === 0) return t('settings.users.rights.none')
  return missing.length < granted.length
    ? t('settings.users.rights.except', { names: words(missing) })
    : words(granted)
}

const words = (names: readonly Permission[]): string =>
  listText(names.map((name) => name !== 'admin' && t(shortWords[name])))
