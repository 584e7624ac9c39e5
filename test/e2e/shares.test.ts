import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea, type RunningServer } from '../kit/run-server.ts'
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
  test('links are made, listed, copied and deleted in the prompt of a folder, and the share management lists, copies and deletes those of all users', async () => {
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

    await links(page).getByRole('button', { name: 'Edit the link' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await eventually(() => focusOf(page), 'SECTION Edit the link')
    await options(page).click()
    const duration = dialog(page).getByLabel('Share Duration')
    expect(await dialog(page).getByLabel('Time Unit').inputValue()).toBe('hours')
    await duration.fill('1.5')
    await dialog(page).getByText('Enter a whole number').waitFor()
    // The form says nothing about a link that cannot be created.
    expect(await dialog(page).getByText('Anyone with the link').count()).toBe(0)
    expect(await dialog(page).getByRole('button', { name: 'Create another link' }).isDisabled()).toBe(true)
    await duration.fill('2')
    await dialog(page).getByLabel('Time Unit').selectOption('days')
    await dialog(page).getByRole('button', { name: 'Generate a password' }).click()
    const password = await dialog(page).getByLabel('Optional password').inputValue()
    expect(password).toMatch(/^\w{16}$/)
    const sender = dialog(page).getByLabel('Your name for guests')
    await sender.fill('a'.repeat(61))
    await dialog(page).getByText('This name is too long').waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Create another link' }).isDisabled()).toBe(true)
    await sender.fill('Ann')
    await dialog(page).getByText('Anyone with the link and the password').waitFor()
    // Over plain http, browsers have no clipboard for pages.
    await page.evaluate(() => {
      for (const name of ['write', 'writeText'])
        Object.defineProperty(navigator.clipboard, name, {
          configurable: true,
          value: () => Promise.reject(new Error('no')),
        })
    })
    await duration.press('Enter')
    await links(page).nth(1).waitFor()
    await links(page).first().getByRole('button', { name: 'Link copied!' }).waitFor()
    // The terms of the link are not those of the next one.
    expect(await duration.isVisible()).toBe(false)
    const url = await links(page).first().getByLabel('Address of the link').inputValue()
    expect(url.startsWith(`${server().url}/share/`)).toBe(true)
    await links(page).first().getByText('Ends in 2 days', { exact: true }).waitFor()
    expect(await statusesOf(url, server(), password)).toEqual([401, 200])
    const shown = await fetch(`${server().url}/api/public/share/${url.split('/').at(-1)}`, {
      headers: { 'x-share-password': password },
    })
    expect(shown.headers.get('x-share-sender')).toBe('Ann')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await eventually(() => focusOf(page), 'SECTION Copy link')
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Link copied!' }).waitFor()
    await links(page).first().getByRole('button', { name: 'QR code' }).click()
    await links(page)
      .getByRole('img', { name: `QR code of ${url}` })
      .waitFor()
    // The sentence about the next link is shown with its terms, because it would seem to be about the link above.
    const nextLink = dialog(page).getByText('Anyone with the link can view and download, forever.')
    expect(await nextLink.count()).toBe(0)
    await options(page).click()
    await nextLink.waitFor()
    await options(page).click()
    await nextLink.waitFor({ state: 'detached' })

    await links(page).first().getByRole('button', { name: 'Delete the link' }).click()
    await eventually(() => links(page).count(), 1)
    expect(await statusesOf(url, server(), password)).toEqual([404, 404])
    const badge = rowOf(page, 'a%2Fb #?&+').getByTitle('Shared by a link')
    await badge.waitFor()
    await links(page).first().getByRole('button', { name: 'Delete the link' }).click()
    await badge.waitFor({ state: 'detached' })
    await eventually(() => links(page).count(), 0)
    await eventually(() => focusOf(page), 'SECTION Create link')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })

    // An administrator sees the links of all users.
    const address = `${server().url}/share/${await createLink(page, server(), 'report.txt', '')}`
    await createLink(page, server(), 'report.txt', '2')
    await signIn(page, server(), ada, '/settings/shares')
    const rows = page.getByRole('row')
    await eventually(() => rows.filter({ hasText: 'report.txt' }).filter({ hasText: 'ann' }).count(), 2)
    // The own links come first, although they are newer.
    await createLink(page, server(), 'report.txt', '')
    await page.reload()
    await eventually(() => rows.nth(1).filter({ hasText: 'ada' }).count(), 1)
    // Only the paths of the own links lead somewhere.
    await rows.nth(1).getByRole('link', { name: 'report.txt', exact: true }).waitFor()
    expect(await rows.filter({ hasText: 'ann' }).getByRole('link').count()).toBe(0)
    await rows.nth(1).getByRole('button', { name: 'Delete the link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(() => rows.count(), 3)
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Path',
      'Share Duration',
      'Username',
      'Actions',
    ])
    const permanent = rows.filter({ hasText: 'Permanent' })
    await permanent.getByRole('button', { name: 'Copy link' }).click()
    await noticeOf(page, 'Link copied!').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await rows.nth(1).getByRole('button', { name: 'Delete the link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(() => rows.count(), 2)
    const next = rows.nth(1).getByRole('button', { name: 'Delete the link' })
    await eventually(() => next.evaluate((button) => button === document.activeElement), true)
    await next.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await noticeOf(page, 'Share deleted!').waitFor()
    await page.getByText('It feels lonely here...').waitFor()
  })

  // Journey: shares-2
  testAtRoot(
    'a renamed file keeps its badge, a scheduled link waits for its date, Escape and a failure act on the form alone, and only some may share',
    async () => {
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

      // A scheduled link does not work before its date, and an end before the start is refused.
      await openShare(page, 'report.txt')
      await options(page).click()
      await dialog(page).getByRole('button', { name: '1 hour' }).click()
      await dialog(page).getByLabel('Schedule').fill('2099-01-01T10:00')
      await dialog(page).getByText('The link would end before it starts.').waitFor()
      await dialog(page).getByRole('button', { name: 'Permanent' }).click()
      await dialog(page).getByText('The link works from 1/1/99').waitFor()
      await dialog(page).getByRole('button', { name: 'Create link' }).click()
      await links(page).getByText('Works from 1/1/99').waitFor()
      const url = await links(page).getByLabel('Address of the link').inputValue()
      expect(await statusesOf(url, server(), '')).toEqual([404, 404])

      // Escape takes back what was typed for a further link before it closes the prompt.
      const duration = dialog(page).getByLabel('Share Duration')
      await options(page).click()
      await duration.fill('3')
      await page.keyboard.press('Escape')
      await eventually(() => duration.isVisible(), false)
      await options(page).click()
      expect(await duration.inputValue()).toBe('')
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })

      // A link that the server cannot make keeps what was typed.
      await openShare(page, 'report.txt')
      await options(page).click()
      await page.route('**/api/share/**', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await duration.fill('3')
      await dialog(page).getByRole('button', { name: 'Create another link' }).click()
      await dialog(page).getByRole('alert').getByText('The link could not be created.').waitFor()
      expect(await duration.inputValue()).toBe('3')

      // Users without the permission are offered neither links nor their list.
      await signIn(page, server(), bea)
      await rowOf(page, 'report.txt').waitFor()
      expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'My shared links' }).count()).toBe(0)
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('navigation', { name: 'Settings' }).getByText('Profile Settings').waitFor()
      expect(await page.getByRole('link', { name: 'Share Management' }).count()).toBe(0)
    },
  )

  // Journey: shares-3
  testAtRoot(
    'a link is changed in the prompt and in the share management, keeps its address and password, and may be for viewing only',
    async () => {
      const page = await openAs(ann, '/files/a%252Fb%20%23%3F&+/')
      await openShare(page, 'inside.txt')
      await options(page).click()
      await dialog(page).getByRole('button', { name: '1 day' }).click()
      await dialog(page).getByLabel('Optional password').fill('first')
      await dialog(page).getByRole('button', { name: 'Create link' }).click()
      const url = await links(page).getByLabel('Address of the link').inputValue()
      const download = `${url.replace('/share/', '/api/public/dl/')}?token=`
      const headers = { 'x-share-password': 'first' }
      const downloads = () =>
        Promise.all(['', '&inline=true'].map(async (q) => (await fetch(download + q, { headers })).status))
      expect(await downloads()).toEqual([200, 200])

      await links(page).getByRole('button', { name: 'Edit the link' }).click()
      await dialog(page).getByText('A duration that you enter counts from now.').waitFor()
      await dialog(page).getByLabel('Guests may').selectOption('View only')
      await dialog(page).getByText('Guests can still keep what they see.').waitFor()
      await dialog(page).getByText('Anyone with the link and the password can view').waitFor()
      await dialog(page).getByRole('button', { name: 'Permanent' }).click()
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      await eventually(
        () => dialog(page).evaluate((shown) => shown.getBoundingClientRect().right <= innerWidth),
        true,
      )
      await page.setViewportSize({ width: 1280, height: 800 })
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await links(page).getByText('View only').waitFor()
      await links(page).getByText('Permanent').waitFor()
      expect(await links(page).getByLabel('Address of the link').inputValue()).toBe(url)
      expect(await downloads()).toEqual([403, 200])

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

  testAtRoot(
    'many links are filtered and sorted, have QR codes, are cards on phones, and follow changes on other devices',
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
      const hash = await createLink(page, server(), 'a%2Fb #?&+/', '')
      for (let count = 2; count <= 12; count += 1)
        await createLink(page, server(), 'report.txt', String(count))
      await refresh()
      await eventually(() => rows.count(), 12)
      expect(await violationsIn(page, 'light')).toEqual([])
      const filter = page.getByRole('searchbox', { name: 'Filter by path' })
      await filter.fill('A%2F')
      await eventually(() => rows.count(), 1)
      await filter.fill('no such path')
      await page.getByText('No link matches the filter.').waitFor()
      await filter.fill('')
      const end = page.getByRole('columnheader', { name: 'Share Duration' })
      await end.getByRole('button').click()
      await eventually(() => end.getAttribute('aria-sort'), 'ascending')
      await rows.first().getByText('in 2 hours').waitFor()
      await end.getByRole('button').focus()
      await page.keyboard.press('Enter')
      await eventually(() => end.getAttribute('aria-sort'), 'descending')
      await rows.first().getByText('Permanent').waitFor()

      expect(await page.getByLabel('Sort', { exact: true }).isVisible()).toBe(false)

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

      await filter.fill('a%2Fb')
      await rows.first().getByRole('button', { name: 'QR code' }).click()
      const code = page.getByRole('dialog', { name: 'Share “a%2Fb #?&+”', exact: true })
      await code.getByRole('img', { name: `QR code of ${server().url}/share/${hash}` }).waitFor()
      expect(await violationsIn(page, 'light')).toEqual([])
      await code.getByRole('button', { name: 'Close' }).click()
      await rows.first().getByRole('button', { name: 'Edit the link' }).click()
      await page.getByRole('dialog', { name: 'Share “a%2Fb #?&+”', exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })

      await page.evaluate(async (id) => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        await fetch(`/api/share/${id}`, { method: 'DELETE', headers })
      }, hash)
      await refresh()
      await page.getByText('No link matches the filter.').waitFor()
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
      await alias.fill('short')
      await dialog(page).getByText('Use 9 to 40 letters').waitFor()
      expect(await create.isDisabled()).toBe(true)
      await alias.fill('Quarterly-Report')
      await dialog(page).getByLabel('Maximum number of downloads').fill('1')
      await dialog(page).getByText('The number of downloads is limited to 1.').waitFor()
      await create.click()
      await links(page).getByText('Downloads: 0 of 1').waitFor()
      const url = `${server().url}/share/quarterly-report`
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)

      // Another link does not get the address, and what was typed stays.
      await options(page).click()
      const another = dialog(page).getByRole('button', { name: 'Create another link' })
      await alias.fill('quarterly-report')
      await another.click()
      await dialog(page).getByText('This address is not available.').waitFor()
      expect(await links(page).count()).toBe(1)
      await alias.fill('quarterly-report-2')
      await eventually(() => another.isDisabled(), false)
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
