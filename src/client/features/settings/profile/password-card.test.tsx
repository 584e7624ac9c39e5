import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { becomePerson } from '../../../../../test/components/person.tsx'
import { recordChanges } from '../../../../../test/components/record-changes.ts'
import { showOwnSettings } from '../../../../../test/components/show-settings.tsx'
import { callJson } from '../../../api/call.ts'
import { notices } from '../../../state/notices.ts'
import { PasswordCard } from './password-card.tsx'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const update = async () => page.getByRole('button', { name: 'Update' }).click()

/** Shows the form to a user with an unlocked password. */
async function showForm(username = 'cyd') {
  const person = await becomePerson(username)
  await showOwnSettings(<PasswordCard />)
  await expect.element(field('Your new password')).toBeVisible()
  return person
}

/** Fills the three fields of the form. */
async function fill(current: string, password: string, confirmation = password): Promise<void> {
  await field('Your current password').fill(current)
  await field('Your new password').fill(password)
  await field('Confirm your new password').fill(confirmation)
}

/** Returns the colour of the frame around a field, after its transition. */
async function frameOf(label: string): Promise<string> {
  const frame = field(label).element().parentElement!
  await Promise.allSettled(frame.getAnimations().map(({ finished }) => finished))
  return getComputedStyle(frame).borderTopColor
}

test('the form says how long a new password must be, and then how strong it is', async () => {
  await showForm()
  await expect.element(page.getByText('Use at least 12 characters.')).toBeVisible()
  await field('Your new password').fill('kettle moon')
  await expect.element(page.getByText('Use at least 12 characters.')).toBeVisible()
  await field('Your new password').fill('kettle moon 42')
  await expect.element(page.getByText('Strength: good')).toBeVisible()
})

// Journey: settings-9
test('words and the frames of the fields say whether the confirmation is the same', async () => {
  await showForm()
  const neutral = await frameOf('Your new password')
  await field('Your new password').fill('kettle moon 42')
  await field('Your current password').click()
  await expect.poll(() => frameOf('Your new password')).toBe(neutral)
  await field('Confirm your new password').fill('kettle moon 43')
  await expect.element(page.getByText("Passwords don't match")).toBeVisible()
  await expect.poll(() => frameOf('Your new password')).not.toBe(neutral)
  const different = await frameOf('Your new password')
  await field('Confirm your new password').fill('kettle moon 42')
  await expect.element(page.getByText('Passwords match')).toBeVisible()
  await expect.poll(() => frameOf('Your new password')).not.toBe(different)
  expect(await frameOf('Your new password')).not.toBe(neutral)
})

// Journey: settings-11
test('nothing is sent with another confirmation, or without the current password, which is asked for', async () => {
  await showForm()
  const sent = recordChanges()
  await fill('', 'kettle moon 42', 'kettle moon 43')
  await update()
  await field('Confirm your new password').fill('kettle moon 42')
  await update()
  await expect.element(page.getByText('Enter your current password.')).toBeVisible()
  expect(sent).toEqual([])
})

test('a wrong current password is named at its field, which gets the focus', async () => {
  await showForm()
  await fill('not my password', 'kettle moon 42')
  await update()
  await expect.element(page.getByText('This is not your current password.')).toBeVisible()
  await expect.element(field('Your current password')).toHaveFocus()
})

test('a weak password is refused with the reason, and its frame differs from that of the same confirmation', async () => {
  const { password } = await showForm()
  for (const [weak, reason] of [
    ['short', 'Use at least 12 characters.'],
    ['password password', 'This password is too easy to guess.'],
  ] as const) {
    await fill(password, weak)
    await update()
    await expect.element(page.getByRole('alert').getByText(reason)).toBeVisible()
    await expect
      .poll(async () => (await frameOf('Your new password')) !== (await frameOf('Confirm your new password')))
      .toBe(true)
  }
})

// Journey: settings-3
test('a new password empties the form, and ends the other sessions of the user', async () => {
  const { username, password } = await showForm('carl')
  await commands.logInElsewhere(username, password)
  expect(await callJson('sessions.list')).toHaveLength(2)
  await fill(password, 'kettle moon 42')
  await update()
  await expect.element(field('Your new password')).toHaveValue('')
  expect(notices.get().at(-1)?.text).toBe('Password updated!')
  expect((await callJson('sessions.list')).map(({ current }) => current)).toEqual([true])
})

// Journey: settings-10
test('a user whose password is locked has no form for a new one', async () => {
  await becomePerson('cora', { lockPassword: true })
  await showOwnSettings(
    <>
      <PasswordCard />
      <p>Shown</p>
    </>,
  )
  await expect.element(page.getByText('Shown')).toBeVisible()
  expect(field('Your new password').elements()).toEqual([])
})
