import { utimesSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewShare } from '../../src/shared/contract/shares.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { photoTakenAt, transparentPng, twoColours } from '../kit/images.ts'
import { ann, bea, type RunningServer } from '../kit/run-server.ts'
import { chooseInView, eventually, everywhere, violationsIn, violationsInBothThemes } from './journeys.ts'

const photo = (at: number): Promise<Buffer> =>
  twoColours(400 + at, 300)
    .jpeg()
    .toBuffer()
/** A photo of 3000 × 2000 pixels that was taken in 2024. */
const largePhoto = await twoColours(3000, 2000)
  .withExif({ IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
  .jpeg()
  .toBuffer()
const odd = 'a%2Fb #?&+ 🎉'
const markup = '<img src=x onerror=alert(1)>.txt'
const hostile = 'parent.document.title = document.title = "taken over"'
const files = {
  Photos: {
    [odd]: { two: { three: { four: { 'deep.txt': 'deep' } } } },
    '1.png': await transparentPng(),
    '2.txt': 'hello',
    '3.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>${hostile}</script></svg>`,
    '4.html': `<script>${hostile}</script><p>a page</p>`,
    [markup]: 'markup',
  },
  Many: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${at + 10_000}.txt`, `${at}`])),
  // More names than the URL of a request can contain.
  Long: Object.fromEntries(Array.from({ length: 1300 }, (_, at) => [`${'x'.repeat(200)}${at}.txt`, ''])),
  Album: {
    ...Object.fromEntries(await Promise.all([1, 2, 3].map(async (at) => [`${at}.jpg`, await photo(at)]))),
    'broken.png': 'no picture',
    'notes.txt': 'notes\n'.repeat(200),
  },
  Trips: {
    [odd]: Object.fromEntries(
      await Promise.all([1, 2, 3, 4, 5].map(async (at) => [`${at} #?.jpg`, await photo(at)])),
    ),
    Notes: { 'a.txt': 'a', deep: {} },
    Nothing: {},
  },
  Dated: {
    '1.jpg': await photoTakenAt('2020:03:04 05:06:07'),
    '2.jpg': await photoTakenAt('2019:04:05 06:07:08'),
    '3.jpg': await photo(4),
  },
  Large: { '1.jpg': largePhoto, '2.jpg': largePhoto },
  Tour: {
    'Beach days': {},
    'On the ferry': {},
    ...Object.fromEntries(await Promise.all([1, 2, 3].map(async (at) => [`${at}.jpg`, await photo(at)]))),
  },
  Solo: { 'only.txt': 'the only one' },
  Empty: {},
  'single.md': '# A heading',
}

/** Shares an entry as Ann and returns the path of the link. */
async function shareOf({ url }: RunningServer, path: string, options: NewShare = {}): Promise<string> {
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: ann.name, password: ann.password }),
  })
  const response = await fetch(`${url}/api/share/${path}`, {
    method: 'POST',
    headers: { 'X-Auth': await login.text() },
    body: JSON.stringify(options),
  })
  const { hash } = (await response.json()) as { hash: string }
  return `${url}/share/${hash}`
}

/** Returns a function that reads whether a link is disabled. */
const isBlocked = (link: Locator) => () => link.getAttribute('aria-disabled')

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const shownRows = (page: Page) => page.getByRole('grid').locator('[role="row"][data-name]')
/** Chooses an item of the menu "More". */
async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name }).click()
}
/** Returns the name of the row with the focus, or the text of another element with the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    const name = element instanceof HTMLElement ? element.dataset['name'] : undefined
    return name ?? element?.textContent?.trim() ?? ''
  })
/** Returns how far an element is outside of the window, in CSS pixels. 0 for an element that is completely inside. */
const outsidePx = (element: Locator) =>
  element.evaluate((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect()
    return Math.max(0, -top, -left, Math.ceil(bottom - innerHeight), Math.ceil(right - innerWidth))
  })
/** Returns true when a press of a finger or a mouse on an element does not open the menu of the browser. */
const isMenuPrevented = (element: Locator, pointerType: 'touch' | 'mouse') =>
  element.evaluate(
    (each, type) =>
      !each.dispatchEvent(
        new PointerEvent('contextmenu', { pointerType: type, bubbles: true, cancelable: true }),
      ),
    pointerType,
  )
/** Presses the middle of the picture of a row with the mouse. */
async function pressPicture(page: Page, name: RegExp): Promise<void> {
  const box = await rowOf(page, name).locator('[role="rowheader"] svg').first().boundingBox()
  if (box === null) throw new Error('The picture is not on screen.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}
/** Records the names of the rows that are added to the document from now on, and returns a function that returns them. */
async function recordAddedRows(page: Page): Promise<() => Promise<string[]>> {
  const record = await page.evaluateHandle(() => {
    const names: string[] = []
    new MutationObserver((changes) => {
      const nodes = changes.flatMap(({ addedNodes }) => [...addedNodes])
      const added = nodes.filter((node) => node instanceof HTMLElement)
      // A row counts once, also where what contains it was added to something that was added at the same moment.
      const rows = new Set(
        added.flatMap((each) => [each, ...each.querySelectorAll<HTMLElement>('[role="row"]')]),
      )
      names.push(...[...rows].flatMap(({ dataset }) => dataset['name'] ?? []))
    }).observe(document.body, { childList: true, subtree: true })
    return names
  })
  return () => record.jsonValue()
}
const sidewaysPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Checks that a shared folder and a file in it fit into the window, and that axe reports nothing in the dark theme. */
const fitsInTheDark = async (page: Page) => {
  await shownRows(page).first().waitFor()
  expect(await violationsIn(page, 'dark')).toEqual([])
  expect(await sidewaysPx(page)).toBe(0)
  await row(page, '2.txt').click()
  await page.getByText('hello', { exact: true }).waitFor()
  expect(await sidewaysPx(page)).toBe(0)
}

everywhere({ files, people: [ann, bea] }, ({ server, window, testAtRoot }) => {
  // Journey: share-page-1
  test('a guest sees what is shared, opens folders in place, and comes back to the same row', async () => {
    const link = await shareOf(server(), 'Photos/')
    const page = await window()
    await page.goto(link)
    await heading(page, 'Photos').waitFor()
    await page.getByText('Shared with you · 6 items').waitFor()
    await chooseMore(page, 'QR code and details')
    const info = page.getByRole('dialog', { name: 'About this link' })
    for (const text of ['Display Name:', 'Last Modified', 'Size', '6 items'])
      await info.getByText(text).waitFor()
    expect(await info.locator('time').getAttribute('title')).toMatch(/\d{1,2}:\d\d/)
    await info.getByRole('img', { name: 'QR code of this link' }).waitFor()
    await page.keyboard.press('Escape')
    await info.waitFor({ state: 'hidden' })
    expect(await page.title()).toBe('Photos - Share')
    for (const verb of ['Rename', 'Delete', 'Upload', 'New folder', 'Share'])
      expect(await page.getByRole('button', { name: verb, exact: true }).count()).toBe(0)
    const addedRows = await recordAddedRows(page)
    await row(page, odd).click()
    await heading(page, odd).waitFor()
    await row(page, 'two').waitFor()
    expect(await addedRows()).toEqual(['two'])
    expect(page.url()).toBe(`${link}/${encodeURIComponent(odd)}/`)
    for (const name of ['two', 'three', 'four']) await row(page, name).click()
    await row(page, 'deep.txt').waitFor()
    const crumbs = page.getByRole('navigation', { name: 'Folders of this link' })
    expect(await crumbs.getByRole('listitem').allTextContents()).toEqual(['', '...', 'two', 'three', 'four'])
    await crumbs.getByText('...').click()
    await heading(page, odd).waitFor()
    await page.goBack()
    await heading(page, 'four').waitFor()
    await page.reload()
    await row(page, 'deep.txt').waitFor()
    await page.goto(link)
    await row(page, odd).dblclick()
    await heading(page, odd).waitFor()
    await page.goBack()
    await eventually(() => focused(page), odd)
  })

  // Journey: share-page-2
  testAtRoot(
    'a guest sees when a link ends, opens files one after another while hostile ones do nothing, and reads large text and a narrow page',
    async () => {
      const link = await shareOf(server(), 'Photos/', { expires: '48', unit: 'hours' })
      const page = await window()
      await page.goto(link)
      await page.getByText('Shared with you · 6 items').waitFor()
      await page.getByText(/^This link works until \d+\/\d+\/\d+, /).waitFor()
      await row(page, '1.png').waitFor()
      expect(await violationsIn(page, 'light')).toEqual([])
      await row(page, '1.png').click()
      await heading(page, '1.png').waitFor()
      await page.getByText('1 of 5').waitFor()
      await eventually(() => focused(page), '1.png')
      // A picture covers the window, and a document is shown within the page.
      const isCovering = () =>
        page.locator('[data-part="shared-file"]').evaluate((file) => {
          const { width, height } = file.getBoundingClientRect()
          return width === innerWidth && height === innerHeight
        })
      await page.locator('[data-part="shared-file"] img[data-loaded]').waitFor()
      expect(await isCovering()).toBe(true)
      expect(await page.getByRole('link', { name: 'Login' }).isVisible()).toBe(false)
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.keyboard.press('ArrowRight')
      await page.getByText('hello', { exact: true }).waitFor()
      expect(await isCovering()).toBe(false)
      await page.getByRole('button', { name: 'Next file' }).click()
      await heading(page, '3.svg').waitFor()
      await page.locator('[data-part="shared-file"] img[data-loaded]').waitFor()
      await page.keyboard.press('ArrowRight')
      await heading(page, '4.html').waitFor()
      await page.keyboard.press('ArrowRight')
      await heading(page, markup).waitFor()
      await page.getByText('5 of 5').waitFor()
      expect(await page.title()).toBe(`${markup} - Share`)
      expect(await page.locator('img[src="x"]').count()).toBe(0)
      expect(await violationsIn(page, 'light')).toEqual([])
      const [tab] = await Promise.all([page.context().waitForEvent('page'), chooseMore(page, 'Open file')])
      const response = await fetch(tab.url())
      await tab.close()
      expect(await response.text()).toBe('markup')
      expect(response.headers.get('content-disposition')).toMatch(/^inline/)
      await page.goBack()
      await eventually(() => focused(page), markup)

      // The page fits a window with large text, and a narrow one in the dark.
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      await eventually(() => row(page, '2.txt').isVisible(), true)
      const isWhole = () =>
        row(page, '2.txt').evaluate((name) => name.clientWidth > 40 && name.scrollWidth <= name.clientWidth)
      await eventually(isWhole, true)
      expect(await sidewaysPx(page)).toBe(0)
      for (const [key, name] of [
        ['End', markup],
        ['Home', odd],
      ] as const) {
        await page.keyboard.press(key)
        await eventually(() => focused(page), name)
        expect(await outsidePx(page.locator(':focus'))).toBe(0)
      }
      await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
      await page.setViewportSize({ width: 390, height: 700 })
      await eventually(() => page.evaluate(() => innerWidth), 390)
      await fitsInTheDark(page)
    },
  )

  testAtRoot('the page fits a narrow window from right to left, in the dark', async () => {
    const page = await window({ viewport: { width: 320, height: 700 }, locale: 'ar-XB' })
    await page.goto(await shareOf(server(), 'Photos/'))
    await fitsInTheDark(page)
  })

  testAtRoot('on phones, all buttons above the cards are in the window, in German', async () => {
    const link = await shareOf(server(), 'Photos/')
    const page = await window({ viewport: { width: 390, height: 700 }, locale: 'de-DE', hasTouch: true })
    await page.goto(link)
    await chooseInView(page, 'Mosaik', 'Ansicht')
    await page.getByRole('button', { name: /^Sortierung/ }).tap()
    await page.getByRole('menuitem', { name: 'Zuletzt geändert' }).tap()
    await page.getByRole('button', { name: 'Mehrere auswählen' }).tap()
    await shownRows(page).first().tap()
    await shownRows(page).nth(1).tap()
    const tools = page.getByRole('region', { name: 'Dateien' }).locator('button, [type="checkbox"]')
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await eventually(() => page.evaluate(() => innerWidth), width)
      for (const view of ['Mosaik', 'Galerie', 'Liste']) {
        await chooseInView(page, view, 'Ansicht')
        for (const button of await tools.all()) expect(await outsidePx(button)).toBe(0)
        const download = page.getByRole('button', { name: 'Auswahl herunterladen' })
        expect((await download.boundingBox())?.width).toBeGreaterThanOrEqual(36)
        expect(await sidewaysPx(page)).toBe(0)
      }
    }

    // An empty folder has no bar.
    await page.goto(await shareOf(server(), 'Empty/'))
    await heading(page, 'Empty').waitFor()
    const list = page.getByRole('region', { name: 'Dateien' })
    expect(await list.locator(':scope > *').count()).toBe(1)
  })

  // Journey: share-page-3
  testAtRoot(
    'a folder of 10,000 files has only the rows in view in the page, and guests sort it, change its view and come back to their row',
    async () => {
      const page = await window()
      await page.goto(await shareOf(server(), 'Many/'))
      const grid = page.getByRole('grid', { name: 'Many' })
      await row(page, '10000.txt').waitFor()
      expect(await grid.getAttribute('aria-rowcount')).toBe('10001')
      expect(await shownRows(page).count()).toBeLessThan(100)
      await page.keyboard.press('End')
      await eventually(() => focused(page), '19999.txt')
      expect(await shownRows(page).count()).toBeLessThan(100)
      await page.keyboard.type('12400')
      await eventually(() => focused(page), '12400.txt')
      await page.keyboard.press('Enter')
      // The open file listens to keys when it has got the focus.
      await heading(page, '12400.txt').waitFor()
      await eventually(() => focused(page), '12400.txt')
      await page.keyboard.press('Escape')
      await shownRows(page).first().waitFor()
      await eventually(() => focused(page), '12400.txt')

      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await row(page, '19999.txt').waitFor()
      await page
        .getByRole('columnheader', { name: 'Name' })
        .and(page.locator('[aria-sort="descending"]'))
        .waitFor()
      // The files follow each other in the order of the rows.
      await row(page, '19999.txt').click()
      await page.getByText('1 of 10,000').waitFor()
      await page.getByRole('button', { name: 'Next file' }).click()
      await heading(page, '19998.txt').waitFor()
      await page.goBack()
      await row(page, '19999.txt').waitFor()
      await page.keyboard.press('Control+Shift+2')
      await eventually(() => grid.getAttribute('aria-rowcount'), '10000')
      const tops = () =>
        shownRows(page).evaluateAll(
          (rows) => new Set(rows.map((each) => each.getBoundingClientRect().top)).size,
        )
      await eventually(async () => (await tops()) < (await shownRows(page).count()), true)
      await chooseInView(page, 'Gallery')
      // The next visit begins with the gallery.
      await page.reload()
      await row(page, '10000.txt').waitFor()
      await eventually(async () => (await tops()) < (await shownRows(page).count()), true)
      await pressPicture(page, /10000\.txt/)
      await heading(page, '10000.txt').waitFor()
      await page.goBack()
      await row(page, '10000.txt').waitFor()
      await page.getByRole('button', { name: 'Sort: Name, Ascending' }).click()
      await page
        .getByRole('menuitem', { name: 'Descending' })
        .or(page.getByRole('menuitemradio', { name: 'Descending' }))
        .click()
      await row(page, '19999.txt').waitFor()
      expect(await violationsIn(page, 'light')).toEqual([])
    },
  )

  // Journey: share-page-4
  testAtRoot(
    'guests select rows by mouse, keys and fingers, and download selected rows, one file, or the folder',
    async () => {
      const page = await window()
      await page.goto(await shareOf(server(), 'Many/'))
      const downloadOf = async (start: () => Promise<void>) => {
        const [download] = await Promise.all([page.waitForEvent('download'), start()])
        return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'latin1') }
      }
      const dialog = page.getByRole('dialog', { name: 'Download files' })
      const namesInArchive = async (format: 'zip' | 'tar', start: () => Promise<void>) => {
        const archive = await downloadOf(start)
        expect(archive.name).toBe(`_Many.${format}`)
        return [...new Set(archive.text.match(/1\d{4}\.txt/g))]
      }
      const button = page.getByRole('button', { name: 'Download Selected' })
      await row(page, '10003.txt').click({ modifiers: ['Control'] })
      const selected = page.getByRole('checkbox', { name: '1 selected' })
      await selected.waitFor()
      expect(await selected.evaluate((box) => (box as HTMLInputElement).indeterminate)).toBe(true)
      expect(await downloadOf(() => button.click())).toEqual({ name: '10003.txt', text: '3' })
      await row(page, '10005.txt').click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await page.getByText('3 B', { exact: true }).waitFor()
      await rowOf(page, /10004\.txt/)
        .locator('[data-part="check"]')
        .click()
      await page.getByText('2 selected').waitFor()
      expect(await namesInArchive('zip', () => button.click())).toEqual(['10003.txt', '10005.txt'])
      await chooseMore(page, 'Other formats')
      await dialog.getByText('Choose the format you want to download.').waitFor()
      expect(await dialog.getByRole('button').allTextContents()).toEqual(
        expect.arrayContaining(['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz']),
      )
      const tar = () => dialog.getByRole('button', { name: 'tar', exact: true }).click()
      expect(await namesInArchive('tar', tar)).toEqual(['10003.txt', '10005.txt'])

      // Two rows by keys alone.
      await page.keyboard.press('Escape')
      await page.getByText('Select all').waitFor()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Control+ArrowDown')
      await page.keyboard.press('Control+ArrowDown')
      await page.keyboard.press('Space')
      await page.getByText('2 selected').waitFor()
      await eventually(() => focused(page), '10003.txt')
      const keys = () => page.keyboard.press('Control+s')
      expect(await namesInArchive('zip', keys)).toEqual(['10001.txt', '10003.txt'])
      await page.keyboard.press('Control+a')
      await page.getByText('10,000 selected').waitFor()
      await page.keyboard.press('Control+i')
      await page.getByText('Select all').waitFor()

      // When the button for the selection goes with the focus, another button of the bar gets the focus.
      await page.keyboard.press('Space')
      await page.getByText('1 selected').waitFor()
      await button.focus()
      await page.keyboard.press('Escape')
      await page.getByText('Select all').waitFor()
      await eventually(() => page.evaluate(() => document.activeElement?.ariaLabel), 'Select multiple')

      await page.getByRole('button', { name: 'Select multiple' }).click()
      await row(page, '10001.txt').click()
      await page.getByText('1 selected').waitFor()
      const whole = await downloadOf(() => page.getByRole('link', { name: 'Download all' }).click())
      expect(whole.name).toBe('Many.zip')
      await chooseMore(page, 'Other formats')
      const other = await downloadOf(() => dialog.getByRole('button', { name: 'tar', exact: true }).click())
      expect(other.name).toBe('Many.tar')

      // One request cannot name all files but one of a folder of long names.
      await page.goto(await shareOf(server(), 'Long/'))
      await shownRows(page).first().waitFor()
      await page.keyboard.press('Control+a')
      await shownRows(page).first().locator('[data-part="check"]').click()
      await page.getByText('1,299 selected').waitFor()
      await page.keyboard.press('Control+s')
      const tooMany = page.getByRole('alert').getByText('Too many files are selected.')
      await tooMany.waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Select all').waitFor()
      expect(await tooMany.count()).toBe(0)

      // The only file of a folder is downloaded as it is.
      await page.goto(await shareOf(server(), 'Solo/'))
      await rowOf(page, /only\.txt/)
        .locator('[data-part="check"]')
        .click()
      expect(await downloadOf(() => button.click())).toEqual({ name: 'only.txt', text: 'the only one' })

      const phone = await window({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })
      await phone.goto(await shareOf(server(), 'Photos/'))
      expect(await isMenuPrevented(row(phone, '2.txt'), 'touch')).toBe(true)
      expect(await isMenuPrevented(row(phone, '2.txt'), 'mouse')).toBe(false)
      await phone.getByRole('button', { name: 'Select multiple' }).tap()
      await row(phone, '2.txt').tap()
      await row(phone, '3.svg').tap()
      await phone.getByText('2 selected').waitFor()
      await phone.getByRole('button', { name: 'Select multiple' }).tap()
      await row(phone, '2.txt').tap()
      await phone.getByText('hello', { exact: true }).waitFor()
    },
  )

  // Journey: share-page-5
  testAtRoot(
    'a shared file shows its preview at once, and guests of a link for viewing see folders and files without a download',
    async () => {
      const page = await window()
      await page.goto(await shareOf(server(), 'Photos/', { mode: 'view-only' }))
      await heading(page, 'Photos').waitFor()
      const note = page.getByText('This link is for viewing. Downloads are not offered.')
      await note.waitFor()
      const offers = page.getByRole('checkbox').or(page.getByRole('button', { name: /download/i }))
      const downloads = offers.or(page.getByRole('link', { name: /download/i }))
      await row(page, '2.txt').waitFor()
      expect(await downloads.count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Select multiple' }).count()).toBe(0)
      expect(
        await rowOf(page, /2\.txt/)
          .locator('[data-part="check"]')
          .isVisible(),
      ).toBe(false)
      expect(await violationsIn(page, 'light')).toEqual([])
      expect(await page.getByRole('grid').getAttribute('aria-colcount')).toBe('4')
      expect(await page.getByRole('columnheader').count()).toBe(4)
      // Keys move the focus, and select no more than its row.
      const selected = page.locator('[role="row"][aria-selected="true"]')
      await page.keyboard.press('Home')
      for (const key of [
        'Shift+ArrowDown',
        'Control+Shift+End',
        'Control+Home',
        'Insert',
        'Space',
        'Control+a',
      ])
        await page.keyboard.press(key)
      await eventually(() => focused(page), odd)
      expect(await selected.count()).toBe(1)
      await page.keyboard.press('Escape')
      await eventually(() => selected.count(), 0)
      // The browser handles presses with a modifier on a name, as on other links.
      await page.keyboard.down('Control')
      const [tab] = await Promise.all([page.context().waitForEvent('page'), pressPicture(page, /2\.txt/)])
      await page.keyboard.up('Control')
      await heading(tab, '2.txt').waitFor()
      await tab.close()
      expect(await isMenuPrevented(row(page, '2.txt'), 'touch')).toBe(false)
      // The link is as high as its row, and begins with the picture.
      const box = await rowOf(page, /2\.txt/).boundingBox()
      const name = await row(page, '2.txt').boundingBox()
      if (box === null || name === null) throw new Error('The row is not on screen.')
      await page.mouse.click(name.x + 4, box.y + 3)
      await page.getByText('hello').waitFor()
      expect(await downloads.count()).toBe(0)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'QR code and details' }).waitFor()
      expect(await page.getByRole('menuitem').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.goto(await shareOf(server(), 'single.md', { mode: 'view-only' }))
      await note.waitFor()
      await heading(page, 'A heading').waitFor()
      expect(await downloads.count()).toBe(0)

      // The file of an ordinary link offers its download.
      await page.goto(await shareOf(server(), 'single.md'))
      await page.getByRole('heading', { name: 'A heading' }).waitFor()
      await page.getByText('11 B').waitFor()
      await page.getByText('Shared with you').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download File' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('single.md')
      await chooseMore(page, 'QR code and details')
      await page.getByRole('img', { name: 'QR code of this link' }).waitFor()

      // A picture that is shared by itself covers the window, and leads nowhere else.
      await page.goto(await shareOf(server(), 'Album/1.jpg', { senderName: '<b>Anna</b>' }))
      await page.locator('[data-whole-screen] img[data-loaded]').waitFor()
      await page.getByText('Shared by <b>Anna</b>').waitFor()
      expect(await page.getByRole('button', { name: /Close the file|Next file/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await heading(page, '1.jpg').waitFor()
      const [photoFile] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
      expect(photoFile.suggestedFilename()).toBe('1.jpg')
      // On phones, its bar is shown until the first tap.
      const phone = await window({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })
      await phone.goto(page.url())
      await phone.locator('[data-whole-screen] img[data-loaded]').waitFor()
      const opacity = () =>
        phone.locator('[data-whole-screen] header').evaluate((bar) => getComputedStyle(bar).opacity)
      expect(await opacity()).toBe('1')
      await phone.touchscreen.tap(195, 350)
      await eventually(opacity, '0')
    },
  )

  testAtRoot(
    'a guest sees a gallery by the dates taken, and goes from photo to photo in its order',
    async () => {
      const page = await window()
      await page.goto(await shareOf(server(), 'Dated/', { mode: 'view-only' }))
      await row(page, '1.jpg').waitFor()
      await page.getByRole('button', { name: 'Sort: Name' }).click()
      await page.getByRole('menuitem', { name: 'Last modified' }).click()
      const names = () => shownRows(page).evaluateAll((rows) => rows.map((each) => each.dataset['name']))
      await eventually(names, ['2.jpg', '1.jpg', '3.jpg'])
      const headings = page.locator('#listing').getByRole('heading')
      await eventually(async () => (await headings.allInnerTexts()).slice(0, 2), ['April 2019', 'March 2020'])
      await row(page, '2.jpg').click()
      await heading(page, '2.jpg').waitFor()
      await page.keyboard.press('ArrowRight')
      await heading(page, '1.jpg').waitFor()
    },
  )

  testAtRoot(
    'folders in the mosaic of a guest have a cover and their count, also behind a password and in a link for viewing only',
    async () => {
      const page = await window()
      const card = (name: string) => shownRows(page).filter({ has: row(page, name) })
      const showCovers = async () => {
        await chooseInView(page, 'Mosaic')
        await eventually(() => card(odd).locator('img[data-state="there"]').count(), 4)
        await card(odd).getByText('5 items', { exact: true }).waitFor()
        await card('Notes').getByText('2 items', { exact: true }).waitFor()
        await card('Nothing').getByText('0 items', { exact: true }).waitFor()
        expect(await card('Notes').locator('img').count()).toBe(0)
      }
      await page.goto(await shareOf(server(), 'Trips/', { mode: 'view-only' }))
      await row(page, odd).waitFor()
      await showCovers()
      expect(await violationsIn(page, 'light')).toEqual([])

      // A cover is asked for once, and a press on it opens the folder.
      const listings: string[] = []
      page.on(
        'request',
        (request) => request.headers()['accept']?.includes('ndjson') && listings.push(request.url()),
      )
      await row(page, odd).click()
      await heading(page, odd).waitFor()
      await page.goBack()
      await eventually(() => card(odd).locator('img[data-state="there"]').count(), 4)
      expect(listings).toEqual([])

      await page.goto(await shareOf(server(), 'Trips/', { password: 'pass ä 100%' }))
      await page.getByLabel('Password', { exact: true }).fill('pass ä 100%')
      await page.keyboard.press('Enter')
      await row(page, odd).waitFor()
      await showCovers()
    },
  )

  // Journey: share-page-6
  testAtRoot('a password opens a share for the tab, and a wrong one shows a message', async () => {
    const link = await shareOf(server(), 'Photos/', { password: 'pass ä 100%' })
    const page = await window()
    await page.goto(link)
    const field = page.getByLabel('Password', { exact: true })
    await field.waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await violationsIn(page, 'light')).toEqual([])
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    const top = () => field.evaluate((input) => input.getBoundingClientRect().top)
    const topBefore = await top()
    await page.getByRole('alert').getByText('The password is wrong.').waitFor()
    await eventually(() => field.evaluate((input) => input === document.activeElement), true)
    expect(await top()).toBe(topBefore)
    const held = Promise.withResolvers<void>()
    await page.route('**/api/public/share/**', async (route) => {
      await held.promise
      await route.continue().catch(() => undefined)
    })
    await field.fill('wrong again')
    const aborted = page.waitForEvent('requestfailed')
    await page.keyboard.press('Enter')
    await field.fill('pass ä 100%')
    await page.keyboard.press('Enter')
    await aborted
    held.resolve()
    await row(page, odd).click()
    await row(page, 'two').waitFor()
    await page.reload()
    await row(page, 'two').waitFor()
    expect(await page.getByRole('link', { name: 'Download all' }).getAttribute('href')).toContain('token=')
    expect(await page.evaluate(() => Object.keys(localStorage).join(' '))).not.toContain('share')

    // A tab that does not have the password yet is slowed down after some wrong ones.
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(link)
    const alert = page.getByRole('alert')
    await eventually(async () => {
      await field.fill('wrong')
      await page.keyboard.press('Enter')
      await alert.waitFor()
      return /Try again in \d+ seconds?\./.test((await alert.textContent()) ?? '')
    }, true)
  })

  // Journey: share-page-7
  testAtRoot(
    'a share, a file and a folder that could not be loaded say so, and open later without the old failure',
    async () => {
      const link = await shareOf(server(), 'Photos/')
      const page = await window()
      await page.route('**/api/public/**', (route) => route.abort())
      await page.goto(link)
      await page.getByText("The server can't be reached.").waitFor()
      await page.unroute('**/api/public/**')
      await page.getByRole('button', { name: 'Retry' }).click()
      await row(page, '2.txt').waitFor()

      // A file that could not be opened is requested again.
      await page.route('**/api/public/share/**/2.txt*', (route) => route.fulfill({ status: 404 }))
      await row(page, '2.txt').click()
      const failure = page.getByRole('heading', { name: "This location can't be reached." })
      await failure.waitFor()
      await page.goBack()
      await heading(page, 'Photos').waitFor()
      await page.unroute('**/api/public/share/**/2.txt*')
      const held = Promise.withResolvers<void>()
      await page.route('**/api/public/share/**/2.txt*', async (route) => {
        await held.promise
        await route.continue()
      })
      await row(page, '2.txt').click()
      await page.getByText('hello').waitFor()
      expect(await failure.count()).toBe(0)
      held.resolve()

      // A folder opens when the network is back.
      await page.goBack()
      await heading(page, 'Photos').waitFor()
      await page.context().setOffline(true)
      await row(page, odd).click()
      await heading(page, "The server can't be reached.").waitFor()
      await eventually(() => focused(page), "The server can't be reached.")
      await page.context().setOffline(false)
      await heading(page, odd).waitFor()
      await eventually(() => focused(page), odd)
    },
  )

  // Journey: share-page-8
  testAtRoot(
    'the page sends and shows nothing of a signed-in user, also after the session has ended',
    async () => {
      const link = await shareOf(server(), 'Photos/')
      const page = await window()
      await signIn(page, server(), bea)
      // The session is renewed before the first rows are shown.
      await rowOf(page, /single\.md/).waitFor()
      const token = await page.evaluate(() => localStorage.getItem('jwt'))
      // Requests of the files screen that are still to come are not those of the page under test.
      await page.goto('about:blank')
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/'))
          asked.push(request.headers()['x-auth'] === undefined ? pathname : 'token')
      })
      await page.goto(link)
      await row(page, '2.txt').click()
      await page.getByText('hello', { exact: true }).waitFor()
      expect(await page.getByText(bea.name).count()).toBe(0)
      await fetch(`${server().url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token ?? '' } })
      await page.goto(link)
      await row(page, '2.txt').waitFor()
      expect(asked.filter((pathname) => !pathname.startsWith('/api/public/'))).toEqual([])
      expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBe(token)
    },
  )

  testAtRoot(
    'a shared album is a gallery of its pictures, a view that a guest has chosen stays, and a password opens its pictures',
    async () => {
      const page = await window()
      const previews = new Map<string, number>()
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.startsWith('/api/public/preview/'))
          previews.set(pathname.split('/').at(-1) ?? '', response.status())
      })
      const pictures = page.getByRole('grid').locator('img[data-state="there"]')
      await page.goto(await shareOf(server(), 'Album/'))
      await eventually(() => pictures.count(), 3)
      expect(Object.fromEntries(previews)).toMatchObject({ '1.jpg': 200, '2.jpg': 200, '3.jpg': 200 })
      expect(previews.has('notes.txt')).toBe(false)
      // A picture that cannot be drawn has the icon of its type.
      await eventually(() => previews.get('broken.png'), 422)
      await shownRows(page).filter({ hasText: 'broken.png' }).locator('svg').first().waitFor()
      await chooseInView(page, 'List')
      await page.getByRole('columnheader', { name: 'Size' }).waitFor()
      await eventually(() => pictures.count(), 3)
      await chooseInView(page, 'Gallery')
      // The photo of 402 × 300 pixels has a tile with its proportions, which may come too late for the first gallery.
      await eventually(async () => {
        const box = await shownRows(page).filter({ hasText: '2.jpg' }).boundingBox()
        return Math.round(((box?.width ?? 0) / (box?.height ?? 1)) * 100)
      }, 134)
      await chooseInView(page, 'List')
      await page.getByRole('columnheader', { name: 'Size' }).waitFor()
      await page.reload()
      await page.getByRole('columnheader', { name: 'Size' }).waitFor()

      // The choice is kept for its link. A folder in which few files are pictures is a list from the start.
      await page.goto(await shareOf(server(), 'Album/'))
      await eventually(() => pictures.count(), 3)
      expect(await page.getByRole('columnheader', { name: 'Size' }).count()).toBe(0)
      await page.goto(await shareOf(server(), 'Photos/'))
      await page.getByRole('columnheader', { name: 'Size' }).waitFor()

      previews.clear()
      await page.goto(await shareOf(server(), 'Album/', { password: 'open sesame' }))
      await page.getByLabel('Password', { exact: true }).fill('open sesame')
      await page.keyboard.press('Enter')
      await eventually(() => pictures.count(), 3)
      expect(previews.get('1.jpg')).toBe(200)
    },
  )

  // Journey: share-page-10
  testAtRoot(
    'a guest looks through the photos of an album on the whole screen, and learns from whom they are and until when the link works',
    async () => {
      const page = await window()
      const link = await shareOf(server(), 'Album/', { senderName: 'Anna', expires: '2', unit: 'days' })
      const originals: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/public/dl/')) originals.push(pathname.split('/').at(-1) ?? '')
      })
      await page.goto(link)
      await page.getByText('Shared by Anna · 5 items').waitFor()
      await page.getByText(/^This link works until /).waitFor()
      await row(page, '1.jpg').click()
      await page.locator('[data-whole-screen] img[data-loaded]').waitFor()
      const strip = page.getByRole('navigation', { name: 'Film strip' })
      await strip.getByRole('button', { name: '3.jpg' }).click()
      await heading(page, '3.jpg').waitFor()
      expect(page.url()).toBe(`${link}/3.jpg`)
      await page.keyboard.press('Home')
      await heading(page, '1.jpg').waitFor()
      await page.locator('[data-whole-screen] img[data-loaded]').waitFor()
      // The page shows a smaller picture that the server makes, and requests nothing of the photos themselves.
      expect(originals).toEqual([])
      // A refused download is said above the film strip, until the next one starts or another file is open.
      const refused = page.getByRole('alert')
      const refuse = () =>
        page.route('**/api/public/dl/**', (route) =>
          route.request().method() === 'HEAD' ? route.fulfill({ status: 500 }) : route.continue(),
        )
      await refuse()
      await page.keyboard.press('Control+s')
      await refused.waitFor()
      const bottom = await refused.evaluate((element) => element.getBoundingClientRect().bottom)
      expect(bottom).toBeLessThanOrEqual((await strip.boundingBox())?.y ?? 0)
      await page.unroute('**/api/public/dl/**')
      await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
      expect(await refused.count()).toBe(0)
      await refuse()
      await page.keyboard.press('Control+s')
      await refused.waitFor()
      await page.unroute('**/api/public/dl/**')
      await page.keyboard.press('ArrowRight')
      await heading(page, '2.jpg').waitFor()
      await page.keyboard.press('ArrowLeft')
      await heading(page, '1.jpg').waitFor()
      expect(await refused.count()).toBe(0)
      await page.keyboard.press('End')
      await heading(page, 'notes.txt').waitFor()
      // A text that has the focus is scrolled by the keys that lead to other files elsewhere.
      const text = page.getByRole('region', { name: 'notes.txt' })
      await text.focus()
      await page.keyboard.press('End')
      await eventually(
        () =>
          text.evaluate(
            ({ scrollTop, scrollHeight, clientHeight }) =>
              scrollTop + clientHeight >= scrollHeight - 2 && scrollTop > 0,
          ),
        true,
      )
      // The browser may still be scrolling to the end.
      await eventually(async () => {
        await page.keyboard.press('Home')
        return text.evaluate(({ scrollTop }) => scrollTop)
      }, 0)
      await heading(page, 'notes.txt').waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => focused(page), 'notes.txt')
    },
  )

  // Journey: share-page-11
  testAtRoot(
    'photos are looked at without a download and as large as their owner sees them, and a link that is used up offers no download and says why',
    async () => {
      const page = await window()
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(await shareOf(server(), 'Large/', { maxDownloads: 1 }))
      const shown = page.locator('[data-whole-screen] img[data-loaded]')
      for (const name of ['1.jpg', '2.jpg']) {
        await row(page, name).click()
        await heading(page, name).waitFor()
        // The photo of 3000 × 2000 pixels is as high as the window.
        await eventually(async () => Math.round((await shown.boundingBox())?.width ?? 0), 1350)
        await page.getByText('45%').first().waitFor()
        await page
          .getByText(/Taken 5\/6\/24/)
          .first()
          .waitFor()
        await page.keyboard.press('Escape')
        await eventually(() => focused(page), name)
      }
      const reason = 'This link allows no more downloads.'
      expect(await page.getByText(reason).count()).toBe(0)
      await row(page, '1.jpg').click()
      const download = page.getByRole('link', { name: 'Download File' })
      await Promise.all([page.waitForEvent('download'), download.click()])
      await eventually(isBlocked(download), 'true')
      expect(await download.getAttribute('title')).toBe(reason)
      await page.getByRole('button', { name: 'More' }).click()
      const inTab = page.getByRole('menuitem', { name: 'Open file' })
      expect(await inTab.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      const all = page.getByRole('link', { name: 'Download all' })
      await eventually(isBlocked(all), 'true')
      await page.getByText(reason).first().waitFor()
      await rowOf(page, /2\.jpg/).focus()
      await page.keyboard.press('Space')
      const selected = page.getByRole('button', { name: 'Download selected' })
      await eventually(isBlocked(selected), 'true')
      expect(await violationsIn(page, 'light')).toEqual([])

      // A page that has not heard of the other one's download learns it from the refusal.
      const other = await shareOf(server(), 'Large/', { maxDownloads: 1 })
      await page.goto(other)
      await all.waitFor()
      expect(await isBlocked(all)()).toBe(null)
      await (await fetch(`${other.replace('/share/', '/api/public/dl/')}/1.jpg`)).arrayBuffer()
      await all.click()
      await page.getByRole('alert').waitFor()
      await eventually(isBlocked(all), 'true')
    },
  )

  // Journey: share-page-12
  testAtRoot(
    'an album fills a wide window, and the names of its folders can be read on a phone and with large text',
    async () => {
      const page = await window()
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(await shareOf(server(), 'Tour/'))
      const grid = page.getByRole('grid')
      await eventually(async () => ((await grid.boundingBox())?.width ?? 0) > 1400, true)
      const names = ['Beach days', 'On the ferry']
      const isCut = (name: string) =>
        rowOf(page, new RegExp(`^${name}`))
          .locator('bdi')
          .evaluate(
            ({ scrollHeight, clientHeight, scrollWidth, clientWidth, textContent }) =>
              scrollHeight > clientHeight || scrollWidth > clientWidth || textContent === '',
          )
      const sizes = [
        [390, '100%'],
        [320, '100%'],
        [390, '200%'],
      ] as const
      for (const [width, fontSize] of sizes) {
        await page.setViewportSize({ width, height: 844 })
        await page.evaluate((size) => void (document.documentElement.style.fontSize = size), fontSize)
        for (const name of names)
          await eventually(
            async () => [width, fontSize, name, await isCut(name)],
            [width, fontSize, name, false],
          )
        expect(await sidewaysPx(page)).toBe(0)
      }
    },
  )

  // Journey: share-page-13
  testAtRoot(
    'guests choose the view, the order, the size of the tiles and the names in the panel that users have, and see the size of what they select',
    async () => {
      const page = await window()
      const link = await shareOf(server(), 'Tour/')
      await page.goto(link)
      await row(page, '1.jpg').waitFor()
      const button = page.getByRole('button', { name: 'View', exact: true })
      const panel = page.getByRole('dialog', { name: 'View' })
      await button.press('Enter')
      const gallery = panel.getByRole('radio', { name: 'Gallery' })
      await eventually(() => gallery.evaluate((radio) => radio === document.activeElement), true)
      const list = page.locator('#listing')
      expect(await list.getAttribute('data-tile-names')).toBe('hover')
      await panel.getByText('Always', { exact: true }).click()
      await eventually(() => list.getAttribute('data-tile-names'), 'always')
      const width = async () => (await rowOf(page, /^1\.jpg/).boundingBox())?.width ?? 0
      const before = await width()
      await panel.getByRole('slider', { name: 'Tile size' }).fill('320')
      await eventually(async () => (await width()) > before, true)
      await panel.getByText('Descending', { exact: true }).click()
      const names = () => shownRows(page).evaluateAll((rows) => rows.map((each) => each.dataset['name']))
      await eventually(names, ['On the ferry', 'Beach days', '3.jpg', '2.jpg', '1.jpg'])
      expect(await panel.getByRole('radio', { name: 'Descending' }).isChecked()).toBe(true)
      // A guest has no folders of their own in which this view could be used.
      expect(await panel.getByRole('button', { name: 'Use this view in all folders' }).count()).toBe(0)
      expect(await violationsInBothThemes(page)).toEqual([])
      await panel.getByText('List', { exact: true }).click()
      const height = async () => (await rowOf(page, /^1\.jpg/).boundingBox())?.height
      await panel.getByText('Compact', { exact: true }).click()
      await eventually(height, 28)
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await eventually(() => button.evaluate((element) => element === document.activeElement), true)

      // The device keeps the choices, and the view for the link.
      await page.reload()
      await page.getByRole('columnheader', { name: 'Size' }).waitFor()
      await eventually(height, 28)
      await chooseInView(page, 'Normal')
      await chooseInView(page, 'Gallery')
      await eventually(async () => (await width()) > before, true)
      // Ctrl and the wheel change the size of the tiles as well.
      const large = await width()
      await rowOf(page, /^1\.jpg/).hover()
      await page.keyboard.down('Control')
      for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, 100)
      await page.keyboard.up('Control')
      await eventually(async () => (await width()) < large, true)

      await page.keyboard.press('Control+a')
      await page.getByText('5 selected').waitFor()
      await page.getByText(/\d.*B.* without the folders$/).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Select all').waitFor()
      expect(await page.getByText('without the folders').count()).toBe(0)
    },
  )

  // Journey: share-page-14
  testAtRoot(
    'an album of 10,000 pictures by date has only the rows in view in the page, and guests go to a month and open a picture there',
    async () => {
      const album = path.join(server().folder, 'Years')
      await mkdir(album)
      const picture = await photo(0)
      for (let at = 0; at < 10_000; at += 1) {
        const file = path.join(album, `${10_000 + at}.jpg`)
        await writeFile(file, picture)
        // Fifty months of 200 pictures, the newest first.
        const time = new Date(2025, 11 - Math.floor(at / 200), 20, 12, 0, 200 - (at % 200))
        utimesSync(file, time, time)
      }
      const page = await window()
      const previews = new Set<string>()
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/public/preview/')) previews.add(pathname)
      })
      await page.goto(await shareOf(server(), 'Years/'))
      const grid = page.getByRole('grid', { name: 'Years' })
      await row(page, '10000.jpg').waitFor()
      await chooseInView(page, 'Last modified')
      await chooseInView(page, 'Descending')
      const bar = page.getByRole('scrollbar', { name: 'Months' })
      await eventually(() => bar.getAttribute('aria-valuetext'), 'December 2025')
      expect(await grid.getAttribute('aria-rowcount')).toBe('10000')
      const pictures = grid.locator('img[data-state="there"]')
      await eventually(async () => (await pictures.count()) > 10, true)
      expect(await shownRows(page).count()).toBeLessThan(150)
      expect(await violationsInBothThemes(page)).toEqual([])

      const box = await bar.boundingBox()
      if (box === null) throw new Error('The scroll bar has no place.')
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2, box.y + box.height + 50)
      await page.mouse.up()
      await rowOf(page, /^19999\.jpg/).waitFor()
      await bar.focus()
      await page.keyboard.press('Home')
      for (const key of ['PageDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
      await eventually(() => bar.getAttribute('aria-valuetext'), 'October 2024')
      await page.getByRole('heading', { name: 'October 2024' }).waitFor()
      const first = rowOf(page, /^12800\.jpg/)
      await first.locator('img[data-state="there"]').waitFor()
      expect(await shownRows(page).count()).toBeLessThan(150)
      // Only pictures near the four places that were on screen have been asked for.
      expect(previews.size).toBeLessThan(600)

      await row(page, '12800.jpg').click()
      await page.locator('[data-whole-screen] img[data-loaded]').waitFor()
      await page.getByText('2,801 of 10,000').waitFor()
      await page.keyboard.press('ArrowRight')
      await heading(page, '12801.jpg').waitFor()
      await page.keyboard.press('Escape')
      await rowOf(page, /^12801\.jpg/).waitFor()
      expect(await shownRows(page).count()).toBeLessThan(150)
      await rm(album, { recursive: true })
    },
  )

  // Journey: share-page-9
  testAtRoot(
    'a link whose owner may no longer share says that it is forbidden, and links that ended, begin later or never existed look the same',
    async () => {
      const link = await shareOf(server(), 'Photos/')
      const page = await window()
      await page.goto(link)
      await row(page, '2.txt').waitFor()
      await server().cli('users', 'update', ann.name, '--perm.share=false')
      await page.getByRole('link', { name: 'Download all' }).click()
      await page.getByText("You don't have permissions to access this.").first().waitFor()
      await heading(page, "You don't have permissions to access this.").waitFor()
      await server().cli('users', 'update', ann.name, '--perm.share=true')

      const soon = await shareOf(server(), 'Photos/', { expires: '1', unit: 'seconds' })
      const later = await shareOf(server(), 'Photos/', {
        availableFrom: Math.ceil(Date.now() / 1000) + 3600,
      })
      const texts = new Set<string | null>()
      for (const address of [later, `${server().url}/share/unknown`, soon]) {
        await eventually(async () => {
          await page.goto(address)
          await page.getByRole('heading', { level: 1 }).waitFor()
          return page.getByRole('heading', { level: 1 }).textContent()
        }, 'This link no longer works. Ask the person who sent it.')
        texts.add(await page.locator('main').textContent())
      }
      expect(texts.size).toBe(1)
      // A link that works does not say of a missing file that the link has ended.
      await page.goto(`${link}/missing.txt`)
      await page.getByText('There is nothing with this name here.').waitFor()
      await page.getByRole('link', { name: 'Open the shared folder' }).waitFor()
    },
  )
})
