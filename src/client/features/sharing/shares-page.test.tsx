import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { asAdministrator, showOwnSettings } from '../../../../test/components/show-settings.tsx'
import type { Path } from '../../../shared/domain/path.ts'
import { call, callJson } from '../../api/call.ts'
import { config } from '../../api/config.ts'
import { SharePrompts } from './share-prompts.tsx'
import { SharesPage } from './shares-page.tsx'

const rows = () => page.getByRole('row')
/** Returns the texts of the rows with links. */
const texts = () =>
  rows()
    .elements()
    .slice(1)
    .map(({ textContent }) => textContent)
const firstDelete = () => rows().nth(1).getByRole('button', { name: 'Delete the link' })
const filter = () => page.getByRole('searchbox', { name: 'Filter by path' })
const addLink = (path: string, expires: string) =>
  callJson('shares.create', { path: path as Path, isFolder: false, body: { expires, unit: 'hours' } })

/** Shows as many links as are filtered: one without an end, and others that end in 2 to 12 hours. Returns the address of the first. */
async function showLinks(): Promise<string> {
  await asAdministrator()
  for (const { hash } of await callJson('shares.list'))
    await call('shares.remove', { path: `/${hash}` as Path })
  const { hash } = await addLink('/scopes/a%2Fb #?&+.txt', '')
  for (let hours = 2; hours <= 12; hours += 1) await addLink('/fonts/plain.ttf', String(hours))
  await showOwnSettings(
    <>
      <SharesPage />
      <SharePrompts />
    </>,
  )
  await expect.poll(texts).toHaveLength(12)
  return `${location.origin}${config().BaseURL}/share/${hash}`
}

test('many links are filtered by their paths, whatever the case of the letters', async () => {
  await showLinks()
  await filter().fill('A%2F')
  await expect.poll(texts).toHaveLength(1)
  await filter().fill('no such path')
  await expect.element(page.getByText('No link matches the filter.')).toBeVisible()
})

test('links are sorted by their end, with the mouse and the keyboard', async () => {
  await showLinks()
  const end = page.getByRole('columnheader', { name: 'Share Duration' })
  await end.getByRole('button').click()
  await expect.element(end).toHaveAttribute('aria-sort', 'ascending')
  expect(texts()[0]).toContain('in 2 hours')
  await userEvent.keyboard('{Enter}')
  await expect.element(end).toHaveAttribute('aria-sort', 'descending')
  expect(texts()[0]).toContain('Permanent')
  await expect.element(page.getByLabelText('Sort', { exact: true })).not.toBeVisible()
})

test('a link shows its QR code in a dialog', async () => {
  const url = await showLinks()
  await filter().fill('a%2Fb')
  await page.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('dialog', { name: 'Share “a%2Fb #?&+.txt”', exact: true })
  await expect.element(code.getByRole('img', { name: `QR code of ${url}` })).toBeVisible()
  await code.getByRole('button', { name: 'Close' }).click()
  await expect.element(code).not.toBeInTheDocument()
})

test('a deleted link gives the focus to the button of the next one', async () => {
  await showLinks()
  await firstDelete().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(texts).toHaveLength(11)
  await expect.element(firstDelete()).toHaveFocus()
})
