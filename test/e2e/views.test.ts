import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { photoTakenAt, rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import {
  atRoot,
  chooseInView,
  eventually,
  focusOf,
  movementsEnd,
  namesShown,
  storedViews,
  violationsInBothThemes,
} from './journeys.ts'

const files = {
  Photos: { 'one.png': '' },
  Empty: {},
  'photo.jpg': await rotatedJpeg(800, 600),
  'report.txt': 'quarterly',
  'Quarterly report of the whole northern division for the year 2024.xlsx': 'x',
}

/** Returns true when a row is between the upper and the lower edge of the list. */
const isBetweenEdges = (row: Element): boolean => {
  const [view, { top, bottom }] = [
    row.closest('#listing')?.getBoundingClientRect(),
    row.getBoundingClientRect(),
  ]
  return view !== undefined && top >= view.top && bottom <= view.bottom
}

atRoot({ files }, ({ server, window, freshWindow }) => {
  /** Opens the root folder as a list. Journeys that show another view show the list again before they end. */
  const openRoot = async (...options: Parameters<typeof window>) => {
    const page = await window(...options)
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }
  // Journey: views-1
  test('switching the view goes from the list to cards of about 220 px, to tiles with whole pictures, and back to the list', async () => {
    const page = await openRoot()
    await showView(page, 'mosaic')
    const card = await boxOf(page, /report\.txt/)
    expect(card.width).toBeGreaterThanOrEqual(220)
    expect(card.width).toBeLessThan(280)
    const date = await rowOf(page, /report\.txt/)
      .locator('time')
      .boundingBox()
    expect((date?.y ?? 0) + (date?.height ?? 0)).toBeLessThan(card.y + card.height)
    for (const heading of ['Folders', 'Files'])
      await page.locator('#listing').getByRole('heading', { name: heading }).waitFor()
    // A card of a folder shows no dash in the place of a size.
    expect(
      await rowOf(page, /Photos/)
        .getByText('—')
        .isVisible(),
    ).toBe(false)
    expect(
      await rowOf(page, /report\.txt/)
        .getByText('9 B')
        .isVisible(),
    ).toBe(true)
    // The check box of a selected card is above its picture.
    await rowOf(page, /photo\.jpg/)
      .locator('img')
      .waitFor()
    await rowOf(page, /photo\.jpg/).click()
    const isOnTop = await rowOf(page, /photo\.jpg/)
      .locator('[data-part="check"]')
      .evaluate((check) => {
        const { left, top, width, height } = check.getBoundingClientRect()
        return check.contains(document.elementFromPoint(left + width / 2 + 4, top + height / 2 + 4))
      })
    expect(isOnTop).toBe(true)

    await page.reload()
    await rowOf(page, /report\.txt/).waitFor()
    await eventually(() => viewOf(page), 'mosaic')
    await showView(page, 'gallery')
    // The photo of 600 × 800 pixels has a tile with its proportions.
    await eventually(async () => {
      const { width, height } = await boxOf(page, /photo\.jpg/)
      return Math.round((width / height) * 100)
    }, 75)
    const tile = await boxOf(page, /photo\.jpg/)
    // The ring of the focused tile is outside of what the tile shows, which would cover it.
    await rowOf(page, /report\.txt/).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+ArrowLeft')
    const ringOfFocus = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineOffset } = getComputedStyle(document.activeElement ?? document.body)
        return [document.activeElement?.role, outlineStyle, outlineOffset]
      })
    await eventually(ringOfFocus, ['row', 'solid', '0px'])
    expect(tile.height).toBeGreaterThanOrEqual(200)
    await eventually(async () => {
      const picture = await rowOf(page, /photo\.jpg/)
        .locator('img[data-shape=tall]')
        .boundingBox()
      return [
        Math.round((picture?.height ?? 0) - tile.height),
        Math.round((picture?.width ?? 0) - tile.height * 0.75),
      ]
    }, [0, 0])
    const next = await boxOf(page, /^Quarterly/)
    expect(next.x - tile.x - tile.width).toBeCloseTo(6, 0)
    // The name of a picture is visible on hover, or always. Other files always have their name.
    const opacityOf = (name: RegExp) =>
      rowOf(page, name)
        .locator('[data-part="name"]')
        .evaluate((part) => getComputedStyle(part.parentElement!).opacity)
    await page.mouse.move(5, 5)
    await eventually(() => opacityOf(/photo\.jpg/), '0')
    expect(await opacityOf(/report\.txt/)).toBe('1')
    await rowOf(page, /photo\.jpg/).hover()
    await eventually(() => opacityOf(/photo\.jpg/), '1')
    await chooseInView(page, 'Always')
    await page.mouse.move(5, 5)
    await eventually(async () => Math.round((await boxOf(page, /photo\.jpg/)).height - tile.height), 28)
    expect(await opacityOf(/photo\.jpg/)).toBe('1')
    await chooseInView(page, 'On hover')
    expect((await boxOf(page, /Photos/)).height).toBeLessThan(60)
    await showView(page, 'list')
  })

  // Journey: views-4
  test('the view control chooses the view, the order, the density of the list and the size of the tiles, at both widths and with the keyboard', async () => {
    const page = await openRoot()
    const panel = page.getByRole('dialog', { name: 'View' })
    const first = () =>
      page.locator('#listing [data-name]:not([data-folder-name])').first().getAttribute('data-name')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const button = page.getByRole('button', { name: 'View', exact: true })
      await page.locator('#listing [data-name]').first().focus()
      await page.keyboard.press('Escape')
      await button.press('Enter')
      // The chosen view has the focus, and the arrow keys move to the next one.
      await eventually(
        () =>
          panel.getByRole('radio', { name: 'List' }).evaluate((radio) => radio === document.activeElement),
        true,
      )
      await page.keyboard.press('ArrowRight')
      await eventually(() => page.getByRole('columnheader').count(), 0)
      expect(await panel.getByRole('radio', { name: 'Mosaic' }).isChecked()).toBe(true)
      expect(await panel.getByRole('radio', { name: 'Compact' }).count()).toBe(0)
      await panel.getByText('Descending', { exact: true }).click()
      await eventually(first, 'report.txt')
      await panel.getByText('Ascending', { exact: true }).click()
      await eventually(first, 'photo.jpg')
      // The direction is that of the column chosen last, also while this column is being saved.
      const saving = Promise.withResolvers<void>()
      await page.route('**/api/users/*', async (route) => {
        await saving.promise
        await route.continue()
      })
      await panel.getByText('Size', { exact: true }).click()
      await eventually(() => panel.getByRole('radio', { name: 'Size' }).isChecked(), true)
      await panel.getByText('Descending', { exact: true }).click()
      await eventually(() => panel.getByRole('radio', { name: 'Descending' }).isChecked(), true)
      saving.resolve()
      await eventually(
        async () => [await first(), await panel.getByRole('radio', { name: 'Size' }).isChecked()],
        ['photo.jpg', true],
      )
      await eventually(() => panel.getByRole('radio', { name: 'Descending' }).isChecked(), true)
      await page.unroute('**/api/users/*')
      await panel.getByText('Name', { exact: true }).click()
      await eventually(first, 'photo.jpg')
      await panel.getByText('Gallery', { exact: true }).click()
      await panel.getByRole('slider', { name: 'Tile size' }).waitFor()
      await panel.getByText('List', { exact: true }).click()
      await panel.getByText('Compact', { exact: true }).click()
      // The rows of a narrow list have two lines of text at each density.
      if (width === 1280) await eventually(async () => (await boxOf(page, /report\.txt/)).height, 28)
      await panel.getByText('Normal', { exact: true }).click()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await eventually(() => button.evaluate((element) => element === document.activeElement), true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await eventually(() => viewOf(page), 'list')
  })

  // Journey: views-5
  test('a view is kept for its folder on this device, and becomes that of all folders with a button', async () => {
    const page = await openRoot()
    await showView(page, 'mosaic')
    await page.goto(`${server().url}/files/Photos/`)
    await rowOf(page, /one\.png/).waitFor()
    await page.getByRole('columnheader', { name: 'Type' }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Type' }).waitFor()
    await page.goBack()
    await eventually(() => viewOf(page), 'mosaic')
    await eventually(() => storedViews(page), [['/', 'mosaic']])
    await page.getByRole('button', { name: 'View', exact: true }).click()
    const everywhere = page.getByRole('button', { name: 'Use this view in all folders' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await everywhere.click()
    expect((await saved).request().postDataJSON()).toMatchObject({ data: { viewMode: 'mosaic' } })
    await everywhere.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.goto(`${server().url}/files/Photos/`)
    await rowOf(page, /one\.png/).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(0)
    // The view of a renamed folder goes with it.
    await chooseInView(page, 'Gallery')
    await page.goto(`${server().url}/files/`)
    await rowOf(page, /Photos/).click()
    await page.keyboard.press('F2')
    // The field takes the focus in the frame after it appears.
    const field = rowOf(page, /Photos/).getByRole('textbox')
    await eventually(() => field.evaluate((input) => input === document.activeElement), true)
    await page.keyboard.type('Pictures')
    await page.keyboard.press('Enter')
    await rowOf(page, /Pictures/).waitFor()
    await eventually(
      () => storedViews(page),
      [
        ['/', ''],
        ['/Pictures', 'mosaic gallery'],
      ],
    )
    await rename(path.join(server().folder, 'Pictures'), path.join(server().folder, 'Photos'))
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
  })

  // Journey: views-6
  test('the list has a column with the types by name, which can be resized and not sorted, and no room between name and type in a wide window', async () => {
    const page = await openRoot({ viewport: { width: 1920, height: 900 } })
    const cell = (name: RegExp, text: string) =>
      rowOf(page, name).getByRole('gridcell').getByText(text, { exact: true }).waitFor()
    await cell(/^photo\.jpg, JPEG picture, /, 'JPEG picture')
    await cell(/^Quarterly.*, Excel spreadsheet, /, 'Excel spreadsheet')
    await cell(/^report\.txt, Text, /, 'Text')
    const type = page.getByRole('columnheader', { name: 'Type' })
    expect(await type.getByRole('button').count()).toBe(0)
    expect(await type.getAttribute('aria-sort')).toBeNull()
    expect(await page.getByRole('grid').getAttribute('aria-colcount')).toBe('5')
    const box = async () => (await type.boundingBox())!
    expect((await box()).x).toBeLessThan(900)
    await type.hover()
    const edge = page.getByRole('separator', { name: 'Width of Type' })
    const before = (await box()).width
    await edge.press('ArrowLeft')
    await eventually(async () => Math.round(before - (await box()).width), 8)
    await edge.press('Home')
    await eventually(async () => Math.round((await box()).width), Math.round(before))
    // A thumbnail fills the row, and glyphs have their own size.
    const image = await rowOf(page, /photo\.jpg/)
      .locator('img[data-state=there]')
      .boundingBox()
    expect(image?.height).toBe(28)
    await page.setViewportSize({ width: 700, height: 800 })
    await eventually(() => page.getByRole('gridcell').getByText('JPEG picture', { exact: true }).count(), 0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  // Journey: views-7
  test('a gallery that is sorted by date has a heading for each month, and three columns on a phone', async () => {
    const { folder } = server()
    const album = path.join(folder, 'Album')
    await mkdir(album)
    // A line has three pictures because they are squares, also while their sizes are not known.
    const jpeg = await rotatedJpeg(80, 80)
    for (let at = 0; at < 20; at += 1) {
      await writeFile(path.join(album, `${at}.jpg`), jpeg)
      const time = new Date(2025, 9 - Math.floor(at / 8), 15 - (at % 8))
      await utimes(path.join(album, `${at}.jpg`), time, time)
    }
    const page = await freshWindow({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
    await signIn(page, server(), ann, '/files/Album/')
    await rowOf(page, /^0\.jpg/).waitFor()
    // The gallery is proposed, and a tap accepts it.
    const first = await boxOf(page, /^0\.jpg/)
    const proposal = page.getByRole('note').filter({ hasText: 'Most files here are pictures.' })
    await proposal.waitFor()
    expect(await boxOf(page, /^0\.jpg/)).toEqual(first)
    await proposal.getByRole('button', { name: 'Show as gallery' }).tap()
    await proposal.waitFor({ state: 'detached' })
    await eventually(async () => {
      const boxes = [await boxOf(page, /^0\.jpg/), await boxOf(page, /^2\.jpg/), await boxOf(page, /^3\.jpg/)]
      return [boxes[0]!.y === boxes[1]!.y, boxes[2]!.y > boxes[0]!.y, boxes[2]!.x === boxes[0]!.x]
    }, [true, true, true])
    const headings = page.locator('#listing').getByRole('heading')
    expect(await headings.count()).toBe(0)
    await chooseInView(page, 'Last modified')
    await eventually(() => headings.allInnerTexts(), ['August 2025', 'September 2025', 'October 2025'])
    await chooseInView(page, 'Descending')
    await eventually(() => headings.allInnerTexts(), ['October 2025', 'September 2025', 'August 2025'])
    // The keys go on in the next month.
    await rowOf(page, /^7\.jpg/).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-name')), '8.jpg')
    await page.keyboard.press('End')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-name')), '19.jpg')
    await chooseInView(page, 'Ascending')
    await chooseInView(page, 'Name')

    // A proposal that was not accepted does not come back.
    const other = await freshWindow()
    await signIn(other, server(), ann, '/files/Album/')
    await other.getByRole('note').getByRole('button', { name: 'Close' }).click()
    await other.getByRole('note').waitFor({ state: 'detached' })
    await other.reload()
    await rowOf(other, /^0\.jpg/).waitFor()
    await other.locator('[data-part="status"]').getByText('20 items').waitFor()
    await rowOf(other, /^0\.jpg, JPEG picture/).waitFor()
    expect(await other.getByRole('note').count()).toBe(0)
    expect(await storedViews(other)).toEqual([['/Album', '']])

    // The card of the folder has four of its pictures and the number of its entries.
    await signIn(other, server(), ann)
    await rowOf(other, /Album/).waitFor()
    await chooseInView(other, 'Mosaic')
    const card = rowOf(other, /Album/)
    await eventually(() => card.locator('img[data-state=there]').count(), 4)
    await card.getByText('20 items').waitFor()
    await rowOf(other, /Empty/).getByText('0 items').waitFor()
    expect(await rowOf(other, /Empty/).locator('img').count()).toBe(0)
    await rm(album, { recursive: true })
  })

  test('beside a long gallery by date a scroll bar goes to a month, by the mouse and by keys', async () => {
    const album = path.join(server().folder, 'Years')
    await mkdir(album)
    const jpeg = await rotatedJpeg(80, 60)
    for (let at = 0; at < 240; at += 1) {
      await writeFile(path.join(album, `${at}.jpg`), jpeg)
      const time = new Date(2025, 11 - Math.floor(at / 12), 20 - (at % 12))
      await utimes(path.join(album, `${at}.jpg`), time, time)
    }
    const page = await freshWindow()
    await signIn(page, server(), ann, '/files/Years/')
    await rowOf(page, /^0\.jpg/).waitFor()
    await chooseInView(page, 'Gallery')
    const bar = page.getByRole('scrollbar', { name: 'Months' })
    expect(await bar.count()).toBe(0)
    await chooseInView(page, 'Last modified')
    await chooseInView(page, 'Descending')
    await eventually(() => bar.getAttribute('aria-valuetext'), 'December 2025')
    expect(await violationsInBothThemes(page)).toEqual([])
    const box = await bar.boundingBox()
    if (box === null) throw new Error('The scroll bar has no place.')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await bar.getByText('2024', { exact: true }).waitFor()
    // The month at the pointer takes the place of a year whose label it would cover in part.
    const year = bar.getByText('2024', { exact: true })
    const opacity = () => year.evaluate((label) => getComputedStyle(label).opacity)
    await eventually(opacity, '1')
    const label = await year.boundingBox()
    if (label === null) throw new Error('The year has no label.')
    await page.mouse.move(box.x + box.width / 2, label.y + label.height)
    await eventually(opacity, '0')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await rowOf(page, /^12[0-9]\.jpg/)
      .first()
      .waitFor()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height + 50)
    await page.mouse.up()
    await rowOf(page, /^239\.jpg/).waitFor()
    await bar.focus()
    await page.keyboard.press('Home')
    await eventually(() => bar.getAttribute('aria-valuetext'), 'December 2025')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowDown')
    await eventually(() => bar.getAttribute('aria-valuetext'), 'November 2024')
    await page.getByRole('heading', { name: 'November 2024' }).waitFor()
    await chooseInView(page, 'Name')
    await bar.waitFor({ state: 'detached' })

    // A finger at the edge scrolls the pictures, and only one on the thumb goes to a month.
    const phone = await freshWindow({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await signIn(phone, server(), ann, '/files/Years/')
    await rowOf(phone, /^0\.jpg/).waitFor()
    for (const choice of ['Gallery', 'Last modified', 'Descending']) await chooseInView(phone, choice)
    const phoneBar = phone.getByRole('scrollbar', { name: 'Months' })
    const isHit = (part: number) =>
      phoneBar.evaluate((element, at) => {
        const { left, width, top, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(left + width / 2, top + height * at))
      }, part)
    await eventually(() => isHit(0), true)
    expect(await isHit(0.6)).toBe(false)
    await rm(album, { recursive: true })
  })

  // Journey: views-8
  test('a gallery by date follows the times at which the photos were taken, and the photo with the focus stays in place', async () => {
    const album = path.join(server().folder, 'Copied')
    await mkdir(album)
    const changed = new Date(2025, 9, 15)
    const add = async (name: string, content: Buffer) => {
      await writeFile(path.join(album, name), content)
      await utimes(path.join(album, name), changed, changed)
    }
    // The photos were copied in the order of their names, and taken the other way round.
    for (let at = 0; at < 120; at += 1) {
      const month = String(12 - Math.floor(at / 10)).padStart(2, '0')
      await add(`${at + 100} #?.jpg`, await photoTakenAt(`2021:${month}:${28 - (at % 10)} 12:00:00`))
    }
    await add('plain.jpg', await rotatedJpeg(80, 60))
    const page = await freshWindow()
    await signIn(page, server(), ann, '/files/Copied/')
    await rowOf(page, /^100 /).waitFor()
    for (const choice of ['Last modified', 'Ascending']) await chooseInView(page, choice)
    const answer = Promise.withResolvers<void>()
    const asked: string[] = []
    await page.route('**/api/taken/**', async (route) => {
      asked.push(route.request().url())
      await answer.promise
      await route.continue()
    })
    await chooseInView(page, 'Gallery')
    const headings = page.locator('#listing').getByRole('heading')
    await eventually(() => headings.allInnerTexts(), ['October 2025'])
    const photo = rowOf(page, /^104 /)
    await photo.click()
    const top = async () => Math.round((await photo.boundingBox())?.y ?? 0)
    const before = await top()
    await eventually(() => asked.length > 0, true)
    answer.resolve()
    await page.getByRole('heading', { name: 'December 2021' }).waitFor()
    await eventually(top, before)
    expect(await photo.getAttribute('aria-selected')).toBe('true')
    expect(await photo.evaluate((element) => element === document.activeElement)).toBe(true)
    const bar = page.getByRole('scrollbar', { name: 'Months' })
    await bar.focus()
    await page.keyboard.press('Home')
    await eventually(() => bar.getAttribute('aria-valuetext'), 'January 2021')
    await eventually(() => headings.first().innerText(), 'January 2021')
    await rowOf(page, /^219 /).waitFor()
    await page.keyboard.press('End')
    await eventually(() => bar.getAttribute('aria-valuetext'), 'December 2021')
    await rowOf(page, /^plain\.jpg/).waitFor()
    await page.keyboard.press('Home')
    await rowOf(page, /^219 /).waitFor()
    await page.keyboard.press('Escape')

    // The panel says so. The list has the times of the last change, and the gallery remembers the others.
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByText('Photos are sorted by the date taken, where it is known.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseInView(page, 'List')
    await eventually(() => page.locator('#listing [data-index="0"]').getAttribute('data-name'), '100 #?.jpg')
    await chooseInView(page, 'Gallery')
    await eventually(() => page.locator('#listing [data-index="0"]').getAttribute('data-name'), '219 #?.jpg')
    expect(asked).toHaveLength(1)

    // The photos beside an open one are those of the gallery.
    await page.locator('#listing [data-index="0"]').dblclick()
    await page.getByRole('heading', { level: 1, name: '219 #?.jpg' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { level: 1, name: '218 #?.jpg' }).waitFor()
    await page.goBack()
    await eventually(() => page.locator('#listing [data-index="1"]').getAttribute('data-name'), '218 #?.jpg')

    // A photo that is added comes to its place.
    await add('new.jpg', await photoTakenAt('2020:02:03 04:05:06'))
    await page.getByRole('heading', { name: 'February 2020' }).waitFor()
    await eventually(() => page.locator('#listing [data-index="0"]').getAttribute('data-name'), 'new.jpg')
    await chooseInView(page, 'Name')
    await eventually(() => headings.count(), 0)
    await rm(album, { recursive: true })
  })

  test('the card of a file that is closed is in view, also after the phone was turned meanwhile', async () => {
    const album = path.join(server().folder, 'Turned')
    await mkdir(album)
    for (let at = 100; at < 220; at += 1) await writeFile(path.join(album, `${at}.bin`), 'x')
    const page = await window()
    await page.setViewportSize({ width: 844, height: 390 })
    await signIn(page, server(), ann, '/files/Turned/')
    await rowOf(page, /^100/).waitFor()
    await chooseInView(page, 'Mosaic')
    await rowOf(page, /^100/).click()
    await page.keyboard.press('End')
    await eventually(() => focusOf(page), 'MAIN 219.bin')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/219.bin')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Close the file' }).click()
    await eventually(() => focusOf(page), 'MAIN 219.bin')
    await eventually(() => rowOf(page, /^219/).evaluate(isBetweenEdges), true)
    await chooseInView(page, 'List')
    await rm(album, { recursive: true })
  })

  test('a folder with only folders or only files has no heading above its cards', async () => {
    const page = await openRoot()
    await showView(page, 'mosaic')
    const headings = page.locator('#listing').getByRole('heading')
    await eventually(() => headings.count(), 2)
    await page.goto(`${server().url}/files/Photos/`)
    await page.locator('#listing [data-name]').first().waitFor()
    expect(await headings.count()).toBe(0)
    await page.goto(`${server().url}/files/`)
    await rowOf(page, /report\.txt/).waitFor()
    await showView(page, 'list')
  })

  test('tooltips are whole and stay away from a pressed button, and the focused row shows its exact facts and opens its menu with a button', async () => {
    const page = await openRoot()
    const edge = page.getByRole('button', { name: 'Toggle sidebar' }).locator('[data-text="Toggle sidebar"]')
    expect((await edge.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    const button = page.getByRole('button', { name: 'View', exact: true })
    const tip = button.locator('[data-text="View"]')
    const isShown = (shown = tip) =>
      shown.evaluate((element) => {
        const { opacity, visibility } = getComputedStyle(element)
        return opacity === '1' && visibility === 'visible' && element.getBoundingClientRect().width > 0
      })
    // The sidebar that the button opens is no menu that its tooltip would cover.
    await page.getByRole('button', { name: 'Toggle sidebar' }).hover()
    await eventually(() => isShown(edge), true)
    await button.hover()
    await eventually(isShown, true)
    await page.mouse.down()
    await eventually(isShown, false)
    await page.mouse.up()
    await page.getByRole('dialog', { name: 'View' }).waitFor()
    // A tooltip appears by a transition that begins 0.4 s after the pointer has come to a button. There is none here.
    await movementsEnd(page)
    expect(await isShown()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'View' }).waitFor({ state: 'detached' })
    await page.mouse.move(400, 500)
    await button.hover()
    await eventually(isShown, true)
    await showView(page, 'list')

    // The focused row shows its exact size and both forms of its date, and a button opens its menu.
    const row = rowOf(page, /report\.txt/)
    expect(await page.getByRole('button', { name: 'Actions for report.txt' }).count()).toBe(0)
    await row.click()
    const facts = page.locator('[data-part="facts"]')
    await facts.filter({ hasText: /report\.txt9 bytes.* \(.*\d:\d\d.*\)$/ }).waitFor()
    expect(await row.locator('time').getAttribute('title')).toMatch(/\d:\d\d.* \(.*\)$/)
    const photo = rowOf(page, /photo\.jpg/)
    await photo.hover()
    await page.getByRole('button', { name: 'Actions for photo.jpg' }).click()
    await page.getByRole('menu', { name: 'Actions for the selection' }).waitFor()
    expect(await photo.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Escape')
    await eventually(() => photo.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await facts.filter({ hasText: /photo\.jpg[\d,]+ bytes/ }).waitFor()
    await page.keyboard.press('Control+a')
    await page.locator('[data-part="selection"]').getByText('without the folders').waitFor()
    // The facts are those of a row that one can tell from the others: a selected one, or one with a ring.
    await page.keyboard.press('Escape')
    await facts.filter({ hasText: 'photo.jpg' }).waitFor()
    await page.mouse.click(900, 700)
    await facts.waitFor({ state: 'detached' })
  })

  test('a token from before the last change of the view does not undo it, and the size of the tiles survives a reload', async () => {
    const page = await openRoot()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    let renewals = 0
    await page.route('**/api/renew', async (route) => {
      renewals += 1
      const response = await route.fetch()
      await isReleased
      await route.fulfill({ response })
    })
    const everywhere = async (digit: number) => {
      await page.keyboard.press(`Control+Shift+Digit${digit}`)
      await page.getByRole('button', { name: 'View', exact: true }).click()
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
      await page.getByRole('button', { name: 'Use this view in all folders' }).click()
      await saved
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'View' }).waitFor({ state: 'detached' })
    }
    await everywhere(2)
    await eventually(() => renewals > 0, true)
    await everywhere(3)
    const renewed = page.waitForResponse('**/api/renew')
    release()
    await renewed
    await eventually(() => renewals > 1, true)
    expect(await viewOf(page)).toBe('gallery')
    await page.reload()
    await rowOf(page, /report\.txt/).waitFor()
    await eventually(() => viewOf(page), 'gallery')
    await page.unroute('**/api/renew')

    // A slider, the wheel and the keyboard change the size of the tiles.
    const slider = page.getByRole('slider', { name: 'Tile size' })
    const storedSize = () => page.evaluate(() => localStorage.getItem('tile-size'))
    const width = (await boxOf(page, /photo\.jpg/)).width
    await page.getByRole('button', { name: 'View', exact: true }).click()
    expect(await slider.inputValue()).toBe('200')
    await slider.focus()
    await page.keyboard.press('End')
    await eventually(async () => (await boxOf(page, /photo\.jpg/)).width > width, true)
    await page.reload()
    await rowOf(page, /photo\.jpg/).hover()
    await page.locator('[data-part="status"]').waitFor()
    await eventually(storedSize, '320')
    await page.keyboard.down('Control')
    await eventually(async () => {
      if ((await storedSize()) === '320') await page.mouse.wheel(0, 100)
      return storedSize()
    }, '300')
    await page.keyboard.up('Control')
    await rowOf(page, /photo\.jpg/).click()
    await page.keyboard.press('Control+-')
    await eventually(storedSize, '280')
    await page.keyboard.press('Escape')
    await server().cli('users', 'update', ann.name, '--viewMode', 'list')
    await showView(page, 'list')
  })

  // Journey: views-2
  test('dragging the edge of a heading resizes the column for good, a double click fits it, and sorted by size folders keep the order of their names', async () => {
    const page = await openRoot()
    const { folder } = server()
    const [archive, bills] = [path.join(folder, 'Archive'), path.join(folder, 'Bills')]
    // The entry of a folder with many long names is larger than that of other folders on every file system.
    await mkdir(archive)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => writeFile(path.join(archive, `${at}`.padEnd(200, '-')), '')),
    )
    const folders = async () => (await namesShown(page)).slice(0, 4).join()
    const size = page.getByRole('columnheader', { name: /Size/ })
    await size.getByRole('button').click()
    await eventually(() => size.getAttribute('aria-sort'), 'ascending')
    await eventually(
      folders,
      'Archive,Empty,Photos,Quarterly report of the whole northern division for the year 2024.xlsx',
    )
    await mkdir(bills)
    await eventually(folders, 'Archive,Bills,Empty,Photos')
    await size.getByRole('button').click()
    await eventually(() => size.getAttribute('aria-sort'), 'descending')
    await eventually(folders, 'Archive,Bills,Empty,Photos')
    await rm(bills, { recursive: true })
    await rm(archive, { recursive: true })
    await page.getByRole('columnheader', { name: /Name/ }).getByRole('button').click()
    await eventually(
      folders,
      'Empty,Photos,photo.jpg,Quarterly report of the whole northern division for the year 2024.xlsx',
    )

    // The edge of a heading resizes the column.
    const heading = page.getByRole('columnheader', { name: /Name/ })
    const widthOf = async () => Math.round((await heading.boundingBox())?.width ?? 0)
    const before = await widthOf()
    await heading.hover()
    const edge = page.getByRole('separator', { name: 'Width of Name' })
    const box = await edge.boundingBox()
    expect(box?.width).toBe(12)
    const [x, y] = [(box?.x ?? 0) + 6, (box?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 80, y, { steps: 4 })
    await page.mouse.up()
    await eventually(widthOf, before - 80)
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await page.reload()
    await rowOf(page, /report\.txt/).waitFor()
    await eventually(widthOf, before - 80)
    await heading.getByRole('button').focus()
    await edge.waitFor()
    await page.keyboard.press('Tab')
    await eventually(() => edge.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.press('ArrowLeft')
    await eventually(widthOf, before - 88)
    await eventually(() => edge.getAttribute('aria-valuenow'), String(before - 88))
    await edge.dblclick()
    await eventually(() => isShortened(page, /Quarterly/), false)
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => isShortened(page, /Quarterly/), true)
    await page.keyboard.press('Home')
    await eventually(widthOf, before)
  })

  test('the rows appear where their placeholders were, also with large text, and a selected row differs in forced colours', async () => {
    const page = await openRoot()
    expect(await countPlaceholdersAtRows(page)).toBe(4)

    // With large text, a wide list has its check boxes, and the status bar keeps the name.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'))
    const row = rowOf(page, /report\.txt/)
    await row.hover()
    await eventually(
      () => row.locator('[data-part="check"]').evaluate((check) => getComputedStyle(check).visibility),
      'visible',
    )
    await row.locator('[data-part="check"]').click()
    await eventually(() => row.getAttribute('aria-selected'), 'true')
    const name = page.locator('[data-part="facts"] bdi > span').first()
    await eventually(() => name.evaluate((part) => part.scrollWidth <= part.clientWidth), true)
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))

    await page.emulateMedia({ forcedColors: 'active' })
    const systemColour = (name: string) =>
      page.evaluate((colour) => {
        document.body.style.outlineColor = colour
        return getComputedStyle(document.body).outlineColor
      }, name)
    const colourOf = (name: RegExp) =>
      rowOf(page, name).evaluate((row) => getComputedStyle(row).backgroundColor)
    await page.mouse.move(5, 5)
    expect(await colourOf(/report\.txt/)).not.toBe(await colourOf(/photo\.jpg/))
    const menu = rowOf(page, /report\.txt/).getByRole('button', { includeHidden: true })
    expect(await menu.evaluate((element) => getComputedStyle(element).color)).toBe(
      await systemColour('HighlightText'),
    )
    await page.keyboard.press('Delete')
    const button = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await button.waitFor()
    const [text, background] = await button.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor]
    })
    expect(text).not.toBe(background)
    expect(background).not.toBe('rgba(0, 0, 0, 0)')
    await page.goto(`${server().url}/files/report.txt`)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.waitFor()
    expect(await save.isDisabled()).toBe(true)
    const looks = await save.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor]
    })
    expect(looks).toEqual([await systemColour('GrayText'), await systemColour('ButtonFace')])
    await page.emulateMedia({ forcedColors: null })
  })

  // Journey: views-3
  test('a narrow list shortens names without a gap, has a menu for the sort order, and at a text size of 200 % no two rows overlap', async () => {
    const page = await openRoot({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
    expect(await page.getByRole('columnheader').count()).toBe(0)
    expect((await boxOf(page, /report\.txt/)).height).toBe(56)
    const start = rowOf(page, /Quarterly/).locator('[data-part="name-start"]')
    const overlapPx = () =>
      start.evaluate(
        (element) =>
          element.getBoundingClientRect().right - element.nextElementSibling!.getBoundingClientRect().left,
      )
    await eventually(async () => (await overlapPx()) > 0, true)
    const order = () => page.getByRole('button', { name: /^Sort: / }).getAttribute('aria-label')
    await eventually(order, 'Sort: Name, Ascending')
    await page.getByRole('button', { name: /^Sort: / }).tap()
    await page.getByRole('menuitem', { name: 'Descending' }).tap()
    await eventually(order, 'Sort: Name, Descending')
    await page.getByRole('button', { name: /^Sort: / }).tap()
    await page.getByRole('menuitem', { name: 'Size' }).tap()
    await eventually(order, 'Sort: Size, Ascending')
    await page.getByRole('button', { name: /^Sort: / }).tap()
    await page.getByRole('menuitem', { name: 'Name' }).tap()
    await eventually(order, 'Sort: Name, Ascending')

    // The rows appear where their placeholders were.
    expect(await countPlaceholdersAtRows(page)).toBe(2)

    // Nothing is wider than a small phone.
    await page.setViewportSize({ width: 320, height: 640 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'))
    await eventually(async () => (await boxOf(page, /report\.txt/)).height, 112)
    expect(await overlaps(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })

  test('the card of a folder shows its number of entries after others were moved into it', async () => {
    const album = path.join(server().folder, 'Album 2')
    await mkdir(path.join(album, 'best'), { recursive: true })
    for (const name of ['a.txt', 'b.txt']) await writeFile(path.join(album, name), name)
    const page = await window()
    await signIn(page, server(), ann, '/files/Album%202/')
    await chooseInView(page, 'Mosaic')
    const best = rowOf(page, 'best')
    await best.getByText('0 items').waitFor()
    for (const [name, count] of [
      ['a.txt', '1 item'],
      ['b.txt', '2 items'],
    ] as const) {
      await rowOf(page, name).click()
      await page.getByRole('button', { name: 'Move to…' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('tree').getByText('best', { exact: true }).click()
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await rowOf(page, name).waitFor({ state: 'detached' })
      await best.getByText(count, { exact: true }).waitFor()
    }
    await chooseInView(page, 'List')
  })

  test('on phones the mosaic has two columns of cards with the picture above the whole name', async () => {
    const page = await openRoot()
    await showView(page, 'mosaic')
    for (const width of [360, 390, 414, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await eventually(async () => {
        const [first, second] = [await boxOf(page, /^photo\.jpg/), await boxOf(page, /^Quarterly/)]
        return [first.y === second.y, first.x < second.x, second.x + second.width <= width]
      }, [true, true, true])
      const card = await boxOf(page, /^report\.txt/)
      const parts = await rowOf(page, /^report\.txt/)
        .locator('[class*="picture"], [data-part="name"], time')
        .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().bottom))
      expect(parts).toEqual(parts.toSorted((a, b) => a - b))
      expect(parts.at(-1)).toBeLessThan(card.y + card.height)
    }

    await page.setViewportSize({ width: 1280, height: 800 })
    await showView(page, 'list')
  })

  test('no view has a violation that axe reports in both themes', async () => {
    const page = await openRoot()
    // The list is the last view, which the other journeys expect.
    for (const view of ['mosaic', 'gallery', 'list'] as const) {
      await showView(page, view)
      await rowOf(page, /report\.txt/).click()
      if (view === 'list') await page.getByRole('columnheader', { name: /Name/ }).hover()
      expect([view, await violationsInBothThemes(page)]).toEqual([view, []])
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('dialog', { name: 'View' }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'View' }).waitFor({ state: 'detached' })
    await rowOf(page, /Empty/).dblclick()
    await page.getByText('It feels lonely here...').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.goto(`${server().url}/files/gone/`)
    await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('relative times advance with the clock, and all say the same', async () => {
    const now = new Date()
    await utimes(path.join(server().folder, 'report.txt'), now, now)
    const page = await freshWindow()
    await page.clock.install()
    await signIn(page, server(), ann)
    const row = rowOf(page, /report\.txt/)
    await eventually(() => row.locator('time').innerText(), 'now')
    // The part of the page that moves the clock on also has the keys of the palette, and arrives after the first rows.
    const palette = page.getByRole('dialog')
    await eventually(async () => {
      if ((await palette.count()) === 0) await page.keyboard.press('Control+k')
      return palette.count()
    }, 1)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await row.click()
    const status = page.locator('[data-part="facts"]')
    await status.getByText(/^now /).waitFor()
    await page.clock.fastForward(5 * 60_000 + 30_000)
    await eventually(() => row.locator('time').innerText(), '5 minutes ago')
    await status.getByText(/^5 minutes ago /).waitFor()
  })
})

/**
 * Loads the page again and checks that the rows and buttons appear where their placeholders were. Returns the number of
 * placeholders in a row.
 */
const countPlaceholdersAtRows = async (page: Page): Promise<number> => {
  const { promise: isSeen, resolve: release } = Promise.withResolvers<void>()
  const pattern = /api\/resources/
  await page.route(pattern, async (route) => {
    await isSeen
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  const bars = () =>
    page
      .locator('header button:visible, main button:visible')
      .evaluateAll((buttons) =>
        buttons.map((button) => [button.ariaLabel ?? button.textContent, button.getBoundingClientRect().x]),
      )
  const placeholder = await page.locator('[data-part="skeleton-row"]').nth(2).boundingBox()
  const facts = await sidesOf(page.locator('[data-part="skeleton-row"]').nth(2).locator('> span'))
  const barsBefore = await bars()
  release()
  await rowOf(page, /report\.txt/).waitFor()
  expect(await page.locator('[data-index="2"]').boundingBox()).toEqual(placeholder)
  // On a wide screen, the last two placeholders are those of the size and the time, and lie in their columns.
  const cells = await sidesOf(page.locator('[data-index="2"] > [role="gridcell"]'))
  for (const column of facts.length === 4 ? [-1, -2] : []) {
    expect(facts.at(column)!.left).toBeGreaterThanOrEqual(cells.at(column)!.left)
    expect(facts.at(column)!.right).toBeLessThanOrEqual(cells.at(column)!.right)
  }
  expect(barsBefore.length).toBeGreaterThan(3)
  expect(await bars()).toEqual(expect.arrayContaining(barsBefore))
  await page.unroute(pattern)
  return facts.length
}

/** Chooses a view, and waits until the row has its layout. */
const showView = async (page: Page, view: 'list' | 'mosaic' | 'gallery') => {
  if ((await viewOf(page)) === view) return
  await chooseInView(page, { list: 'List', mosaic: 'Mosaic', gallery: 'Gallery' }[view])
  await eventually(() => viewOf(page), view)
}

const viewOf = async (page: Page) => {
  if ((await page.getByRole('columnheader').count()) > 0) return 'list'
  return (await rowOf(page, /report\.txt/)
    .locator('time')
    .isVisible())
    ? 'mosaic'
    : 'gallery'
}

const boxOf = async (page: Page, name: RegExp) => {
  const box = await rowOf(page, name).boundingBox()
  if (box === null) throw new Error(`${name} is not visible.`)
  return box
}

/** Returns true when the name in a row is shortened in the middle. */
const isShortened = (page: Page, name: RegExp) =>
  rowOf(page, name)
    .locator('bdi > span')
    .first()
    .evaluate((start) => start.scrollWidth > start.clientWidth)

/** Returns the texts of the rows that begin above the end of the row before. */
const overlaps = (page: Page) =>
  page.locator('[role="row"][data-name]').evaluateAll((rows) =>
    rows
      .filter((row, at) => {
        const before = rows[at - 1]?.getBoundingClientRect().bottom ?? -Infinity
        const { top, bottom } = row.getBoundingClientRect()
        const texts = [...row.querySelectorAll('bdi, time')].map((text) => text.getBoundingClientRect())
        return top < before - 1 || texts.some((text) => text.top < top || text.bottom > bottom)
      })
      .map((row) => row.textContent),
  )

/** Returns the left and right sides of the elements that have a width, in CSS pixels. */
const sidesOf = (elements: Locator): Promise<{ readonly left: number; readonly right: number }[]> =>
  elements.evaluateAll((parts) =>
    parts
      .map((part) => part.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right }) => ({ left, right })),
  )
