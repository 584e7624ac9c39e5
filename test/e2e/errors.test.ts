import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { eventually, atRoot, namesShown } from './journeys.ts'

const reportAddress = 'https://bugs.example.org/new'

const files = {
  Photos: Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`photo ${index}.jpg`, ''])),
  Archive: { 'old.txt': '' },
  Failing: { 'late.txt': '' },
  Protected: {},
  'report.txt': 'quarterly',
}

/** Returns the texts of the error screen: the sentence, what to do next, and the buttons. */
const errorOf = async (page: Page): Promise<string[]> => {
  const main = page.getByRole('main')
  const heading = main.getByRole('heading', { level: 1 })
  return [await heading.innerText(), ...(await main.getByRole('button').allInnerTexts())].filter(Boolean)
}

/** Fails unless the page still has its header, its sidebar and its breadcrumb. */
async function expectFrame(page: Page): Promise<void> {
  await page.getByRole('banner').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
}

const notices = (page: Page) => page.locator('[data-part="notices"]')

atRoot(
  { files, init: [`--branding.reportIssueURL=${reportAddress}`] },
  ({ server, window, freshWindow, testAtRoot }) => {
    const openRoot = async (person = ann, openWindow = window): Promise<Page> => {
      const page = await openWindow()
      await signIn(page, server(), person)
      await rowOf(page, /^report\.txt/).waitFor()
      return page
    }
    const put = (name: string): Promise<void> => writeFile(path.join(server().folder, name), 'x')

    // Journey: errors-1
    test('an unknown address is redirected under the files and cannot be reached, and the files without a slash are the root folder', async () => {
      const page = await window()
      await signIn(page, server(), ann, '/anything/x')
      await page.waitForURL(`${server().url}/files/anything/x`)
      await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
      await page.getByText('There is nothing with this name here.').waitFor()
      await expectFrame(page)
      await page.getByRole('main').getByRole('button', { name: 'My files' }).click()
      await rowOf(page, /^report\.txt/).waitFor()
      await page.goto(`${server().url}/files`)
      await page.waitForURL(`${server().url}/files/`)
      await rowOf(page, /^report\.txt/).waitFor()
    })

    // Journey: errors-2
    testAtRoot(
      'a folder that loads slowly shows a skeleton after the old rows, and one that is protected, fails or has no server says so with the next step',
      async () => {
        const page = await openRoot()
        const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
        await page.route('**/api/resources/Photos/', async (route) => {
          await isReleased
          await route.continue()
        })
        const rowsAtStart = page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const observer = new MutationObserver(() => {
                if (document.querySelector('main [aria-busy="true"]') === null) return
                observer.disconnect()
                resolve(document.querySelectorAll('[role="row"][data-name]').length)
              })
              observer.observe(document.body, { subtree: true, attributes: true, childList: true })
            }),
        )
        await rowOf(page, /^Photos/).dblclick()
        expect(await rowsAtStart).toBeGreaterThan(0)
        await eventually(() => namesShown(page), [])
        await page.getByRole('main').getByText('Loading...').waitFor({ state: 'attached' })
        expect(await page.locator('main [aria-busy="true"]').count()).toBeGreaterThan(0)
        release()
        await rowOf(page, /^photo 0\.jpg/).waitFor()
        const spoken = page.locator('[aria-live="polite"]').first()
        await eventually(() => spoken.innerText(), 'Photos, 48 items')
        await eventually(() => page.locator('main [aria-busy="true"]').count(), 0)

        await page.goBack()
        await page.route('**/api/resources/Protected/', (route) =>
          route.fulfill({ status: 403, headers: { 'X-Error': 'forbidden' }, body: '403 Forbidden\n' }),
        )
        await rowOf(page, /^Protected/).dblclick()
        await page.getByRole('heading', { name: "You don't have permissions to access this." }).waitFor()
        await page.getByText('Ask an administrator if you need access.').waitFor()
        await expectFrame(page)

        await page.goBack()
        await page.route(
          '**/api/resources/Failing/',
          (route) =>
            route.fulfill({
              status: 500,
              headers: { 'X-Error': 'internal', 'X-Request-Id': 'r-4711' },
              body: '500\n',
            }),
          { times: 1 },
        )
        await rowOf(page, /^Failing/).dblclick()
        await page.getByRole('heading', { name: 'Something really went wrong.' }).waitFor()
        await page.getByText('Request r-4711').waitFor()
        await page.getByRole('button', { name: 'Retry' }).click()
        await rowOf(page, /^late\.txt/).waitFor()

        await page.goBack()
        await rowOf(page, /^Archive/).waitFor()
        await server().stop()
        await rowOf(page, /^Archive/).dblclick()
        await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
        await expectFrame(page)
        await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
        await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
        await server().start()
        await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
        await rowOf(page, /^old\.txt/).waitFor()
      },
    )

    // Journey: errors-3
    testAtRoot(
      'a folder that was deleted says so and leads to its parent, and a broken link says that it points nowhere',
      async () => {
        await mkdir(path.join(server().folder, 'kept'), { recursive: true })
        const page = await openRoot()
        const searchField = page.getByRole('searchbox', { name: 'Search' })
        const place = await searchField.boundingBox()
        const sidebar = page.getByRole('navigation', { name: 'Main' })
        await sidebar.getByRole('tree').waitFor()
        const treePlace = await sidebar.getByRole('tree').boundingBox()
        const settingsPlace = await sidebar.getByRole('link', { name: 'Settings' }).boundingBox()
        await page.goto(`${server().url}/files/kept/gone/`)
        await page.getByText('There is nothing with this name here.').waitFor()
        expect(await searchField.boundingBox()).toEqual(place)
        await sidebar.getByRole('tree').waitFor()
        expect(await sidebar.getByRole('button', { name: 'New folder' }).isDisabled()).toBe(true)
        expect(await sidebar.getByRole('button', { name: 'Pin this folder' }).count()).toBe(0)
        expect(await sidebar.getByRole('link', { name: 'Settings' }).boundingBox()).toEqual(settingsPlace)
        expect(await sidebar.getByRole('tree').boundingBox()).toEqual(treePlace)
        expect(await page.locator('[aria-live]').allInnerTexts()).toEqual([
          '',
          "This location can't be reached.",
        ])
        await page.getByRole('main').getByRole('button', { name: 'Go up' }).click()
        await page.waitForURL(`${server().url}/files/kept/`)
        await sidebar.getByRole('button', { name: 'New folder' }).waitFor()
        await symlink('nowhere', path.join(server().folder, 'dangling'))
        await page.goto(`${server().url}/files/dangling`)
        await page.getByText('This link points nowhere.').waitFor()
        expect(await errorOf(page)).toEqual(["This location can't be reached.", 'My files'])
        await expectFrame(page)
      },
    )

    // Journey: errors-4
    testAtRoot(
      'a success notice disappears after a second, unless the mouse is over it, an error notice stays until it is closed, and a refusal names the permission',
      async () => {
        for (const name of ['over.txt', 'stuck.txt', 'kept.txt']) await put(name)
        const page = await openRoot(ann, freshWindow)
        await page.clock.install()
        const pressDelete = async (row: RegExp) => {
          await rowOf(page, row).click()
          await page.keyboard.press('Delete')
          await page.getByRole('dialog').waitFor()
        }
        await pressDelete(/^over\.txt/)
        await page.keyboard.press('Enter')
        const notice = notices(page).getByText('over.txt deleted')
        const { x, y } = (await notice.boundingBox())!
        expect([x > 640, y > 640]).toEqual([true, true])
        await notice.hover()
        await page.clock.runFor(5000)
        expect(await notice.count()).toBe(1)
        await page.mouse.move(10, 10)
        await page.clock.runFor(1100)
        await eventually(() => notice.count(), 0)

        await page.route('**/api/resources/stuck.txt', (route) =>
          route.fulfill({ status: 500, body: '500\n' }),
        )
        await pressDelete(/^stuck\.txt/)
        await page.keyboard.press('Enter')
        const report = notices(page).getByRole('link', { name: 'Report issue' })
        await report.waitFor()
        expect(await report.getAttribute('href')).toBe(reportAddress)
        await page.clock.runFor(60_000)
        expect(await report.count()).toBe(1)
        await notices(page).getByRole('button', { name: 'Close' }).click()
        await eventually(() => report.count(), 0)

        // Where external links are disabled, the notice offers no report.
        await server().cli('config', 'set', '--branding.disableExternal')
        await page.reload()
        await pressDelete(/^stuck\.txt/)
        await page.keyboard.press('Enter')
        await notices(page).getByRole('button', { name: 'Close' }).waitFor()
        expect(await notices(page).getByRole('link').count()).toBe(0)
        await server().cli('config', 'set', '--branding.disableExternal=false')
        await notices(page).getByRole('button', { name: 'Close' }).click()
        await eventually(() => notices(page).getByRole('button', { name: 'Close' }).count(), 0)

        await pressDelete(/^kept\.txt/)
        await server().cli('users', 'update', ann.name, '--perm.delete=false')
        try {
          await page.keyboard.press('Enter')
          await notices(page)
            .getByText(
              'You do not have the permission to delete files and folders. Ask an administrator for it.',
            )
            .waitFor()
          await rowOf(page, /^kept\.txt/).waitFor()
        } finally {
          await server().cli('users', 'update', ann.name, '--perm.delete=true')
        }
      },
    )
  },
)
