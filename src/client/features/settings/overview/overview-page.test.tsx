import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showSettings } from '../../../../../test/components/show-settings.tsx'
import { defaultSettings } from '../../../../shared/contract/setting-fields.ts'
import { call, callJson } from '../../../api/call.ts'
import type { CallOptions } from '../../../api/call-options.ts'
import { t } from '../../../i18n/translate.ts'
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

const change = async (body: CallOptions<'settings.update'>['body']): Promise<unknown> =>
  call('settings.update', { body })
const concerns = () => page.getByRole('region', { name: t('settings.server.concerns') })

beforeEach(async () => {
  const { end } = await showSettings(null)
  end()
  const { signup, auditDays } = defaultSettings
  await change({ signup, auditDays })
})

test('a setting that needs attention is named with a link to its page, and goes once it is changed', async () => {
  await change({ auditDays: 0 })
  const first = await showSettings(<OverviewPage />)
  const concern = concerns()
    .getByRole('listitem')
    .filter({ hasText: t('settings.server.no-audit-log') })
  await expect
    .element(concern.getByRole('link', { name: 'Global Settings' }))
    .toHaveAttribute('href', expect.stringMatching(/\/settings\/global$/))
  first.end()
  await change({ auditDays: 90 })
  await showSettings(<OverviewPage />)
  await expect.element(concerns()).toBeVisible()
  expect(concern.elements()).toEqual([])
})
