import { expect, onTestFinished, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { createPerson } from '../../../../../test/components/person.tsx'
import { recordChanges } from '../../../../../test/components/record-changes.ts'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { userFields, userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { call, callJson } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { userOf } from '../../../state/session.ts'
import { userTable } from './user-draft.ts'
import { UserForm } from './user-form.tsx'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const save = async () => page.getByRole('button', { name: 'Save' }).click()
const userNamed = async (name: string) =>
  (await callJson('users.list')).find(({ username }) => username === name)
const enterPassword = async () =>
  field('Your current password').fill((await commands.serverOfWorker()).administrator.password)

/** Shows the form of Ann. Her fields are those of a new user. */
async function showAnn(): Promise<number> {
  const { end } = await showSettings(null)
  end()
  const { id = 0 } = (await userNamed('ann')) ?? {}
  await changeAnn(id, { locale: 'en', quotaBytes: null, lockPassword: false })
  await showSettings(<UserForm id={id} copiedId={null} />)
  await expect.element(field('Username')).toHaveValue('ann')
  return id
}

/** Changes fields of Ann in another program. */
async function changeAnn(id: number, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const { administrator } = await commands.serverOfWorker()
  await call('users.update', {
    id,
    body: {
      what: 'user',
      which: Object.keys(changes),
      data: { id, ...changes },
      current_password: administrator.password,
    },
  })
}

test('each field of the form of a user is on the page with the label of the table', async () => {
  await showAnn()
  const names = userForms.user.filter((name) => !['perm', 'commands', 'rules'].includes(name))
  for (const name of names) await expect.element(field(t(userTable[name].texts.label))).toBeVisible()
  await expect.element(page.getByRole('group', { name: t(userFields.perm.texts.label) })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: t(userFields.rules.texts.heading) })).toBeVisible()
  await expect.element(field('Disable the account')).toHaveAccessibleDescription(/^The user cannot log in/)
})

test('the fields that a new user needs are named together, the first gets the focus, and nothing is sent', async () => {
  await showSettings(<UserForm id={null} copiedId={null} />)
  await save()
  for (const [label, sentence] of [
    ['Username', 'Enter a username.'],
    ['Password', 'Enter a password.'],
    ['Your current password', 'Enter your current password.'],
  ] as const)
    await expect.element(field(label)).toHaveAccessibleDescription(sentence)
  await expect.element(field('Username')).toHaveFocus()
  await field('Username').fill('cy')
  await expect.element(field('Password')).not.toHaveAttribute('aria-invalid')
  expect(await userNamed('cy')).toBeUndefined()
})

test('a wrong password of the administrator is named at its field, and what was typed stays', async () => {
  const id = await showAnn()
  await field('Quota in GB').fill('2')
  await field('Your current password').fill('not the password')
  await save()
  await expect
    .element(field('Your current password'))
    .toHaveAccessibleDescription('This is not your current password.')
  await expect.element(field('Quota in GB')).toHaveValue('2')
  expect(await callJson('users.get', { id })).toMatchObject({ quotaBytes: null })
})

test('on a phone, a missing field is scrolled into view', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1280, 800))
  await showSettings(<UserForm id={null} copiedId={null} />)
  await save()
  await expect.element(field('Username')).toHaveFocus()
  await expect.poll(() => isUncovered(field('Username').element())).toBe(true)
  await field('Username').fill('finn')
  await field('Your current password').click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(field('Password')).toHaveFocus()
  await expect.poll(() => isUncovered(field('Password').element())).toBe(true)
})

/** Returns true when the middle of an element is on screen, and nothing covers it. */
function isUncovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === element
}

test('a weak password of a new user is refused at its field', async () => {
  await showSettings(<UserForm id={null} copiedId={null} />)
  await field('Username').fill('cy')
  await field('Password').fill('short')
  await enterPassword()
  await save()
  await expect.element(page.getByRole('alert').getByText('Use at least 12 characters.')).toBeVisible()
  expect(await userNamed('cy')).toBeUndefined()
})

test('the scope offers the folders of the server, also hidden ones, and says when there is no such folder', async () => {
  await showSettings(<UserForm id={null} copiedId={null} />)
  await field('Scope').fill('/scopes/.stash')
  await expect.poll(() => document.querySelector('option[value="/scopes/.stash/inner"]')).not.toBeNull()
  expect(page.getByText(/^This folder does not exist/).elements()).toEqual([])
  await field('Scope').fill('/scopes/a%2Fb #?&+.txt')
  await expect.element(page.getByText(/^This folder does not exist/)).toBeVisible()
})

test('a user whose rule has no text is not saved, and the text gets the focus', async () => {
  const id = await showAnn()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await enterPassword()
  await save()
  await expect.element(page.getByLabelText('Insert the path')).toHaveFocus()
  await page.getByLabelText('Insert the path').fill('/fonts')
  await save()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  expect(await callJson('users.get', { id })).toMatchObject({ rules: [{ allow: false, path: '/fonts' }] })
  await changeAnn(id, { rules: [] })
})

test('a new user starts with the settings of the copied one, without the name and without being disabled', async () => {
  const perm = { create: true, rename: true, modify: true, delete: false, share: true, download: true }
  const { id } = await createPerson('mia', { scope: '/fonts', perm, isDisabled: true })
  await showSettings(<UserForm id={null} copiedId={id} />)
  await expect.element(page.getByText('The new user starts with the settings of mia.')).toBeVisible()
  await expect.element(field('Username')).toHaveFocus()
  await expect.element(field('Username')).toHaveValue('')
  await expect.element(field('Scope')).toHaveValue('/fonts')
  await expect.element(field('Delete files and folders')).not.toBeChecked()
  await expect.element(field('Disable the account')).not.toBeChecked()
})

test('the copy of a user with a private folder gets a folder with its own name, which must be a possible one', async () => {
  const { id } = await createPerson('moe', { scope: '/people/moe' })
  await showSettings(<UserForm id={null} copiedId={id} />)
  await expect
    .element(page.getByText(/^moe has a private folder, which is not shared with the new user\./))
    .toBeVisible()
  await expect.element(field('Scope')).toHaveValue('')
  await field('Username').fill('max')
  await expect.element(field('Scope')).toHaveValue('/people/max')
  await expect.element(page.getByText(/This folder does not exist on the server yet\.$/)).toBeVisible()
  await field('Username').fill('..')
  await field('Password').fill('max has a long password')
  await enterPassword()
  await save()
  await expect.element(page.getByText('Enter a folder.')).toBeVisible()
  expect(await userNamed('..')).toBeUndefined()
})

test('administrators cannot disable their own account', async () => {
  await showSettings(null).then(({ end }) => end())
  await showSettings(<UserForm id={userOf()?.id ?? 0} copiedId={null} />)
  await expect.element(field('Username')).toHaveValue('ada')
  expect(field('Disable the account').elements()).toEqual([])
})

test('what is typed while a save is under way stays, and the password of the administrator is forgotten', async () => {
  await showAnn()
  await field('Language').selectOptions('de')
  await enterPassword()
  const password = field('Password').element() as HTMLInputElement
  const fetchBefore = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = fetchBefore
  })
  globalThis.fetch = async (input, init) => {
    if (init?.method === 'PUT') await field('Password').fill('typed meanwhile')
    return fetchBefore(input, init)
  }
  await save()
  await expect.element(field('Your current password')).toHaveValue('')
  expect(password.value).toBe('typed meanwhile')
})

test('a name that another user has is named at the field of the name', async () => {
  await showAnn()
  await field('Username').fill('ada')
  await enterPassword()
  await save()
  await expect.element(field('Username')).toHaveAccessibleDescription('Username already taken')
  await expect.element(field('Username')).toHaveFocus()
})

test('a save sends what has changed, takes over what others have changed, and forgets the password', async () => {
  const id = await showAnn()
  await field('Quota in GB').fill('2')
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
  await changeAnn(id, { locale: 'de' })
  await enterPassword()
  await save()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  await expect.element(field('Language')).toHaveValue('de')
  await expect.element(field('Your current password')).toHaveValue('')
  expect(await callJson('users.get', { id })).toMatchObject({ quotaBytes: 2 * 1024 ** 3, locale: 'de' })
})

test('a user that is loaded again with other values keeps the fields that were typed', async () => {
  const id = await showAnn()
  await field('Quota in GB').fill('2')
  await changeAnn(id, { locale: 'de', quotaBytes: 7 })
  await queryClient.invalidateQueries({ queryKey: ['users'] })
  await expect.element(field('Language')).toHaveValue('de')
  await expect.element(field('Quota in GB')).toHaveValue('2')
})

test('a quota that only another program can set does not keep the form from being saved', async () => {
  const id = await showAnn()
  await changeAnn(id, { quotaBytes: Number.MAX_SAFE_INTEGER })
  await queryClient.invalidateQueries({ queryKey: ['users'] })
  await expect.element(field('Quota in GB')).not.toHaveValue('')
  await field('Language').selectOptions('de')
  await enterPassword()
  await save()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  expect(await callJson('users.get', { id })).toMatchObject({
    quotaBytes: Number.MAX_SAFE_INTEGER,
    locale: 'de',
  })
})

test('a second click before the form is shown as busy sends nothing more', async () => {
  await showAnn()
  await field('Quota in GB').fill('3')
  await enterPassword()
  const sent = recordChanges()
  const button = page.getByRole('button', { name: 'Save' }).element() as HTMLButtonElement
  button.click()
  button.click()
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument()
  expect(sent).toHaveLength(1)
})

// Journey: user-form-1
test('an administrator has all permissions, which cannot be taken away, and an unlocked password', async () => {
  await showAnn()
  await field('Prevent the user from changing the password').click()
  await field('Administrator').click()
  await expect.element(field('Prevent the user from changing the password')).not.toBeChecked()
  await expect.element(field('Prevent the user from changing the password')).toBeDisabled()
  await expect.element(field('Share files')).toBeChecked()
  await expect.element(field('Share files')).toBeDisabled()
})
