import { expect, test } from 'vitest'
import { changeableSettingNames } from '../../../../shared/contract/setting-fields.ts'
import { userFieldNames } from '../../../../shared/contract/fields/user-fields.ts'
import { fieldLabel } from './field-labels.ts'

test.each(['username', 'password', 'isDisabled', ...userFieldNames])(
  'the field %s of a user has a text',
  (name) => expect(fieldLabel('user-change', name)).toMatch(/^settings\./),
)

test.each(changeableSettingNames)('the setting %s has a text', (name) =>
  expect(fieldLabel('settings-change', name)).toMatch(/^settings\./),
)

test('a field that this version does not know keeps its name', () => {
  expect(fieldLabel('user-change', 'later')).toBe('later')
})
