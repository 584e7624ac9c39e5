import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { becomeAnn } from '../../../../test/components/person.tsx'
import { render } from '../../../../test/components/show-file.tsx'
import type { NewShare } from '../../../shared/contract/shares.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { call, callJson } from '../../api/call.ts'
import { config } from '../../api/config.ts'
import { prompt } from '../../state/prompt.ts'
import { SharePrompts } from './share-prompts.tsx'

const file = { path: '/fonts/plain.ttf' as Path, isFolder: false }

const dialog = () => page.getByRole('dialog', { name: 'Share “plain.ttf”', exact: true })
const field = (label: string) => dialog().getByLabelText(label, { exact: true })
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const links = () => dialog().getByRole('listitem')
const options = async () => dialog().getByText('Options', { exact: true }).click()
const effect = () => dialog().getByText('Anyone with the link can view and download, forever.')
const addressShown = () => (field('Address of the link').first().element() as HTMLInputElement).value

/** Opens the prompt of a file that has only the given links. */
async function openPrompt(...terms: readonly NewShare[]): Promise<void> {
  await becomeAnn()
  for (const { hash } of await callJson('shares.get', file))
    await call('shares.remove', { path: `/${hash}` as Path })
  for (const body of terms) await callJson('shares.create', { ...file, body })
  prompt.set({ kind: 'share', ...file })
  onTestFinished(() => prompt.set({ kind: 'none' }))
  await render(<SharePrompts />)
  await expect
    .element(terms.length === 0 ? button('Create link') : button('Create another link'))
    .toBeVisible()
}

/** Requests a link as a guest, without and with a password. Returns the responses. */
const requestAsGuest = (url: string, password: string, { api = 'share', query = '' } = {}) =>
  Promise.all(
    [{}, { 'x-share-password': password }].map((headers) =>
      fetch(`${config().BaseURL}/api/public/${api}/${url.split('/').at(-1)}${query}`, { headers }),
    ),
  )
const statusesOf = async (...request: Parameters<typeof requestAsGuest>) =>
  (await requestAsGuest(...request)).map(({ status }) => status)

/** Lets each request fail that creates a link. */
function failCreations(): void {
  const fetchBefore = globalThis.fetch
  globalThis.fetch = (input, init) =>
    init?.method === 'POST' ? Promise.reject(new TypeError('no network')) : fetchBefore(input, init)
  onTestFinished(() => {
    globalThis.fetch = fetchBefore
  })
}

test('the prompt says what the first link allows, with the focus on the button that creates it, and its options closed', async () => {
  await openPrompt()
  await expect.element(effect()).toBeVisible()
  await expect.element(button('Create link')).toHaveFocus()
  await expect.element(field('Share Duration')).not.toBeVisible()
})

// Journey: shares-7
test('a link has an end, a password and a sender, and its options are not those of the next link', async () => {
  await openPrompt()
  await options()
  await field('Share Duration').fill('2')
  await field('Time Unit').selectOptions('days')
  await button('Generate a password').click()
  const password = (field('Optional password').element() as HTMLInputElement).value
  expect(password).toMatch(/^\w{16}$/)
  await field('Your name for guests').fill('Ann')
  await expect.element(dialog().getByText(/^Anyone with the link and the password/)).toBeVisible()
  await field('Share Duration').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(links().getByText('Ends in 2 days', { exact: true })).toBeVisible()
  await expect.element(field('Share Duration')).not.toBeVisible()
  expect(await statusesOf(addressShown(), password)).toEqual([401, 200])
  const [, shown] = await requestAsGuest(addressShown(), password)
  expect(shown?.headers.get('x-share-sender')).toBe('Ann')
})

// Journey: shares-9
test('a duration is in hours and is a whole number, and without one nothing is said about the link', async () => {
  await openPrompt()
  await options()
  await expect.element(field('Time Unit')).toHaveValue('hours')
  await field('Share Duration').fill('1.5')
  await expect.element(dialog().getByText(/^Enter a whole number/)).toBeVisible()
  expect(
    dialog()
      .getByText(/^Anyone with the link/)
      .elements(),
  ).toEqual([])
  await expect.element(button('Create link')).toBeDisabled()
})

test('a name for guests that is too long keeps the link from being created', async () => {
  await openPrompt()
  await options()
  await field('Your name for guests').fill('a'.repeat(61))
  await expect.element(dialog().getByText(/^This name is too long/)).toBeVisible()
  await expect.element(button('Create link')).toBeDisabled()
})

// Journey: shares-6
test('a scheduled link does not work before its date, and an end before its start is refused', async () => {
  await openPrompt()
  await options()
  await button('1 hour').click()
  await field('Schedule').fill('2099-01-01T10:00')
  await expect.element(dialog().getByText(/^The link would end before it starts\./)).toBeVisible()
  await button('Permanent').click()
  await expect.element(dialog().getByText(/The link works from 1\/1\/99/)).toBeVisible()
  await button('Create link').click()
  await expect.element(links().getByText(/Works from 1\/1\/99/)).toBeVisible()
  expect(await statusesOf(addressShown(), '')).toEqual([404, 404])
})

test('an own address has at least 9 letters, and cannot be that of another link, whose form keeps what was typed', async () => {
  await openPrompt()
  await options()
  await field('Own address').fill('short')
  await expect.element(dialog().getByText(/^Use 9 to 40 letters/)).toBeVisible()
  await expect.element(button('Create link')).toBeDisabled()
  await field('Own address').fill('Plain-Letters')
  await button('Create link').click()
  await expect.element(links()).toBeVisible()
  expect(addressShown()).toBe(`${location.origin}${config().BaseURL}/share/plain-letters`)
  await options()
  await field('Own address').fill('plain-letters')
  await button('Create another link').click()
  await expect.element(dialog().getByText(/^This address is not available\./)).toBeVisible()
  expect(links().elements()).toHaveLength(1)
  await field('Own address').fill('plain-letters-2')
  await expect.element(button('Create another link')).toBeEnabled()
})

test('the number of downloads of a link is limited', async () => {
  await openPrompt()
  await options()
  await field('Maximum number of downloads').fill('1')
  await expect.element(dialog().getByText(/The number of downloads is limited to 1\./)).toBeVisible()
  await button('Create link').click()
  await expect.element(links().getByText('Downloads: 0 of 1')).toBeVisible()
})

test('the sentence about a further link is shown with its options, as it would seem to be about the link above', async () => {
  await openPrompt({})
  expect(effect().elements()).toEqual([])
  await options()
  await expect.element(effect()).toBeVisible()
  await options()
  await expect.element(effect()).not.toBeInTheDocument()
})

test('Escape takes back what was typed for a further link before it closes the prompt', async () => {
  await openPrompt({})
  await options()
  await field('Share Duration').fill('3')
  await userEvent.keyboard('{Escape}')
  await expect.element(field('Share Duration')).not.toBeVisible()
  await options()
  await expect.element(field('Share Duration')).toHaveValue('')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
})

// Journey: shares-10
test('a link that could not be created keeps what was typed', async () => {
  await openPrompt({})
  await options()
  failCreations()
  await field('Share Duration').fill('3')
  await button('Create another link').click()
  await expect
    .element(
      dialog()
        .getByRole('alert')
        .getByText(/^The link could not be created\./),
    )
    .toBeVisible()
  await expect.element(field('Share Duration')).toHaveValue('3')
})

test('a link shows its QR code', async () => {
  await openPrompt({})
  await button('QR code').click()
  await expect.element(links().getByRole('img', { name: `QR code of ${addressShown()}` })).toBeVisible()
})

test('the last deleted link works no longer, and leaves the focus at the button for another one', async () => {
  await openPrompt({})
  const url = addressShown()
  await button('Delete the link').click()
  await expect.element(button('Create link')).toHaveFocus()
  expect(links().elements()).toEqual([])
  expect(await statusesOf(url, '')).toEqual([404, 404])
})

test('Cancel leaves the form of a link with the focus where it was', async () => {
  await openPrompt({})
  await button('Edit the link').click()
  await button('Cancel').click()
  await expect.element(button('Edit the link')).toHaveFocus()
})

// Journey: shares-8
test('a changed link keeps its address and its password, and may be for viewing only', async () => {
  await openPrompt({ expires: '1', unit: 'days', password: 'first' })
  const url = addressShown()
  expect(await statusesOf(url, 'first', { api: 'dl' })).toEqual([401, 200])
  await button('Edit the link').click()
  await expect.element(dialog().getByText(/A duration that you enter counts from now\.$/)).toBeVisible()
  await field('Guests may').selectOptions('View only')
  await expect.element(dialog().getByText(/Guests can still keep what they see\./)).toBeVisible()
  await expect.element(dialog().getByText(/^Anyone with the link and the password can view/)).toBeVisible()
  await button('Permanent').click()
  await button('Save').click()
  await expect.element(links().getByText('View only')).toBeVisible()
  await expect.element(links().getByText('Permanent')).toBeVisible()
  expect(addressShown()).toBe(url)
  expect(await statusesOf(url, 'first', { api: 'dl' })).toEqual([401, 403])
  expect(await statusesOf(url, 'first', { api: 'dl', query: '?inline=true' })).toEqual([401, 200])
})
