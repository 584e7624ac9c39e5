import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann, bea, type TestUser } from '../kit/run-server.ts'
import type { FileTree } from '../kit/tree.ts'
import { doOverlap, eventually, atRoot, isUncovered, violationsIn } from './journeys.ts'

const folders = (count: number, prefix: string): FileTree =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix} ${n}`, {}]))
const files = {
  Docs: { Letters: { 'old mail': {} }, 'inside.txt': '1' },
  Photos: { 2023: {}, 2024: {} },
  'odd #?&+ 100%': { 'a%2Fb': { 'deep 😀': {} }, ...folders(60, 'side') },
  a: { b: { c: { d: { e: { 'bottom.txt': 'x' } }, 'd 2': {} } } },
  many: folders(230, 'folder'),
  'report.txt': 'q',
}

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const tree = (page: Page) => sidebar(page).getByRole('tree', { name: 'Folders' })
const branch = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: true })

/** Returns the names of the tree's lines from the top, indented by their level. */
const treeShown = (page: Page): Promise<string[]> =>
  tree(page)
    .getByRole('treeitem')
    .evaluateAll((items) =>
      items.map((item) => '  '.repeat(Number(item.ariaLevel) - 1) + (item.textContent ?? '')),
    )

/** Returns the accessible names of the sidebar's links and buttons from the top, without the folders. */
const itemsShown = (page: Page): Promise<string[]> =>
  sidebar(page)
    .locator('a:not([role]), button')
    .evaluateAll((items) => items.map((item) => (item.ariaLabel ?? item.textContent ?? '').trim()))

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '')

/** The address in the page, below the server's URL. */
const addressOf = (page: Page, url: string): string => decodeURI(page.url()).slice(url.length)

const cyd = { name: 'cyd', password: 'cyd has a long password', flags: ['--hideDotfiles'] }

atRoot({ files, people: [ann, bea, cyd] }, ({ server, window, testAtRoot }) => {
  const openAs = async (person: TestUser, address = '/files/', options = {}) => {
    const page = await window(options)
    await signIn(page, server(), person, address)
    await page.getByRole('grid').or(page.getByText('It feels lonely here...')).first().waitFor()
    return page
  }
  const disk = (...names: string[]) => path.join(server().folder, ...names)

  // Journey: sidebar-1
  test('a user finds the files, new entries, Settings, the name, Logout and Help in the sidebar, and the tree opens folders, expands to the open folder and marks it', async () => {
    const page = await openAs(ann)
    await tree(page).waitFor()
    await eventually(
      () => itemsShown(page),
      [
        'My files',
        'New folder',
        'New file',
        'Go to fileCtrl+P',
        'My shared links',
        'Settings',
        'Logout',
        'Help',
        'Theme',
      ],
    )
    await sidebar(page).getByText('ann', { exact: true }).waitFor()
    expect(await page.title()).toBe('Files')

    await branch(page, 'Docs').click()
    await rowOf(page, /Letters/).waitFor()
    await eventually(() => page.title(), 'Docs - Files')
    await branch(page, 'Docs').locator('[data-chevron]').click()
    await branch(page, 'Letters').click()
    await rowOf(page, /old mail/).dblclick()
    await eventually(() => addressOf(page, server().url), '/files/Docs/Letters/old mail/')
    await eventually(() => tree(page).locator('[aria-current=page]').allTextContents(), ['old mail'])
    await sidebar(page).getByRole('link', { name: 'My files' }).click()
    await rowOf(page, /report\.txt/).waitFor()
    expect(page.url()).toBe(`${server().url}/files/`)

    await page.goto(`${server().url}/files/odd%20%23%3F%26%2B%20100%25/a%252Fb/`)
    await rowOf(page, /deep/).waitFor()
    await eventually(
      async () => (await treeShown(page)).filter((line) => /odd|a%2Fb/.test(line)),
      ['odd #?&+ 100%', '  a%2Fb'],
    )
    await branch(page, 'a%2Fb').locator('[data-chevron]').click()
    await branch(page, 'deep 😀').click()
    await page.getByText('It feels lonely here...').waitFor()
    expect(page.url()).toBe(`${server().url}/files/odd%20%23%3F%26%2B%20100%25/a%252Fb/deep%20%F0%9F%98%80/`)
  })

  // Journey: sidebar-2
  test('a folder is pinned, its pin is moved and stays for this user only, and without the create permission nothing new is offered', async () => {
    const page = await openAs(ann, '/files/a/b/c/d%202/')
    const pins = sidebar(page).getByRole('region', { name: 'Pins' })
    await pins.getByRole('button', { name: 'Pin this folder' }).click()
    await pins.getByRole('button', { name: 'Unpin this folder' }).waitFor()
    await branch(page, 'Docs').click()
    await pins.getByRole('button', { name: 'Pin this folder' }).click()
    await eventually(() => pins.getByRole('link').allTextContents(), ['d 2', 'Docs'])
    await pins.getByRole('button', { name: 'More about Docs' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await eventually(() => pins.getByRole('link').allTextContents(), ['Docs', 'd 2'])
    await page.reload()
    await pins.getByRole('link', { name: 'd 2' }).click()
    await eventually(() => addressOf(page, server().url), '/files/a/b/c/d 2/')
    await pins.getByRole('button', { name: 'Unpin this folder' }).click()
    await eventually(() => pins.getByRole('link').allTextContents(), ['Docs'])

    await signIn(page, server(), bea)
    await tree(page).waitFor()
    await pins.getByText('Pinned folders appear here.').waitFor()
    await eventually(
      () => itemsShown(page),
      ['My files', 'Go to fileCtrl+P', 'Settings', 'Logout', 'Help', 'Theme'],
    )
  })

  testAtRoot(
    'the menu of a folder pins it, a pin follows a rename and says when its folder is gone, and the tooltip beside it covers no name',
    async () => {
      await mkdir(disk('to pin'))
      const page = await openAs(ann)
      await tree(page).waitFor()
      const pins = sidebar(page).getByRole('region', { name: 'Pins' })
      await rowOf(page, /Photos/).click({ button: 'right' })
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
      await pins.getByRole('link', { name: 'Photos' }).waitFor()
      await rowOf(page, /Photos/).click({ button: 'right' })
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Unpin' }).click()
      await eventually(() => pins.getByRole('link').count(), 0)
      await rowOf(page, /report/).click({ button: 'right' })
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Info' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Pin', exact: true }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })

      await branch(page, 'to pin').click()
      await page.getByText('It feels lonely here...').waitFor()
      await pins.getByRole('button', { name: 'Pin this folder' }).click()
      const pin = pins.getByRole('link', { name: 'to pin' })
      await pin.waitFor()
      await page.mouse.move(700, 400)
      const unpin = pins.getByRole('button', { name: 'Unpin this folder' })
      await unpin.hover()
      const tip = unpin.locator('[data-text="Unpin this folder"]')
      await eventually(() => tip.evaluate((element) => getComputedStyle(element).opacity), '1')
      expect(await doOverlap(tip, pin)).toBe(false)
      const { x = 0 } = (await tip.boundingBox()) ?? {}
      expect(x).toBeGreaterThan(0)

      await sidebar(page).getByRole('link', { name: 'My files' }).click()
      await rowOf(page, /to pin/).click()
      await page.getByRole('button', { name: 'Rename' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').fill('pinned now')
      await page.keyboard.press('Enter')
      await pins.getByRole('link', { name: 'pinned now' }).waitFor()
      await rm(disk('pinned now'), { recursive: true })
      await page.reload()
      await pins.getByText('not found').waitFor()
      await pins.getByRole('button', { name: 'Unpin pinned now' }).click()
      await eventually(() => pins.getByRole('link').count(), 0)
    },
  )

  // Journey: sidebar-3
  testAtRoot(
    'the disk usage moves nothing when it appears, the tree is used with the keyboard, the sidebar mirrors from right to left, and a refused usage leaves no trace',
    async () => {
      const page = await window()
      const answered = Promise.withResolvers<undefined>()
      await page.route('**/api/usage/', async (route) => {
        await answered.promise
        await route.continue()
      })
      await signIn(page, server(), ann)
      await tree(page).waitFor()
      const place = () => sidebar(page).getByRole('link', { name: 'Settings' }).boundingBox()
      const before = await place()
      answered.resolve(undefined)
      const meter = sidebar(page).getByRole('meter', { name: 'Disk usage' })
      await meter.waitFor()
      expect(await place()).toEqual(before)
      const { bsize, blocks, bfree } = await statfs(server().folder)
      const [max, value] = await meter.evaluate((element: HTMLMeterElement) => [element.max, element.value])
      expect(max).toBe(blocks * bsize)
      // Other programs may write to the same disk during the test.
      expect(Math.abs((value ?? 0) - (blocks - bfree) * bsize)).toBeLessThan((blocks * bsize) / 100)
      await sidebar(page)
        .getByText(/^[\d.,]+\s[KMGT]B of [\d.,]+\s[KMGT]B used$/)
        .waitFor()

      await branch(page, 'a').focus()
      for (const [key, name] of [
        ['ArrowDown', 'Docs'],
        ['ArrowRight', 'Docs'],
        ['ArrowRight', 'Letters'],
        ['ArrowLeft', 'Docs'],
        ['ArrowLeft', 'Docs'],
        ['ArrowDown', 'many'],
        ['Home', 'a'],
        ['p', 'Photos'],
        ['End', 'Photos'],
      ] as const) {
        await page.keyboard.press(key)
        if (key === 'ArrowRight') await branch(page, 'Letters').waitFor()
        expect([key, await focusedName(page)]).toEqual([key, name])
      }
      await page.keyboard.press('Enter')
      await rowOf(page, /2024/).waitFor()
      expect(addressOf(page, server().url)).toBe('/files/Photos/')
      expect(await tree(page).locator('[tabindex="0"]').count()).toBe(1)

      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      await branch(page, 'Letters').waitFor({ state: 'detached' })
      await branch(page, 'Docs').focus()
      await page.keyboard.press('ArrowLeft')
      await branch(page, 'Letters').waitFor()
      const edge = page.getByRole('separator', { name: 'Width of the sidebar' })
      const mirrored = await edge.boundingBox()
      await edge.focus()
      await page.keyboard.press('ArrowLeft')
      await eventually(async () => (await edge.boundingBox())?.x, (mirrored?.x ?? 0) - 8)

      await page.unroute('**/api/usage/')
      await page.route('**/api/usage/', (route) => route.fulfill({ status: 403, body: '403 Forbidden\n' }))
      const refused = page.waitForResponse('**/api/usage/')
      await page.reload()
      await refused
      await tree(page).waitFor()
      expect(await sidebar(page).getByRole('meter').count()).toBe(0)
      expect(await page.getByRole('alert').count()).toBe(0)
    },
  )

  testAtRoot(
    'the tree follows what is created, renamed and deleted, here and by other programs, and hides hidden folders from users who do not see them',
    async () => {
      const page = await openAs(ann, '/files/Photos/')
      await branch(page, '2023').waitFor({ state: 'detached' })
      await branch(page, 'Photos').locator('[data-chevron]').click()
      await branch(page, '2024').waitFor()
      const shown = async () => (await treeShown(page)).filter((line) => /^ {2}\S/.test(line))
      await rowOf(page, /2024/).click()
      await page.getByRole('button', { name: 'Rename' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').fill('2025')
      await page.keyboard.press('Enter')
      await eventually(shown, ['  2023', '  2025'])
      await rowOf(page, /2023/).click()
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await eventually(shown, ['  2025'])
      await mkdir(disk('Photos', '2024'))
      await sidebar(page).getByRole('button', { name: 'New folder' }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('2026')
      await page.keyboard.press('Enter')
      await eventually(() => addressOf(page, server().url), '/files/Photos/2026/')
      await eventually(shown, ['  2024', '  2025', '  2026'])

      // Other programs change the folders above the open one, and delete the open one at last.
      await page.getByText('It feels lonely here...').waitFor()
      for (const name of ['.secret', 'Zed']) await mkdir(disk(name))
      for (const name of ['.secret', 'Zed']) await branch(page, name).waitFor()
      await rename(disk('Zed'), disk('Zoe'))
      await branch(page, 'Zoe').waitFor()
      await branch(page, 'Zed').waitFor({ state: 'detached' })
      for (const folder of [disk('Zoe'), disk('Photos', '2026')]) await rm(folder, { recursive: true })
      for (const name of ['Zoe', '2026']) await branch(page, name).waitFor({ state: 'detached' })
      await rm(disk('Photos'), { recursive: true })
      await branch(page, 'Photos').waitFor({ state: 'detached' })

      await signIn(page, server(), cyd)
      await branch(page, 'Docs').waitFor()
      expect(await branch(page, '.secret').count()).toBe(0)
      await rm(disk('.secret'), { recursive: true })
      await mkdir(disk('Photos', '2023'), { recursive: true })
      await mkdir(disk('Photos', '2024'))
    },
  )

  testAtRoot(
    'a folder shows 200 of its subfolders and more on request, has no arrow while it has none, and is listed again after a failure',
    async () => {
      const page = await openAs(ann)
      await page.route('**/api/resources/Docs/*', (route) => route.fulfill({ status: 500, body: '' }))
      await branch(page, 'Docs').locator('[data-chevron]').click()
      const retry = tree(page).getByRole('treeitem', { name: 'Could not be loaded. Try again' })
      await retry.waitFor()
      await page.unroute('**/api/resources/Docs/*')
      await retry.click()
      await branch(page, 'Letters').waitFor()

      await branch(page, 'many').locator('[data-chevron]').click()
      const more = tree(page).getByRole('treeitem', { name: 'Show more (30)' })
      await more.waitFor()
      const count = async () => (await treeShown(page)).filter((line) => line.startsWith('  folder')).length
      expect(await count()).toBe(200)
      await more.click()
      await eventually(count, 230)
      expect(await more.count()).toBe(0)
      await branch(page, 'many').locator('[data-chevron]').click()
      await eventually(count, 0)

      // The arrows of folders without subfolders follow what other programs create, delete and rename.
      await branch(page, 'Photos').locator('[data-chevron]').click()
      const arrows = (name: string) => branch(page, name).locator('[data-chevron] svg').count()
      await branch(page, '2023').waitFor()
      await eventually(
        async () => [await arrows('2023'), await arrows('2024'), await arrows('Docs')],
        [0, 0, 1],
      )
      // Without an arrow and with `aria-expanded`, a folder has not been looked at yet.
      await eventually(() => branch(page, '2023').getAttribute('aria-expanded'), null)
      await mkdir(disk('Photos', '2023', 'May'))
      await page.mouse.move(640, 400)
      await branch(page, '2023').hover()
      await eventually(() => arrows('2023'), 1)
      await rm(disk('Photos', '2023', 'May'), { recursive: true })
      await rename(disk('Photos', '2023'), disk('Photos', '2022'))
      await eventually(() => arrows('2022'), 0)
      await page.goto(`${server().url}/files/Photos/2024/`)
      await eventually(() => arrows('2024'), 0)
      await branch(page, 'Docs').hover()
      await mkdir(disk('Photos', '2024', 'May'))
      await eventually(() => arrows('2024'), 1)
      await branch(page, '2024').locator('[data-chevron]').click()
      await branch(page, 'May').waitFor()
      await rm(disk('Photos', '2024', 'May'), { recursive: true })
      await eventually(() => arrows('2024'), 0)
      await branch(page, 'Photos').locator('[data-chevron]').click()
      await branch(page, '2024').waitFor({ state: 'detached' })
      await branch(page, 'Photos').locator('[data-chevron]').click()
      await branch(page, '2024').waitFor()
      await eventually(() => arrows('2024'), 0)
      expect(await arrows('Docs')).toBe(1)
    },
  )

  testAtRoot(
    'the sidebar is resized with the mouse and the keyboard, has the names beside the icons of its rail, keeps both, and opens above the list up to 1024 px',
    async () => {
      const page = await openAs(ann)
      const edge = page.getByRole('separator', { name: 'Width of the sidebar' })
      const toggle = page.getByRole('button', { name: 'Toggle sidebar' })
      const width = async () => Math.round((await sidebar(page).boundingBox())?.width ?? 0)
      await edge.focus()
      expect(await width()).toBe(248)
      await page.keyboard.press('ArrowRight')
      await eventually(width, 256)
      await page.keyboard.press('Home')
      await eventually(width, 200)
      const box = await edge.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 6, 400)
      await page.mouse.down()
      await page.mouse.move(330, 410)
      await page.mouse.up()
      await eventually(width, 330)

      await toggle.click()
      await eventually(width, 56)
      for (const name of ['My files', 'New folder', 'Go to file', 'Logout', 'Help']) {
        await sidebar(page)
          .getByRole('link', { name })
          .or(sidebar(page).getByRole('button', { name }))
          .hover()
        const label = sidebar(page).getByText(name, { exact: true })
        await eventually(() => label.evaluate((element) => getComputedStyle(element).opacity), '1')
        const { x, width: labelWidth } = (await label.boundingBox())!
        const isOnTop = await label.evaluate((element) => {
          const { left, top } = element.getBoundingClientRect()
          element.style.pointerEvents = 'auto'
          return document.elementFromPoint(left + 4, top + 4) === element
        })
        expect([name, x >= 56, x + labelWidth < 1280, isOnTop]).toEqual([name, true, true, true])
      }
      await sidebar(page).getByRole('button', { name: 'Go to file' }).click()
      await page.getByRole('dialog', { name: 'Go to file' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.reload()
      await eventually(width, 56)
      await toggle.click()
      await eventually(width, 330)
      await edge.focus()
      await page.keyboard.press('End')
      await eventually(width, 400)
      await edge.dblclick()
      await eventually(width, 248)

      // From 737 to 1024 px, the rail opens until Escape, a press beside it or a navigation.
      await page.setViewportSize({ width: 1024, height: 768 })
      const listStart = async () => (await page.getByRole('main').boundingBox())?.x
      await eventually(async () => [await width(), await listStart()], [56, 56])
      await toggle.click()
      await eventually(width, 280)
      expect(await listStart()).toBe(56)
      await branch(page, 'Photos').waitFor()
      expect(await sidebar(page).getByText('ann', { exact: true }).isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await eventually(width, 56)
      await page.keyboard.press('Control+b')
      await eventually(width, 280)
      await page.mouse.click(700, 400)
      await eventually(width, 56)
      await page.keyboard.press('Control+b')
      await branch(page, 'Photos').click()
      await page.waitForURL('**/files/Photos/')
      await eventually(width, 56)
    },
  )

  testAtRoot(
    'up to 736 px the sidebar is a drawer that covers the page until it is closed, and opens at its top however far down the open folder is',
    async () => {
      const page = await openAs(ann, '/files/odd%20%23%3F%26%2B%20100%25/side%2050/', {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      })
      const toggle = page.getByRole('button', { name: 'Toggle sidebar' })
      const pins = sidebar(page).getByText('Pins', { exact: true })
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 900, height: 600 },
      ]) {
        await page.setViewportSize(viewport)
        for (const _ of ['a first time', 'after it was scrolled']) {
          await toggle.click()
          await branch(page, 'side 50').waitFor()
          await eventually(() => isUncovered(pins), true)
          await branch(page, 'side 50').evaluate((item) => item.scrollIntoView())
          expect(await isUncovered(pins)).toBe(false)
          await page.keyboard.press('Escape')
          await eventually(() => pins.isVisible(), false)
        }
      }

      await page.setViewportSize({ width: 736, height: 800 })
      await eventually(() => sidebar(page).isVisible(), false)
      await toggle.click()
      expect(await sidebar(page).evaluate((nav) => nav.contains(document.activeElement))).toBe(true)
      await sidebar(page).getByRole('button', { name: 'Close the menu' }).click()
      await eventually(() => sidebar(page).isVisible(), false)
      expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)
      await toggle.click()
      await page.keyboard.press('Escape')
      await eventually(() => sidebar(page).isVisible(), false)
      await toggle.click()
      await sidebar(page).getByRole('link', { name: 'My files' }).click()
      await rowOf(page, /report\.txt/).waitFor()
      await eventually(() => sidebar(page).isVisible(), false)

      // A touch beside the drawer closes it, and does not reach the row below the finger.
      await toggle.click()
      const { y = 0, height = 0 } = (await page.getByRole('row').last().boundingBox()) ?? {}
      const touch = await page.context().newCDPSession(page)
      const point = { x: 650, y: y + height / 2 }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await eventually(() => sidebar(page).isVisible(), false)
      expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(0)
      await toggle.click()
      await branch(page, 'Docs').click()
      await rowOf(page, /inside\.txt/).waitFor()
      await eventually(() => sidebar(page).isVisible(), false)
      await page.setViewportSize({ width: 737, height: 800 })
      await eventually(() => sidebar(page).isVisible(), true)
      expect((await sidebar(page).boundingBox())?.width).toBe(56)
    },
  )

  // The two journeys about guests are the last ones, because they change the settings of the server.
  const reportAddress = 'https://bugs.example/new'
  const reportFlag = `--branding.reportIssueURL=${reportAddress}`
  testAtRoot(
    'the button that finds a file covers none of the folders, however far they are scrolled',
    async () => {
      const page = await openAs(ann, '/files/odd%20%23%3F%26%2B%20100%25/side%2050/')
      await branch(page, 'side 50').waitFor()
      const pin = sidebar(page).getByRole('button', { name: 'Pin this folder' })
      const scroller = pin.locator('xpath=ancestor::section/..')
      for (const [scrolledPx, isSeen] of [
        [0, true],
        [20, true],
        [60, false],
      ] as const) {
        await scroller.evaluate((element, top) => (element.scrollTop = top), scrolledPx)
        expect([scrolledPx, await violationsIn(page, 'light')]).toEqual([scrolledPx, []])
        expect([scrolledPx, await isUncovered(pin)]).toEqual([scrolledPx, isSeen])
      }
    },
  )

  // Journey: sidebar-4
  test('a guest finds Login, the credits and Help in the sidebar', async () => {
    await server().cli('config', 'set', reportFlag)
    const page = await window()
    await page.goto(`${server().url}/404`)
    await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
    await eventually(() => itemsShown(page), ['Login', 'Stowage', 'Help', 'Theme'])
    const credits = sidebar(page)
      .getByRole('paragraph')
      .filter({ hasText: /^Stowage \d/ })
    expect(await credits.getByRole('link').getAttribute('href')).toBe(reportAddress)
    await sidebar(page).getByRole('button', { name: 'Help' }).click()
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await sidebar(page).getByRole('link', { name: 'Login' }).click()
    await page.getByLabel('Username').waitFor()
  })

  // Journey: sidebar-5
  testAtRoot(
    'the administrator can hide the disk usage, and Login and the link of the credits from guests',
    async () => {
      const hidden = ['--hideLoginButton', '--branding.disableExternal', '--branding.disableUsedPercentage']
      await server().cli('config', 'set', ...hidden, reportFlag)
      const page = await window()
      await page.goto(`${server().url}/404`)
      await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
      await eventually(() => itemsShown(page), ['Help', 'Theme'])
      await sidebar(page)
        .getByText(/^Stowage$/)
        .waitFor()
      expect(await page.getByRole('button', { name: 'Login' }).count()).toBe(0)
      await signIn(page, server(), ann)
      await page.getByRole('separator', { name: 'Width of the sidebar' }).waitFor()
      expect(
        await sidebar(page)
          .getByText(/ used$/)
          .count(),
      ).toBe(0)
    },
  )
})
