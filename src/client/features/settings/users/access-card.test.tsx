import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { createPerson } from '../../../../../test/components/person.tsx'
import { asAdministrator, showSettings } from '../../../../../test/components/show-settings.tsx'
import { callJson } from '../../../api/call.ts'
import { Button } from '../../../ui/button.tsx'
import { AccessCard } from './access-card.tsx'
import { draftOfUser, type UserDraft } from './user-draft.ts'

const path = () => page.getByLabelText('Path in the folder of the user')
const check = () => page.getByRole('button', { name: 'Check' })
const denied = () => page.getByText('The user may not do this.')

/** The card with a button that saves the user. */
function Card({ id, initial }: { readonly id: number; readonly initial: UserDraft }) {
  const [stored, setStored] = useState(initial)
  return (
    <>
      <AccessCard id={id} stored={stored} />
      <Button onClick={() => setStored({ ...stored })}>Save</Button>
    </>
  )
}

/** Shows the card about a user who may not see the folder of the fonts. */
async function showCard({ username = 'eve', isDisabled = false } = {}): Promise<void> {
  const rules = [
    { allow: true, regex: true, path: '', regexp: { raw: String.raw`\.pem$` } },
    { allow: false, regex: false, path: '/fonts', regexp: { raw: '' } },
  ]
  await asAdministrator()
  const { id } = await createPerson(username, { rules, isDisabled })
  const initial = draftOfUser(await callJson('users.get', { id }))
  await showSettings(<Card id={id} initial={initial} />)
}

test('the card names the rule that decides', async () => {
  await showCard()
  await path().fill('/fonts/plain.ttf')
  await check().click()
  await expect.element(denied()).toBeVisible()
  await expect.element(page.getByText('Rule 2 of the user (/fonts) denies /fonts/plain.ttf.')).toBeVisible()
})

test('the card names a disabled account', async () => {
  await showCard({ username: 'emma', isDisabled: true })
  await check().click()
  await expect.element(page.getByText('The account is disabled.')).toBeVisible()
})

test('an answer is not shown for another path, which was typed while the request was under way', async () => {
  await showCard()
  await path().fill('/fonts/plain.ttf')
  const fetchBefore = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = fetchBefore
  })
  globalThis.fetch = async (...request) => {
    await path().fill('/models')
    return fetchBefore(...request)
  }
  await check().click()
  await expect.element(path()).toHaveValue('/models')
  await expect.element(check()).not.toHaveAttribute('aria-disabled')
  expect(denied().elements()).toEqual([])
})

test('an answer goes when the user is saved', async () => {
  await showCard()
  await path().fill('/fonts/plain.ttf')
  await check().click()
  await expect.element(denied()).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(denied()).not.toBeInTheDocument()
})
