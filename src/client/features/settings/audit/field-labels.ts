import type { AuditAction } from '../../../../shared/domain/audit-actions.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'

/** The texts of the fields of users. The forms have the same texts. */
const userLabels: Readonly<Record<string, PlainMessageId>> = {
  username: 'settings.users.username',
  password: 'settings.users.password',
  scope: 'settings.scope',
  locale: 'settings.language',
  lockPassword: 'settings.users.lockPassword',
  isDisabled: 'settings.users.disable',
  perm: 'settings.permissions',
  commands: 'settings.userCommands',
  rules: 'settings.rules',
  quotaBytes: 'settings.audit.field.quotaBytes',
  viewMode: 'settings.viewMode',
  sorting: 'settings.audit.field.sorting',
  singleClick: 'settings.singleClick',
  hideDotfiles: 'settings.hideDotfiles',
  dateFormat: 'settings.dateFormat',
  redirectAfterCopyMove: 'settings.redirectAfterCopyMove',
  aceEditorTheme: 'settings.audit.field.aceEditorTheme',
}

/** The texts of the settings of the server. */
const settingLabels: Readonly<Record<string, PlainMessageId>> = {
  signup: 'settings.signup',
  hideLoginButton: 'settings.hideLoginButton',
  createUserDir: 'settings.createUserDir',
  userHomeBasePath: 'settings.userHomeBasePath',
  minimumPasswordLength: 'settings.minimumPasswordLength',
  defaults: 'settings.defaults',
  rules: 'settings.rules',
  branding: 'settings.branding',
  shell: 'settings.shell',
  commands: 'settings.runner',
  tus: 'settings.uploads',
  trash: 'settings.audit.field.trash',
  auditDays: 'settings.auditDays',
}

/** Returns the name of a changed field on screen. A field that only a later version knows keeps the name that the API has. */
export function fieldLabel(action: AuditAction, field: string): string {
  const id = (action === 'settings-change' ? settingLabels : userLabels)[field]
  return id === undefined ? field : t(id)
}
