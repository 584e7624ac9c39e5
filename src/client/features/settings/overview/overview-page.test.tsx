import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { callJson } from '../../../api/call.ts'
import { OverviewPage } from './overview-page.tsx'

/** Returns the figures of the page by their names. */
const figures = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.getByRole('region', { name: 'Server status' }).element().querySelectorAll('dl > div')].map(
      (row) => [row.querySelector('dt')?.textContent ?? '', row.querySelector('dd')?.textContent ?? ''],
    ),
  )

test('the page has the figures of the server', async () => {
  await showSettings(<OverviewPage />)
  await expect.element(page.getByRole('region', { name: 'Server status' })).toBeVisible()
  const { version, users, links, sessions } = await callJson('overview.get')
  expect(figures()).toMatchObject({
    Version: version,
    Users: String(users),
    Links: String(links),
    Sessions: String(sessions),
    'Running since': expect.stringMatching(/\d/),
    Disk: expect.stringMatching(/ of .*B/),
  })
  await expect.element(page.getByRole('progressbar', { name: 'Disk' })).toBeVisible()
})
