import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { userFields, userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { savePreferences, showPreferences } from '../../../operations/save-preferences.ts'
import { userOf } from '../../../state/session.ts'
import { PreferencesCard } from './preferences-card.tsx'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const storedUser = async () => callJson('users.get', { id: userOf()?.id ?? 0 })

beforeEach(async () => {
  const { end } = await showSettings(null)
  end()
  const initial = { hideDotfiles: false, singleClick: false, dateFormat: false, redirectAfterCopyMove: false }
  await savePreferences(initial)
  showPreferences(initial)
})

test('each preference of the table has a field with its label, in the order of the form', async () => {
  await showSettings(<PreferencesCard />)
  const labels = userForms.preferences.map((name) => t(userFields[name].texts.label))
  for (const label of labels) await expect.element(field(label)).toBeVisible()
  const texts = page.getByRole('region', { name: 'Preferences' }).element().textContent
  const positions = labels.map((label) => texts.indexOf(label))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

test('saved preferences act at once, and the draft has no unsaved changes afterwards', async () => {
  await showSettings(<PreferencesCard />)
  await field('Hide dotfiles').click()
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Update' }).click()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  expect(userOf()?.hideDotfiles).toBe(true)
  expect((await storedUser()).hideDotfiles).toBe(true)
})

test('a preference that is changed elsewhere is shown, and the unsaved ones stay', async () => {
  await showSettings(<PreferencesCard />)
  await field('Hide dotfiles').click()
  showPreferences({ dateFormat: true })
  await expect.element(field('Set exact date format')).toBeChecked()
  await expect.element(field('Hide dotfiles')).toBeChecked()
  expect((await storedUser()).hideDotfiles).toBe(false)
})

test('a preference that is changed back while its save is under way stays changed back', async () => {
  await showSettings(<PreferencesCard />)
  await field('Hide dotfiles').click()
  await expect.element(field('Hide dotfiles')).toBeChecked()
  const box = field('Hide dotfiles').element() as HTMLInputElement
  const button = page.getByRole('button', { name: 'Update' }).element() as HTMLButtonElement
  button.click()
  // The request is under way, because no response can arrive before this test waits.
  box.click()
  await expect.poll(() => userOf()?.hideDotfiles).toBe(true)
  await expect.element(field('Hide dotfiles')).not.toBeChecked()
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
})
