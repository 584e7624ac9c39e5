import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, chooseInView, eventually, selectionBar, violationsInBothThemes } from './journeys.ts'

const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
  .jpeg()
  .toBuffer()
const files = {
  'trip.txt': 'here',
  Photos: {
    'trip to Oslo.jpg': photo,
    'trip to Rome.jpg': photo,
    'trip notes.txt': 'Colosseum',
    'trip list.txt': 'bread',
  },
  Plans: { 'trip a%2Fb #?&+.txt': 'later', 'trip folder': {} },
  Target: {},
  Mix: { one: { 'blend a.txt': 'a', 'blend b.txt': 'b' }, two: { 'blend c.txt': 'c' } },
}

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const hit = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Search results' }).getByRole('row', { name })
const found = (page: Page) => page.locator('#found [data-path]')
const look = (page: Page) => page.locator('[data-part="quick-look"]')
const focusedPath = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-path]')?.getAttribute('data-path') ?? null)
const startOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.x

/** Returns hits as lines of the stream in which the server sends them. */
const linesOfHits = (...names: readonly string[]) =>
  names.map((name) => `${JSON.stringify({ path: `Late/${name}`, size: 1, flags: 0 })}\n`).join('')

/** The folders whose changes the server reports to a page. The first watch of a server takes up to a second. */
const watchedFolders = new WeakMap<Page, Set<string>>()

function recordWatches(page: Page): void {
  const folders = new Set<string>()
  watchedFolders.set(page, folders)
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const [, folder] = /"watching":"([^"]+)"/.exec(String(payload)) ?? []
      if (folder !== undefined) folders.add(folder)
    }),
  )
}

atRoot({ files }, ({ server, window }) => {
  const photoFile = (name: string) => path.join(server().folder, 'Photos', name)
  const search = async (options?: Parameters<typeof window>[0]) => {
    const page = await window(options)
    recordWatches(page)
    await signIn(page, server(), ann, '/files/?q=trip')
    await page.locator('[data-path="/Photos/trip notes.txt"]').waitFor({ state: 'attached' })
    return page
  }

  test('results have the columns and thumbnails of the list, Space shows them above it, the arrows reach rows and field, and closing an opened one leads back to it', async () => {
    const page = await search()
    await page.locator('#found img').first().waitFor()
    for (const cell of ['[role="rowheader"] svg', '[role="gridcell"] time'])
      expect(await startOf(page, `[role="row"][data-name="trip.txt"] ${cell}`)).toBeGreaterThan(0)
    expect(await startOf(page, '[data-path="/Photos/trip notes.txt"] svg')).toBe(
      await startOf(page, '[role="row"][data-name="trip.txt"] [role="rowheader"] svg'),
    )
    expect(await startOf(page, '[data-path="/Photos/trip notes.txt"] > :last-child')).toBe(
      await startOf(page, '[role="row"][data-name="trip.txt"] > :last-child'),
    )
    await page.locator('[data-part="status"]').getByText('6 results in subfolders').waitFor()
    expect(await hit(page, 'trip notes.txt').getAttribute('aria-label')).toContain(', Photos, ')
    expect(await violationsInBothThemes(page)).toEqual([])

    await hit(page, 'trip list.txt').focus()
    await page.keyboard.press(' ')
    await look(page).getByText('bread').waitFor()
    await page.keyboard.press('ArrowDown')
    await look(page).getByText('Colosseum').waitFor()
    await page.keyboard.press('Escape')
    await look(page).waitFor({ state: 'detached' })
    expect([await focusedPath(page), await field(page).inputValue()]).toEqual([
      '/Photos/trip notes.txt',
      'trip',
    ])

    await found(page).first().focus()
    await page.keyboard.press('ArrowUp')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-name')), 'trip.txt')
    await page.keyboard.press('ArrowUp')
    await eventually(() => field(page).evaluate((input) => input === document.activeElement), true)

    await hit(page, 'trip notes.txt').dblclick()
    await page.waitForURL('**/files/Photos/trip%20notes.txt')
    await page.goBack()
    for (const key of ['Escape', 'Backspace']) {
      await hit(page, 'trip to Oslo.jpg').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'trip to Oslo.jpg' }).waitFor()
      await page.getByRole('button', { name: 'Next file' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'trip to Rome.jpg' }).waitFor()
      await page.keyboard.press(key)
      await eventually(() => focusedPath(page), '/Photos/trip to Oslo.jpg')
      expect(await field(page).inputValue()).toBe('trip')
    }
    await page.goto(`${server().url}/files/Photos/trip%20to%20Oslo.jpg`)
    await page.getByRole('heading', { name: 'trip to Oslo.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => new URL(page.url()).pathname, '/files/Photos/')
  })

  test('results and rows of the folder are selected together, show their check boxes, and actions apply to all of them, while the field keeps the focus for a new text', async () => {
    const page = await search()
    const selected = page.locator('[data-part="selection"]')
    const bar = selectionBar(page)
    const opacities = async () => [
      await rowOf(page, /trip\.txt/)
        .locator('[data-part="check"] > span')
        .evaluate((check) => getComputedStyle(check).opacity),
      await page
        .locator('[data-path="/Photos/trip to Rome.jpg"] [data-part="check"] > span')
        .evaluate((check) => getComputedStyle(check).opacity),
    ]
    await rowOf(page, /trip\.txt/).click()
    await page.locator('[data-part="facts"]').waitFor()
    await page.mouse.move(0, 0)
    await eventually(opacities, ['1', '1'])
    await hit(page, 'trip notes.txt').click()
    await selected.getByText('1 selected').waitFor()
    expect(await page.locator('[data-part="facts"]').isVisible()).toBe(false)
    await page.mouse.move(0, 0)
    await eventually(opacities, ['1', '1'])
    await bar.getByRole('button', { name: 'Info' }).click()
    await page.getByRole('dialog').getByText('trip notes.txt').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await rowOf(page, /trip\.txt/).click({ modifiers: ['Control'] })
    await selected.getByText('2 selected').waitFor()
    await page.locator('[data-path="/Photos/trip to Rome.jpg"] [data-part="check"]').click()
    await selected.getByText('3 selected').waitFor()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 3 items?' })
    await question.getByText('My files').waitFor()
    expect(await question.getByText('Photos').count()).toBe(2)
    await page.keyboard.press('Escape')
    await rowOf(page, /trip\.txt/).click({ button: 'right' })
    await openMore(page)
    const compress = page.getByRole('menuitem', { name: 'Compress' })
    await compress.getByText('Select items of one folder').waitFor()
    expect(await compress.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await selected.waitFor({ state: 'detached' })

    await rowOf(page, /trip\.txt/).press('Control+a')
    await hit(page, 'trip notes.txt').press('Control+a')
    const all = (await found(page).count()) + 1
    await selected.getByText(`${all} selected`).waitFor()
    await rowOf(page, /trip\.txt/).click()
    await selected.getByText('1 selected').waitFor()
    await hit(page, 'trip notes.txt').click()
    await selected.getByText('1 selected').waitFor()
    expect(await rowOf(page, /trip\.txt/).getAttribute('aria-selected')).toBe('false')

    // Actions without entries apply to the open folder and not to that of the selected result, also from the palette.
    const newFolder = page.getByRole('dialog', { name: 'New folder' })
    const makeFolder = async (name: string) => {
      await newFolder.getByRole('textbox').fill(name)
      await newFolder.getByRole('textbox').press('Enter')
      await page.waitForURL(`**/files/${encodeURIComponent(name)}/`)
      await page.goBack()
      await hit(page, 'trip notes.txt').click()
      await selected.getByText('1 selected').waitFor()
    }
    await page.keyboard.press('Alt+n')
    await makeFolder('trip made')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /^Delete/ }).waitFor()
    await page.getByRole('combobox').fill('>New folder')
    await page.getByRole('option', { name: /^New folder/ }).click()
    await makeFolder('trip chosen')

    // A press on the empty area of one list deselects the rows of both. In the list view, this area has no height here.
    await page.locator('[data-part="listing"]').dispatchEvent('click')
    await selected.waitFor({ state: 'detached' })

    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await field(page).pressSequentially('oslo', { delay: 60 })
    await page.getByText('1 found').waitFor()
    expect(await field(page).inputValue()).toBe('oslo')

    // All words have to be in a name in any order, and a pattern finds a kind of file.
    await field(page).fill('ROME trip')
    await hit(page, 'trip to Rome.jpg').waitFor()
    await eventually(() => found(page).count(), 1)
    await field(page).fill('oslo *.jpg')
    await hit(page, 'trip to Oslo.jpg').waitFor()
    await eventually(() => found(page).count(), 1)
  })

  test('results follow changes on the disk and a rename, have the menu of the list at the pointer, and are dragged into a folder', async () => {
    const page = await search()
    await hit(page, 'trip notes.txt').focus()
    await eventually(() => watchedFolders.get(page)?.has('/Photos'), true)
    renameSync(photoFile('trip notes.txt'), photoFile('notes.txt'))
    await hit(page, 'trip notes.txt').waitFor({ state: 'detached' })
    renameSync(photoFile('notes.txt'), photoFile('trip notes.txt'))
    await hit(page, 'trip notes.txt').waitFor()

    // A renamed result that does not match any more leaves the results, and the focus goes to the next one.
    await hit(page, 'trip list.txt').click()
    await page.keyboard.press('F2')
    await page.getByRole('grid').getByRole('textbox').fill('shopping.txt')
    await page.keyboard.press('Enter')
    await hit(page, 'trip list.txt').waitFor({ state: 'detached' })
    await eventually(() => focusedPath(page), '/Photos/trip notes.txt')
    await eventually(() => existsSync(photoFile('shopping.txt')), true)
    renameSync(photoFile('shopping.txt'), photoFile('trip list.txt'))
    await hit(page, 'trip list.txt').waitFor()

    await hit(page, 'trip list.txt').click({ button: 'right' })
    const items = page.getByRole('menu').getByRole('menuitem')
    await items.first().waitFor()
    await openMore(page)
    await items.filter({ hasText: 'Info' }).waitFor()
    const labels = await items.evaluateAll((all) => all.map((item) => item.textContent))
    for (const label of ['Open', 'Show in folder', 'Preview', 'Share', 'Duplicate', 'Info', 'Delete'])
      expect(labels.some((text) => text?.startsWith(label))).toBe(true)
    await items.filter({ hasText: 'Info' }).click()
    await page.getByRole('dialog').getByText('trip list.txt').first().waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => focusedPath(page), '/Photos/trip list.txt')
    await page.keyboard.press('Control+d')
    await eventually(() => existsSync(photoFile('trip list(1).txt')), true)
    await hit(page, 'trip list(1).txt').waitFor()

    const name = 'trip a%2Fb #?&+.txt'
    const target = page.locator('[data-drop-folder="/Target"]').first()
    await target.waitFor()
    await hit(page, name).locator('[data-part="name"]').hover()
    await page.mouse.down()
    await target.hover()
    await target.hover()
    await page.getByText('Move 1 item to Target').waitFor()
    await page.mouse.up()
    await eventually(() => existsSync(path.join(server().folder, 'Target', name)), true)

    // A folder among the results takes entries and files of the desktop, too.
    const folder = page.locator('[data-path="/Plans/trip folder"]')
    const inner = path.join(server().folder, 'Plans/trip folder')
    await hit(page, 'trip list(1).txt').locator('[data-part="name"]').hover()
    await page.mouse.down()
    await folder.hover()
    await folder.hover()
    await page.getByText('Move 1 item to trip folder').waitFor()
    await page.mouse.up()
    await eventually(() => existsSync(path.join(inner, 'trip list(1).txt')), true)
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], 'dropped.txt'))
      return transfer
    })
    await folder.dispatchEvent('drop', { dataTransfer: dropped })
    await eventually(() => existsSync(path.join(inner, 'dropped.txt')), true)
  })

  test('several results have the actions of the list, the focus goes to the next one after they were deleted or moved, and the view is switched for both lists', async () => {
    const at = (...names: string[]) => path.join(server().folder, ...names)
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      for (const folder of ['.', 'Target']) writeFileSync(at(folder, `row ${name}.txt`), '')
    for (const name of ['a', 'b']) writeFileSync(at('Mix', `parcel ${name}.txt`), '')
    for (let number = 0; number < 40; number += 1) writeFileSync(at('Target', `page ${number}.txt`), '')
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /trip\.txt/).waitFor()
    await field(page).fill('blend')
    await hit(page, 'blend a.txt').waitFor()
    for (const [view, columns] of [
      ['Mosaic', 0],
      ['Gallery', 0],
      ['List', 1],
    ] as const) {
      await chooseInView(page, view)
      await eventually(
        () => page.locator('#found').getByRole('columnheader', { name: 'Folder' }).count(),
        columns,
      )
      await hit(page, 'blend a.txt').getByText('Mix / one').waitFor()
    }

    // The menu of several results says which actions need a common folder.
    await field(page).fill('blend')
    const item = (name: string) => page.getByRole('menuitem', { name })
    await hit(page, 'blend a.txt').click()
    await hit(page, 'blend b.txt').click({ modifiers: ['Control'] })
    await hit(page, 'blend b.txt').click({ button: 'right' })
    await openMore(page)
    for (const name of ['Preview', 'Compress', 'Copy address', 'Rename several', 'Duplicate'])
      expect(await item(name).getAttribute('aria-disabled')).toBe(null)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await hit(page, 'blend c.txt').click({ modifiers: ['Control'] })
    await hit(page, 'blend c.txt').click({ button: 'right' })
    await openMore(page)
    for (const name of ['Compress', 'Rename several'])
      await item(name).getByText('Select items of one folder').waitFor()
    const widths = await item('Rename several').evaluate((element) => [
      element.scrollWidth,
      element.clientWidth,
    ])
    expect(widths[0]).toBe(widths[1])
    for (const name of ['Preview', 'Copy address'])
      expect(await item(name).getAttribute('aria-disabled')).toBe(null)
    await item('Duplicate').click()
    await eventually(() => readdirSync(at('Mix', 'two')).toSorted(), ['blend c(1).txt', 'blend c.txt'])
    await eventually(
      () => readdirSync(at('Mix', 'one')).toSorted(),
      ['blend a(1).txt', 'blend a.txt', 'blend b(1).txt', 'blend b.txt'],
    )

    await field(page).fill('parcel')
    await hit(page, 'parcel a.txt').click()
    await page.getByRole('button', { name: 'Move to…' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('treeitem', { name: 'one' }).click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await eventually(() => existsSync(at('Mix', 'one', 'parcel a.txt')), true)
    await eventually(async () => (await focusedPath(page))?.includes('parcel') === true, true)

    const removeThree = async () => {
      await page.keyboard.press('Delete')
      await dialog.getByRole('button', { name: 'Delete' }).click()
    }
    await field(page).fill('row')
    await hit(page, 'row a.txt').click()
    await hit(page, 'row c.txt').click({ modifiers: ['Shift'] })
    await removeThree()
    await eventually(() => focusedPath(page), '/Target/row d.txt')
    await field(page).fill('')
    await rowOf(page, /row a/).click()
    await rowOf(page, /row c/).click({ modifiers: ['Shift'] })
    await removeThree()
    await eventually(
      () => page.evaluate(() => document.activeElement?.getAttribute('data-name') ?? null),
      'row d.txt',
    )

    // Without results, the matching rows have the whole height.
    await rowOf(page, /Target/).dblclick()
    await rowOf(page, /page 1\.txt/).waitFor()
    await field(page).fill('page')
    await page.getByText('Nothing in the subfolders').waitFor()
    const box = await page.locator('[data-part="listing"]').boundingBox()
    expect(box?.height).toBeGreaterThan(400)
  })

  test('results stay on screen while a further letter is searched for, and say nothing that is not known yet, and a failed search says why', async () => {
    const page = await search()
    await page.route('**/api/search/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue().catch(() => undefined)
    })
    const counts = page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = []
          const watch = (): void => {
            seen.push(document.querySelectorAll('#found [data-path]').length)
            if (document.querySelector('#search')?.matches('[data-end]') === true) resolve(seen)
            else requestAnimationFrame(watch)
          }
          watch()
        }),
    )
    await field(page).press('End')
    await field(page).pressSequentially(' n')
    await page.getByText('Searching…').waitFor()
    expect(await page.getByText(/^Nothing/).count()).toBe(0)
    await page.getByText('1 found').waitFor()
    await field(page).evaluate((input) => input.setAttribute('data-end', ''))
    expect(Math.min(...(await counts))).toBe(1)

    await page.unroute('**/api/search/**')
    await page.route('**/api/search/**', (route) => route.fulfill({ status: 403, body: '' }), { times: 1 })
    await field(page).fill('trip no')
    await page
      .getByRole('alert')
      .getByText(/^The search did not succeed\. ./)
      .waitFor()
  })

  test('a card of a result keeps its picture under the pointer, and nothing says that the folder has no match above results', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/?q=Oslo')
    await found(page).first().waitFor()
    await chooseInView(page, 'Mosaic')
    const card = found(page).first()
    const picture = card.locator('img')
    await picture.waitFor()
    const before = await picture.boundingBox()
    await card.hover()
    await card.getByRole('button', { name: 'Show trip to Oslo.jpg in its folder' }).waitFor()
    expect(await picture.boundingBox()).toEqual(before)
    const results = page.getByRole('region', { name: 'Search results' })
    expect(await results.getByText('No match').count()).toBe(0)
    await chooseInView(page, 'List')
    await field(page).fill('Osloo')
    await results.getByText('No match for “Osloo” in this folder').waitFor()
  })

  test('the edges of size and date fit their own columns, and the column that name and folder share has no edge', async () => {
    const page = await search()
    const heading = (name: string) => page.locator('#found').getByRole('columnheader', { name })
    const edge = (name: string) => page.locator('#found').getByRole('separator', { name: `Width of ${name}` })
    const widthOf = async (name: string) => Math.round((await heading(name).boundingBox())?.width ?? 0)
    const before = [await widthOf('Size'), await widthOf('Last modified')]
    await heading('Last modified').hover()
    await edge('Last modified').dblclick()
    await eventually(async () => (await widthOf('Last modified')) < (before[1] ?? 0), true)
    expect(await widthOf('Size')).toBe(before[0])
    const fitted = await widthOf('Last modified')
    await edge('Size').dblclick()
    await eventually(async () => (await widthOf('Size')) < (before[0] ?? 0), true)
    expect(await widthOf('Last modified')).toBe(fitted)
    expect([await edge('Name').count(), await edge('Folder').count()]).toEqual([0, 0])
  })

  test('an order that is chosen while results arrive holds for those that follow', async () => {
    const page = await search()
    await page.evaluate(
      ([first, rest]) => {
        const send = globalThis.fetch
        const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
          // The first hits are shown at once when they arrive late.
          setTimeout(() => controller.enqueue(new TextEncoder().encode(first)), 500)
          document.addEventListener('rest', () => {
            controller.enqueue(new TextEncoder().encode(rest))
            controller.close()
          })
        }
        globalThis.fetch = async (input, init) => {
          const isSearch = typeof input === 'string' && input.includes('/api/search/')
          if (!isSearch) return send(input, init)
          const headers = { 'content-type': 'application/x-ndjson' }
          return new Response(new ReadableStream({ start }), { headers })
        }
      },
      [linesOfHits('late 2', 'late 4'), linesOfHits('late 1', 'late 3')] as const,
    )
    await field(page).fill('late')
    await hit(page, 'late 2').waitFor()
    await page.locator('#found').getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await page.evaluate(() => document.dispatchEvent(new Event('rest')))
    await page.getByText('4 found').waitFor()
    await eventually(
      () => found(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name'))),
      ['late 1', 'late 2', 'late 3', 'late 4'],
    )
  })

  test('a long press selects a result, and taps select further ones', async () => {
    const page = await search({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
    await page.getByRole('button', { name: /^Subfolders/ }).tap()
    const box = await hit(page, 'trip notes.txt').boundingBox()
    const touch = await page.context().newCDPSession(page)
    const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 5 }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    await selectionBar(page).getByText('1 selected').waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await hit(page, 'trip to Rome.jpg').tap()
    await selectionBar(page).getByText('2 selected').waitFor()
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.getByRole('button', { name: 'Clear' }).tap()

    // The keys belong to the list on screen.
    await hit(page, 'trip notes.txt').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    const question = page.getByRole('dialog', { name: /^Delete \d+ items/ })
    await question.getByText('Photos').first().waitFor()
    expect(await question.getByText('My files').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^This folder/ }).tap()
    await page.keyboard.press('End')
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: 'Delete “trip.txt”?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Subfolders/ }).tap()
    await hit(page, 'trip to Rome.jpg').tap()
    await page.waitForURL('**/files/Photos/trip%20to%20Rome.jpg')
  })
})
