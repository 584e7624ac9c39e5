import { expect, test } from 'vitest'
import { brandingFieldNames, brandingForm } from '../../../../shared/contract/fields/branding-fields.ts'
import {
  changeableSettingNames,
  settingForms,
  tusFieldNames,
  tusForm,
} from '../../../../shared/contract/setting-fields.ts'
import {
  accountFields,
  defaultFieldNames,
  userFieldNames,
  userForms,
} from '../../../../shared/contract/fields/user-fields.ts'

const { none: fieldsWithoutForm, ...formsOfUsers } = userForms

test('every setting that administrators can change is on one card, or is listed as a setting without a card', () => {
  expect(Object.values(settingForms).flat().toSorted()).toEqual(changeableSettingNames.toSorted())
})

test('every field of the branding and of the uploads is in its form', () => {
  expect(brandingForm.toSorted()).toEqual(brandingFieldNames.toSorted())
  expect(tusForm.toSorted()).toEqual(tusFieldNames.toSorted())
})

test('every field of a user is in a form, or is listed as a field without a form', () => {
  const shown = new Set<string>(Object.values(formsOfUsers).flat())
  const listed = [...shown, ...fieldsWithoutForm]
  expect(listed.toSorted()).toEqual([...Object.keys(accountFields), ...userFieldNames].toSorted())
})

test('administrators see every field that new users get, except the fields without a form', () => {
  const listed = [...userForms.defaults, ...fieldsWithoutForm]
  expect(listed.toSorted()).toEqual(defaultFieldNames.toSorted())
})
