import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = {
  Shared: { Treasurer: { 'accounts.txt': 'a' }, Minutes: {}, 'odd %2F#?&+ 😀': {} },
  oma: { Fotos: {} },
}
const tia = { name: 'tia', password: 'tia has a long password', flags: ['--scope', '/Shared'] }
const oma = { name: 'oma', password: 'oma has a long password', flags: ['--scope', '/oma'] }

const region = (page: Page, name: string) => page.getByRole('region', { name })
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Returns the settings as the server has stored them. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
    return (await (await fetch('/api/settings', { headers })).json()) as Record<string, unknown>
  })

atRoot({ files, people: [ada, tia, oma] }, ({ server, window }) => {
  const openGlobal = async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/global')
    const general = region(page, 'Global Settings')
    await general.getByLabel('Allow users to signup').waitFor()
    return { page, general, update: general.getByRole('button', { name: 'Update' }) }
  }

  // Journey: administration-1
  test('a new rule denies, one that matches nothing is named with a similar path, and a path is tried for everybody and for one', async () => {
    const { page, general, update } = await openGlobal()
    await general.getByText('A path begins in the folder of each user').waitFor()
    await general.getByRole('button', { name: 'New' }).click()
    const rule = general.getByRole('group', { name: 'Rule 1' })
    expect(await rule.getByLabel('Allow').isChecked()).toBe(false)
    const path = rule.getByLabel('Insert the path')
    await path.fill('/Tresurer')
    await rule.getByText('“/Tresurer” matches nothing in the folder of any user.').waitFor()
    await rule.getByRole('button', { name: 'Did you mean /Treasurer?' }).click()
    expect(await path.inputValue()).toBe('/Treasurer')
    await eventually(() => path.evaluate((field) => field === document.activeElement), true)
    await eventually(() => rule.getByText('matches nothing').count(), 0)

    await general.getByLabel('Try a path').fill('/Treasurer')
    const result = general.getByRole('region', { name: 'Result for each user' })
    await result.getByRole('listitem').filter({ hasText: 'tia' }).getByText('Denied: rule 1').waitFor()
    await result
      .getByRole('listitem')
      .filter({ hasText: 'oma' })
      .getByText('Denied: rule 1 – nothing exists there now')
      .waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])

    await general.getByLabel('Try as').selectOption('tia')
    await general.getByText('The path begins in /Shared.').waitFor()
    await general.getByLabel('Try a path').fill('/')
    const entries = general.getByRole('region', { name: 'Entries in this folder' })
    await entries.getByRole('listitem').filter({ hasText: 'Treasurer' }).getByText('Denied').waitFor()
    await entries.getByRole('listitem').filter({ hasText: 'Minutes' }).getByText('Allowed').waitFor()
    // The entries of the folder are offered while a path is typed.
    await general.getByLabel('Try a path').fill('/o')
    await general.locator('option[value="/odd %2F#?&+ 😀"]').waitFor({ state: 'attached' })
    await update.click()
    await noticeOf(page, 'Settings updated!').waitFor()
    expect(await stored(page)).toMatchObject({ rules: [{ allow: false, path: '/Treasurer' }] })
  })

  // Journey: administration-2
  test('rules that deny everything, no audit log and a signup with the whole server are asked about before they are saved', async () => {
    const { page, general, update } = await openGlobal()
    const question = page.getByRole('alertdialog', { name: 'Save these settings?' })
    await general.getByRole('button', { name: 'New' }).click()
    await general.getByLabel('Insert the path').last().fill('/')
    await general.getByLabel('Days for which the audit log is kept').fill('0')
    await general.getByLabel('Allow users to signup').check()
    await update.click()
    await question.getByText('The rules deny “/” to all users.').waitFor()
    await question.getByText('The audit log is switched off, and its events are deleted.').waitFor()
    await question.getByText('The scope of new users is the whole server.').waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await stored(page)).toMatchObject({ signup: false, auditDays: 90 })
    await general.getByText('Unsaved changes').waitFor()

    // Without the rule, the other two are still asked about, and saved when the administrator wants them.
    await general
      .getByRole('button', { name: /^Remove rule/ })
      .last()
      .click()
    await update.click()
    await question.getByText('The audit log is switched off').waitFor()
    expect(await question.getByText('The rules deny').count()).toBe(0)
    await question.getByRole('button', { name: 'Save anyway' }).click()
    await noticeOf(page, 'Settings updated!').waitFor()
    expect(await stored(page)).toMatchObject({ signup: true, auditDays: 0 })

    // A rule of the administrator alone is asked about too.
    await page.goto(`${server().url}/settings/users/1`)
    const form = region(page, 'User ada')
    await form.getByRole('button', { name: 'New' }).click()
    await form.getByLabel('Insert the path').fill('/')
    await form.getByLabel('Your current password').fill(ada.password)
    await form.getByRole('button', { name: 'Save' }).click()
    await question.getByText('The rules deny “/” to yourself.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await form.getByText('Unsaved changes').waitFor()
  })
})
