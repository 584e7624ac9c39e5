import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = { Docs: { 'inside.txt': '1' }, '.hidden.txt': 'h', 'report.txt': 'quarterly' }

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Settings' })
const tabsShown = (page: Page) => navigation(page).getByRole('link').allTextContents()
const card = (page: Page, name: string) => page.getByRole('region', { name })
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

atRoot({ files }, ({ server, window }) => {
  const openAs = async (person: TestUser, address: string, options = {}) => {
    const page = await window(options)
    await signIn(page, server(), person)
    await page.goto(server().url + address)
    return page
  }

  test('the settings open at the profile, and offer each user only their tabs', async () => {
    const page = await openAs(ann, '/files/')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.waitForURL(`${server().url}/settings/profile`)
    await card(page, 'Preferences').waitFor()
    expect(await tabsShown(page)).toEqual(['Profile Settings', 'Share Management'])
    expect(await page.title()).toBe('Profile Settings')
    await page.goto(`${server().url}/settings`)
    await page.waitForURL(`${server().url}/settings/profile`)
    await page.goto(`${server().url}/settings/nothing`)
    await page.getByText("This location can't be reached.").waitFor()
    await navigation(page).getByRole('link', { name: 'Profile Settings' }).click()
    await card(page, 'Preferences').waitFor()
    await page.goto(`${server().url}/settings/global`)
    await page.waitForURL(`${server().url}/403`)
  })

  test('updated preferences act on the open page at once, and a refused update keeps what was chosen', async () => {
    const page = await openAs(ann, '/files/')
    await rowOf(page, /\.hidden\.txt/).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    const preferences = card(page, 'Preferences')
    await preferences.getByLabel('Hide dotfiles').check()
    await page.route('**/api/users/*', (route) => route.abort())
    await preferences.getByRole('button', { name: 'Update' }).click()
    await preferences.getByRole('alert').waitFor()
    expect(await preferences.getByLabel('Hide dotfiles').isChecked()).toBe(true)
    await page.unroute('**/api/users/*')
    await page.getByRole('link', { name: 'My files' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
    await preferences.getByLabel('Use single clicks to open files and folders').check()
    await preferences.getByLabel('Language').selectOption('')
    await page.keyboard.press('Control+Enter')
    await noticeOf(page, 'Settings updated!').waitFor()
    await page.getByRole('link', { name: 'My files' }).click()
    await rowOf(page, /report\.txt/).waitFor()
    await eventually(() => rowOf(page, /\.hidden\.txt/).count(), 0)
    await rowOf(page, /Docs/).getByText('Docs').click()
    await rowOf(page, /inside\.txt/).waitFor()
    await page.goto(`${server().url}/settings/profile`)
    await preferences.getByLabel('Hide dotfiles').waitFor()
    expect(await preferences.getByLabel('Hide dotfiles').isChecked()).toBe(true)
    expect(await preferences.getByLabel('Language').inputValue()).toBe('')
  })

  test.each(['light', 'dark'] as const)(
    'the settings have no violation that axe reports, %s',
    async (colorScheme) => {
      const page = await openAs(ada, '/settings/profile')
      await page.evaluate(
        (scheme) => document.documentElement.classList.toggle('dark', scheme === 'dark'),
        colorScheme,
      )
      await card(page, 'Preferences').waitFor()
      expect(await violationsIn(page, colorScheme)).toEqual([])
    },
  )
})
