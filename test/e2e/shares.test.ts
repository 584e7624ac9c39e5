import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { eventually, everywhere, expectFocusInside, focusOf, selectionBar, violationsIn } from './journeys.ts'

const files = { 'a%2Fb #?&+': { 'inside.txt': 'x' }, 'report.txt': 'quarterly' }

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Share “/ })
const options = (page: Page) => dialog(page).getByText('Options', { exact: true })
const links = (page: Page) => dialog(page).getByRole('listitem')
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const openShare = async (page: Page, name: string) => {
  await rowOf(page, name).click()
  await selectionBar(page).getByRole('button', { name: 'Share', exact: true }).click()
  await dialog(page).waitFor()
}
/** Returns the statuses that a guest gets without and with a password. */
const statusesOf = async (url: string, server: RunningServer, password: string) => {
  const hash = url.split('/').at(-1)
  const answers = [{}, { 'x-share-password': password }].map((headers) =>
    fetch(`${server.url}/api/public/share/${hash}`, { headers }),
  )
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** Shares an entry of the root folder as a user who has no page open. Returns the status of the response. */
const shareAs = async ({ name, password }: TestUser, { url }: RunningServer, entry: string) => {
  const body = JSON.stringify({ username: name, password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  const headers = { 'X-Auth': await login.text() }
  return (await fetch(`${url}/api/share/${entry}`, { method: 'POST', headers, body: '{}' })).status
}

/** Shares an entry of the root folder as the user of a page, and returns the hash of the link. */
const createLink = (page: Page, { url }: RunningServer, name: string, hours: string) =>
  page.evaluate(
    async ([address, expires]) => {
      const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
      const body = JSON.stringify({ expires, unit: 'hours' })
      const response = await fetch(address, { method: 'POST', headers, body })
      return ((await response.json()) as { hash: string }).hash
    },
    [`${url}/api/share/${name.split('/').map(encodeURIComponent).join('/')}`, hours] as const,
  )

everywhere({ files, people: [ada, ann, bea] }, ({ server, window, testAtRoot }) => {
  const openAs = async (person = ann, address = '/files/') => {
    const page = await window()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, server(), person, address)
    return page
  }

  // Journey: shares-1
  test('a link of a folder is made, copied and deleted in the prompt, which never makes a second one by itself', async () => {
    const page = await openAs()
    await openShare(page, 'a%2Fb #?&+')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    // One press opens the prompt, and a second one creates the link and copies it.
    await openShare(page, 'a%2Fb #?&+')
    await dialog(page).getByText('Anyone with the link can view and download, forever.').waitFor()
    await eventually(() => focusOf(page), 'SECTION Create link')
    expect(await dialog(page).getByLabel('Share Duration').isVisible()).toBe(false)
    await page.keyboard.press('Enter')
    await links(page).getByRole('button', { name: 'Link copied!' }).waitFor()
    await links(page).getByText('Permanent').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await links(page).getByLabel('Address of the link').inputValue(),
    )
    await eventually(() => focusOf(page), 'SECTION Link copied!')

    // Whoever opens the prompt again gets the link that is there, and no second one.
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await openShare(page, 'a%2Fb #?&+')
    await eventually(() => focusOf(page), 'SECTION Copy link')
    await page.keyboard.press('Enter')
    await links(page).getByRole('button', { name: 'Link copied!' }).waitFor()
    expect(await links(page).count()).toBe(1)

    // Over plain http, browsers have no clipboard for pages.
    await page.evaluate(() => {
      for (const name of ['write', 'writeText'])
        Object.defineProperty(navigator.clipboard, name, {
          configurable: true,
          value: () => Promise.reject(new Error('no')),
        })
    })
    await options(page).click()
    await dialog(page).getByLabel('Share Duration').fill('2')
    await dialog(page).getByLabel('Share Duration').press('Enter')
    await links(page).nth(1).waitFor()
    await links(page).first().getByRole('button', { name: 'Link copied!' }).waitFor()
    const url = await links(page).first().getByLabel('Address of the link').inputValue()
    expect(url.startsWith(`${server().url}/share/`)).toBe(true)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await eventually(() => focusOf(page), 'SECTION Copy link')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Link copied!' }).waitFor()

    await links(page).first().getByRole('button', { name: 'Delete the link' }).click()
    await eventually(() => links(page).count(), 1)
    const badge = rowOf(page, 'a%2Fb #?&+').getByTitle('Shared by a link')
    await badge.waitFor()
    await links(page).first().getByRole('button', { name: 'Delete the link' }).click()
    await badge.waitFor({ state: 'detached' })
    await eventually(() => links(page).count(), 0)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  // Journey: shares-2
  testAtRoot('a renamed file keeps its badge, and only some may share', async () => {
    await writeFile(path.join(server().folder, 'before.txt'), 'x')
    const page = await openAs()
    await openShare(page, 'before.txt')
    await dialog(page).getByRole('button', { name: 'Create link' }).click()
    await links(page).getByText('Permanent').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await rowOf(page, 'before.txt').getByTitle('Shared by a link').waitFor()
    await page.keyboard.press('F2')
    await page.getByRole('grid').getByRole('textbox').fill('after.txt')
    await page.keyboard.press('Enter')
    await rowOf(page, 'after.txt').getByTitle('Shared by a link').waitFor()
    // The row has its new name before the server has renamed the file.
    await eventually(() => existsSync(path.join(server().folder, 'after.txt')), true)

    // Users without the permission are offered neither links nor their list.
    await signIn(page, server(), bea)
    await rowOf(page, 'report.txt').waitFor()
    expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'My shared links' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByText('Profile Settings').waitFor()
    expect(await page.getByRole('link', { name: 'Share Management' }).count()).toBe(0)
  })

  // Journey: shares-3
  testAtRoot(
    'a link is changed in the share management, also after a failure and after the form was closed',
    async () => {
      const page = await openAs(ann, '/files/a%252Fb%20%23%3F&+/')
      await openShare(page, 'inside.txt')
      await options(page).click()
      await dialog(page).getByLabel('Optional password').fill('first')
      await dialog(page).getByRole('button', { name: 'Create link' }).click()
      const url = await links(page).getByLabel('Address of the link').inputValue()
      await links(page).getByRole('button', { name: 'Edit the link' }).click()
      await dialog(page).getByLabel('Guests may').selectOption('View only')
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      await eventually(
        () => dialog(page).evaluate((shown) => shown.getBoundingClientRect().right <= innerWidth),
        true,
      )
      await page.setViewportSize({ width: 1280, height: 800 })
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await links(page).getByText('View only').waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      // The list of all links is one press away from each screen.
      await page.getByRole('link', { name: 'My shared links' }).click()
      const row = page.getByRole('row').filter({ hasText: 'inside.txt' })
      await row.getByText('View only').waitFor()
      await row.getByRole('button', { name: 'Edit the link' }).click()
      await page.route('**/api/share/**', (route) => route.abort())
      await dialog(page).getByLabel('Guests may').selectOption('View and download')
      await dialog(page).getByLabel('Keep the current password').uncheck()
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await dialog(page).getByRole('alert').getByText('The link could not be changed.').waitFor()
      await page.unroute('**/api/share/**')
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      await row.getByText('View only').waitFor({ state: 'detached' })
      expect(await statusesOf(url, server(), 'first')).toEqual([200, 200])

      const held = Promise.withResolvers<void>()
      await page.route('**/api/share/**', async (route) => {
        await held.promise
        await route.continue()
      })
      await row.getByRole('button', { name: 'Edit the link' }).click()
      await dialog(page).getByLabel('Guests may').selectOption('View only')
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await row.getByRole('button', { name: 'Delete the link' }).click()
      const question = page.getByRole('alertdialog')
      await question.waitFor()
      held.resolve()
      await row.getByText('View only').waitFor()
      expect(await question.isVisible()).toBe(true)
    },
  )

  // Journey: shares-4
  testAtRoot(
    'the share management lists, copies and deletes the links of all users, is made of cards on phones, and follows changes on other devices',
    async () => {
      const page = await openAs(ada, '/settings/shares')
      const rows = page.locator('tbody').getByRole('row')
      await page.getByRole('link', { name: 'Share Management' }).waitFor()
      const refresh = () =>
        page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      await page.evaluate(async () => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        const old = (await (await fetch('/api/shares', { headers })).json()) as { hash: string }[]
        for (const { hash } of old) await fetch(`/api/share/${hash}`, { method: 'DELETE', headers })
      })
      await refresh()
      await page.getByText('It feels lonely here...').waitFor()
      expect(await violationsIn(page, 'dark')).toEqual([])
      const owned = await shareAs(ann, server(), 'report.txt')
      expect(owned).toBe(200)
      const hash = await createLink(page, server(), 'a%2Fb #?&+/', '')
      for (let count = 2; count <= 11; count += 1)
        await createLink(page, server(), 'report.txt', String(count))
      await refresh()
      await eventually(() => rows.count(), 12)
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      const choice = page.getByLabel('Sort', { exact: true })
      await choice.selectOption('Share Duration')
      await rows.first().getByText('in 2 hours').waitFor()
      await page.getByRole('button', { name: 'Ascending' }).click()
      await rows.first().getByText('Permanent').waitFor()
      await page.getByRole('button', { name: 'Descending' }).focus()
      await page.keyboard.press('Tab')
      // The headings are hidden, so the focus goes to the first link.
      expect(await rows.first().evaluate((row) => row.contains(document.activeElement))).toBe(true)
      await choice.selectOption('Not sorted')

      // From right to left, the username on a card starts below the path.
      const card = rows.filter({ hasText: 'report.txt' }).first()
      await page.evaluate(() => (document.documentElement.dir = 'rtl'))
      const rightOf = (text: string) =>
        card.getByText(text, { exact: true }).evaluate((element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          return Math.round(range.getBoundingClientRect().right)
        })
      await eventually(async () => (await rightOf('ada')) - (await rightOf('report.txt')), 0)
      await page.evaluate(() => (document.documentElement.dir = 'ltr'))
      await page.setViewportSize({ width: 1280, height: 800 })

      // The own links come first, although they are newer, and only their paths lead somewhere.
      const all = page.getByRole('row')
      expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
        'Path',
        'Share Duration',
        'Username',
        'Actions',
      ])
      await eventually(() => rows.last().filter({ hasText: 'ann' }).count(), 1)
      expect(await rows.filter({ hasText: 'ann' }).getByRole('link').count()).toBe(0)
      await rows.first().getByRole('link', { name: 'a%2Fb #?&+', exact: true }).waitFor()
      await rows.first().getByRole('button', { name: 'Edit the link' }).click()
      await page.getByRole('dialog', { name: 'Share “a%2Fb #?&+”', exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await rows.first().getByRole('button', { name: 'Copy link' }).click()
      await noticeOf(page, 'Link copied!').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server().url}/share/${hash}`)

      await page.evaluate(async (kept) => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        const old = (await (await fetch('/api/shares', { headers })).json()) as { hash: string }[]
        for (const link of old)
          if (link.hash !== kept) await fetch(`/api/share/${link.hash}`, { method: 'DELETE', headers })
      }, hash)
      await refresh()
      await eventually(() => all.count(), 2)
      await rows.first().getByRole('button', { name: 'Delete the link' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await noticeOf(page, 'Share deleted!').waitFor()
      await page.getByText('It feels lonely here...').waitFor()
    },
  )

  // Journey: shares-5
  testAtRoot(
    'a link has an address of its own, a limit of downloads and counts, its guests read that no downloads are left, and its owner is told of files',
    async () => {
      const page = await openAs()
      await openShare(page, 'report.txt')
      await options(page).click()
      const alias = dialog(page).getByLabel('Own address')
      const create = dialog(page).getByRole('button', { name: 'Create link' })
      await alias.fill('Quarterly-Report')
      await dialog(page).getByLabel('Maximum number of downloads').fill('1')
      await create.click()
      await links(page).getByText('Downloads: 0 of 1').waitFor()
      const url = `${server().url}/share/quarterly-report`
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)

      await options(page).click()
      await alias.fill('another-address')
      // The field that has the focus goes with the terms, and the dialog takes the focus a moment later.
      await page.keyboard.press('Escape')
      await eventually(() => alias.isVisible(), false)
      await expectFocusInside(page)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })

      const guest = await window()
      await guest.goto(url)
      // The text is not shown, because its bytes would be the only download.
      await guest.getByText('Preview is not available for this file.').waitFor()
      const saved = guest.waitForEvent('download')
      await guest.getByRole('link', { name: 'Download File' }).first().click()
      await saved
      await guest.getByText('This link allows no more downloads.').waitFor()
      expect((await fetch(url.replace('/share/', '/api/public/dl/'))).status).toBe(403)
      await page.getByRole('link', { name: 'My shared links' }).click()
      const row = page.getByRole('row').filter({ hasText: 'report.txt' })
      await row.getByText('Downloads: 1 of 1').waitFor()
      await row.getByText('Visits: 1', { exact: true }).waitFor()

      // The number of files that have arrived is in the sidebar until the owner has looked at them.
      await page.goto(`${server().url}/files/`)
      await openShare(page, 'a%2Fb #?&+')
      await options(page).click()
      await dialog(page).getByLabel('Guests may').selectOption('Upload only')
      await dialog(page).getByLabel('Tell me when something arrives').check()
      await create.click()
      const inbox = await links(page).first().getByLabel('Address of the link').inputValue()
      const sent = await fetch(`${inbox.replace('/share/', '/api/public/drop/')}/sent.txt`, {
        method: 'POST',
        body: 'text',
      })
      expect(sent.status).toBe(200)
      await page.reload()
      await page.getByRole('link', { name: 'My shared links' }).getByText('New files: 1').waitFor()
      await openShare(page, 'a%2Fb #?&+')
      await links(page).first().getByText('Received files (1)').click()
      await links(page).first().getByText('sent.txt').waitFor()
      await page
        .getByRole('link', { name: 'My shared links', includeHidden: true })
        .getByText('New files: 1')
        .waitFor({ state: 'detached' })
    },
  )
})
