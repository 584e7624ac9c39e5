import type { FieldTexts } from '../../../../shared/contract/fields/fields.ts'
import { changeableSettingNames, settingFields } from '../../../../shared/contract/setting-fields.ts'
import { pickMembers } from '../../../../shared/contract/fields/fields.ts'
import { accountFields, userFields } from '../../../../shared/contract/fields/user-fields.ts'
import type { AuditAction } from '../../../../shared/domain/audit-actions.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'

type NamedField = { readonly texts: { readonly [Text in keyof FieldTexts]: PlainMessageId } }

const fieldsOfUsers: ReadonlyMap<string, NamedField> = new Map(
  Object.entries<NamedField>({ ...accountFields, ...userFields }),
)
const fieldsOfSettings: ReadonlyMap<string, NamedField> = new Map(
  Object.entries<NamedField>(pickMembers(settingFields, changeableSettingNames)),
)

/** Returns the name of a changed field on screen. A field that only a later version knows keeps the name that the API has. */
export function fieldLabel(action: AuditAction, field: string): string {
  const fields = action === 'settings-change' ? fieldsOfSettings : fieldsOfUsers
  const texts = fields.get(field)?.texts
  return texts === undefined ? field : t(texts.logged ?? texts.heading ?? texts.label)
}
