import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, nextFrames, violationsIn } from './journeys.ts'

type Chosen = { readonly name: string; readonly bytes?: number }

const phone = { viewport: { width: 390, height: 800 } }
const tray = (page: Page) => page.locator('[data-part="uploads"]')
const buttonIn = (place: Locator, name: string | RegExp) => place.getByRole('button', { name })

/** Clicks until the row has gone, because the button ignores clicks shortly after it has come to the place of Cancel. */
const dismiss = (button: Locator): Promise<void> =>
  eventually(async () => {
    await button.click({ timeout: 1000 }).catch(() => {})
    return button.count()
  }, 0)

const choose = async (page: Page, files: readonly Chosen[]) => {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Upload files' }).click(),
  ])
  await chooser.setFiles(
    files.map(({ name, bytes = 5 }) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') })),
  )
}

/** Drops a file whose name or path a file chooser would not accept. */
const drop = async (page: Page, name: string) => {
  const transfer = await page.evaluateHandle((name) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['text'], name, { type: 'text/plain' }))
    return transfer
  }, name)
  await page.waitForLoadState('networkidle')
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.locator('[role="grid"]').dispatchEvent(type, { dataTransfer: transfer })
}

/** Chooses files or a folder on the disk with an item of the menu New. */
const chooseOnDisk = async (page: Page, item: 'Upload files' | 'Upload folder', paths: string | string[]) => {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: item }).click(),
  ])
  await chooser.setFiles(paths)
}

/** Limits the speed of uploads, as a slow line does. The limit ends when the returned session is detached. */
const slowDown = async (page: Page, bytesPerSecond: number) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
  return session
}

/** Answers the uploads whose name begins with a word. Without a status they get no answer until the page is closed. */
const answer = (page: Page, word: string, status?: number, headers: Record<string, string> = {}) =>
  page.route(`**/api/resources/**${word}*`, (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    return status === undefined ? undefined : route.fulfill({ status, headers })
  })

const focusedLabel = (page: Page) => () =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Goes to the root folder with the breadcrumb, which keeps the uploads. */
const goToRoot = async (page: Page) => {
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
  await rowOf(page, /Docs/).waitFor()
}

const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

/** Returns how many of the elements have a notice over their middle. */
const countCovered = (all: Locator): Promise<number> =>
  all.evaluateAll((elements) => {
    const boxes = elements.map((element) => element.getBoundingClientRect())
    const hits = boxes.map((box) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
    return hits.filter((hit) => hit?.closest('[data-part="notices"]')).length
  })

const files = { Docs: {}, 'report.txt': 'old text', 'letter.txt': 'dear' }

atRoot({ files, people: [ann] }, ({ server, window, freshWindow }) => {
  const open = async (openWindow = window) => {
    const page = await openWindow()
    await signIn(page, server(), ann)
    await rowOf(page, /Docs/).waitFor()
    return page
  }

  test('the closed tray says what happens, how fast and for how long, its tooltips cover no button, and cancelled uploads can be dismissed', async () => {
    const page = await open()
    const slowLine = await slowDown(page, 300_000)
    await choose(page, [
      { name: 'words-1.bin', bytes: 3 * 2 ** 20 },
      { name: 'words-2.bin', bytes: 2 ** 20 },
    ])
    const line = (text: string | RegExp) => buttonIn(tray(page), text).waitFor()
    await line(/Show uploads: Uploading 2 files · \d+%/)
    await buttonIn(tray(page), 'Pause all').hover()
    const tip = await boxOf(buttonIn(tray(page), 'Pause all').locator('[data-text="Pause all"]'))
    expect(tip.y + tip.height).toBeLessThanOrEqual((await boxOf(tray(page))).y)
    expect(tip.x + tip.width).toBeLessThanOrEqual(1280)
    await line(/Uploading 2 files ·( 1 done ·)? \d+% · \d+ KB\/s · about (5|10|15|20) s left/)
    const box = await boxOf(tray(page))
    await buttonIn(tray(page), 'Pause all').click()
    await line(/Paused · 2 files ·( 1 done ·)? \d+%$/)
    expect(await boxOf(tray(page))).toEqual(box)
    await answer(page, 'words', 500)
    await page.route('**/api/tus/**', (route) => route.fulfill({ status: 500 }))
    await buttonIn(tray(page), 'Resume all').click()
    await line(/: \d failed/)
    await buttonIn(tray(page), 'Dismiss words-1.bin').click()
    await tray(page).getByText('words-1.bin').first().waitFor({ state: 'detached' })
    await page.unrouteAll()

    await choose(page, [{ name: 'away.bin', bytes: 2 ** 20 }])
    await buttonIn(tray(page), 'Cancel away.bin').click()
    await dismiss(buttonIn(tray(page), 'Dismiss away.bin'))
    await tray(page).getByText('away.bin').first().waitFor({ state: 'detached' })
    await slowLine.detach()
  })

  test('the tray counts files that are done and that failed, stays closed when more fail, and a dismissal moves the focus on', async () => {
    const page = await open()
    const line = (text: string | RegExp) => buttonIn(tray(page), text).waitFor()
    await answer(page, 'count-0')
    await choose(page, [{ name: 'count-0.txt' }])
    await line(/uploads: Uploading 1 file · \d+%/)
    await choose(
      page,
      ['count-1', 'count-2', 'count-3'].map((name) => ({ name: `${name}.txt` })),
    )
    await line(/uploads: Uploading 4 files · 3 done · \d+%/)
    await answer(page, 'wrong-', 500)
    await choose(page, [{ name: 'wrong-1.txt' }])

    // The first failure opens the tray. A user who closes it is not disturbed by the second one.
    await line(/Hide uploads: Uploading 5 files · 3 done · 1 failed · \d+%/)
    await buttonIn(tray(page), /^Hide uploads/).click()
    await choose(page, [{ name: 'wrong-2.txt' }])
    await line(/Show uploads: Uploading 6 files · 3 done · 2 failed · \d+%/)
    await buttonIn(tray(page), 'Pause all').click()
    await line(/uploads: Paused · 6 files · 3 done · 2 failed · \d+%/)
    await page.unroute('**/api/resources/**count-0*')
    await buttonIn(tray(page), 'Resume all').click()
    await line(/Show uploads: 2 failed · 4 uploaded/)
    // Screen readers hear the sum.
    await page.locator('[aria-live]').getByText('4 files uploaded, 2 failed').waitFor({ state: 'attached' })

    await buttonIn(tray(page), /^Show uploads/).click()
    await buttonIn(tray(page), 'Dismiss wrong-1.txt').focus()
    await page.keyboard.press('Enter')
    await eventually(focusedLabel(page), 'Retry wrong-2.txt')
    await line(/uploads: 1 failed · 4 uploaded/)
    await buttonIn(tray(page), 'Dismiss wrong-2.txt').click()
    await line(/uploads: 4 files uploaded/)
  })

  test('the rows of the open tray keep their places, their focus and their bars, and a double click on Cancel does not send a file again', async () => {
    const page = await open()
    const releases = new Map<string, (status: number) => void>()
    await page.route('**/api/resources/place-*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const { promise, resolve } = Promise.withResolvers<number>()
      releases.set(/place-\d/.exec(route.request().url())?.[0] ?? '', resolve)
      const status = await promise
      return status === 200 ? route.continue() : route.fulfill({ status })
    })
    const names = [1, 2, 3, 4, 5, 6, 7].map((n) => `place-${n}`)
    await choose(
      page,
      names.map((name) => ({ name: `${name}.txt` })),
    )
    await buttonIn(tray(page), /Show uploads/).click()
    const rows = tray(page).getByRole('listitem')
    const order = async () => (await rows.allInnerTexts()).map((text) => /place-\d/.exec(text)?.[0] ?? text)
    await eventually(() => Promise.resolve(releases.size), 5)
    releases.get('place-4')?.(500)
    releases.get('place-2')?.(200)
    await rows.filter({ hasText: 'place-4' }).getByText('The server could not store').waitFor()
    await rows.filter({ hasText: 'place-2' }).getByText('Done').waitFor()
    await eventually(() => Promise.resolve(releases.size), 7)
    await rows.first().hover()
    await page.mouse.move(10, 10)
    expect(await order()).toEqual(names)
    // A tray that is opened again begins with what failed.
    await buttonIn(tray(page), /Hide uploads/).click()
    await buttonIn(tray(page), /Show uploads/).click()
    expect((await order())[0]).toBe('place-4')
    for (const release of releases.values()) release(200)
    await buttonIn(tray(page), /1 failed · 6 uploaded/).waitFor()
    await page.unrouteAll()
    await buttonIn(tray(page), 'Close uploads').click()
    await buttonIn(tray(page), /Show uploads/).waitFor()
    await buttonIn(tray(page), 'Close uploads').click()
    await tray(page).waitFor({ state: 'detached' })

    // A row keeps the focus when it is paused or cancelled, and a double click on Cancel does not send it again.
    await answer(page, 'row-')
    await choose(
      page,
      [1, 2, 3].map((n) => ({ name: `row-${n}.txt` })),
    )
    await buttonIn(tray(page), /Show uploads/).click()
    await buttonIn(tray(page), 'Pause row-1.txt').focus()
    await page.keyboard.press('Enter')
    await eventually(focusedLabel(page), 'Resume row-1.txt')
    await buttonIn(tray(page), 'Cancel row-1.txt').focus()
    await page.keyboard.press('Enter')
    await eventually(focusedLabel(page), 'Retry row-1.txt')
    await page.keyboard.press('Enter')
    await eventually(focusedLabel(page), 'Pause row-1.txt')
    await buttonIn(tray(page), 'Cancel row-2.txt').dblclick({ delay: 20 })
    await buttonIn(tray(page), 'Retry row-2.txt').waitFor()
    const { x, y, width, height } = await boxOf(buttonIn(tray(page), 'Cancel row-3.txt'))
    await page.mouse.click(x + width / 2, y + height / 2)
    await buttonIn(tray(page), 'Retry row-3.txt').waitFor()
    await page.mouse.click(x + width / 2, y + height / 2)

    // A paused upload and one that waits for the connection keep their bar and percentage.
    await buttonIn(tray(page), 'Pause row-1.txt').click()
    const withBar = rows.filter({ has: page.getByRole('progressbar') })
    await withBar.filter({ hasText: /row-1.*Paused.*%/ }).waitFor()
    // The clicks before that have sent no cancelled row again.
    expect(await buttonIn(tray(page), /^Retry row-[23]/).count()).toBe(2)
    await answer(page, 'bar', 503)
    await choose(page, [{ name: 'bar.bin' }])
    await withBar.filter({ hasText: /bar.*Waiting for connection.*%/ }).waitFor()
    await withBar.filter({ hasText: /row-1.*Paused.*%/ }).waitFor()
  })

  test('an uploaded folder has one row with the number of its files, which can be paused and cancelled', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stowage-album-'))
    await mkdir(path.join(folder, 'Album', 'inner'), { recursive: true })
    for (const name of [
      'a.txt',
      'b.txt',
      'inner/c.txt',
      'inner/wrong.txt',
      'inner/stuck-1.txt',
      'stuck-2.txt',
    ])
      await writeFile(path.join(folder, 'Album', name), 'song')
    const page = await open()
    await answer(page, 'stuck-')
    await answer(page, 'wrong', 500)
    await chooseOnDisk(page, 'Upload folder', path.join(folder, 'Album'))
    const rows = tray(page).getByRole('listitem')
    const album = rows.filter({ hasText: 'Album' })
    await album.getByText('3 of 6 files · 1 failed').waitFor()
    // The file that has failed has a row too, which says why.
    await rows.filter({ hasText: 'wrong.txt' }).getByText('The server could not store').waitFor()
    expect(await rows.count()).toBe(2)
    // A folder that is still under way keeps the number of its files when finished uploads are cleared.
    await choose(page, [{ name: 'beside.txt' }])
    await rows.filter({ hasText: 'beside.txt' }).getByText('Done').waitFor()
    await buttonIn(tray(page), 'Clear completed').click()
    await rows.filter({ hasText: 'beside.txt' }).waitFor({ state: 'detached' })
    await album.getByText('3 of 6 files · 1 failed').waitFor()
    expect(await buttonIn(tray(page), 'Clear completed').count()).toBe(0)
    await buttonIn(album, 'Pause Album').click()
    await album.getByText('Paused · 3 of 6 files · 1 failed').waitFor()
    await buttonIn(album, 'Resume Album').click()
    await album.getByText(/^3 of 6 files · 1 failed/).waitFor()
    await buttonIn(album, 'Cancel Album').click()
    await album.getByText('3 of 4 files · 1 failed · 2 cancelled').waitFor()
    await album.getByRole('link', { name: 'Album' }).click()
    await page.waitForURL('**/files/Album/')
    await rowOf(page, /a\.txt/).waitFor()
    // The row goes with all its files.
    await dismiss(buttonIn(album, 'Dismiss Album'))
    await tray(page).waitFor({ state: 'detached' })
    await rm(folder, { recursive: true })
  })

  test('a folder says that uploads into it are under way or paused, an uploaded file has its own time, and the last row can be scrolled above the tray', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stowage-times-'))
    const paths = ['held-9.txt', 'old photo.txt'].map((name) => path.join(folder, name))
    for (const file of paths) {
      await writeFile(file, 'x')
      await utimes(file, new Date('2020-05-17T12:00:00'), new Date('2020-05-17T12:00:00'))
    }
    for (const name of ['Early', 'Rows']) await mkdir(path.join(server().folder, name))
    for (let number = 10; number < 22; number += 1)
      await writeFile(path.join(server().folder, 'Rows', `row ${number}.txt`), '')
    const page = await window()
    await signIn(page, server(), ann, '/files/Docs/')
    await page.getByText('It feels lonely here...').waitFor()
    await answer(page, 'held-')
    await choose(page, [{ name: 'held-0.txt' }])
    await page.getByText('Files are being uploaded into this folder...').waitFor()
    expect(await page.getByText('It feels lonely here...').count()).toBe(0)
    await buttonIn(tray(page), 'Pause all').click()
    await page.getByText('The uploads into this folder have not ended yet').waitFor()
    await buttonIn(tray(page), /Show uploads/).click()
    await buttonIn(tray(page), 'Cancel held-0.txt').click()
    await page.getByText('It feels lonely here...').waitFor()

    // A folder that is opened before its first file is done says so, too.
    await goToRoot(page)
    await answer(page, 'early-')
    await drop(page, 'Early/early-1.txt')
    await tray(page).getByText('Early').first().waitFor()
    await rowOf(page, /Early/).dblclick()
    await page.waitForURL('**/files/Early/')
    await page.getByText('Files are being uploaded into this folder...').waitFor()

    await chooseOnDisk(page, 'Upload files', paths)
    const row = rowOf(page, /old photo\.txt/)
    await row.waitFor()
    expect(await row.locator('time').getAttribute('title')).toContain('5/17/20')
    await rm(folder, { recursive: true })

    // The last row of a short list can be scrolled above the open tray.
    await page.setViewportSize({ width: 1280, height: 640 })
    await goToRoot(page)
    await rowOf(page, /Rows/).dblclick()
    await rowOf(page, /row 21/).waitFor()
    await tray(page).getByRole('listitem').first().waitFor()
    await eventually(async () => {
      await page.locator('[data-part="listing"]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
      const [row, top] = [await boxOf(page.getByRole('row').last()), (await boxOf(tray(page))).y]
      return row.height > 0 && row.y + row.height <= top
    }, true)

    // In a narrow window, only the list scrolls, and not the screen around it, and the tray stands above the floating button.
    await page.setViewportSize({ width: 390, height: 844 })
    await buttonIn(tray(page), /Hide uploads/).click()
    await eventually(async () => {
      await page.locator('[data-part="listing"]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
      const [row, top] = [await boxOf(page.getByRole('row').last()), (await boxOf(tray(page))).y]
      return row.height > 0 && row.y + row.height <= top
    }, true)
    const overflow = () =>
      page.locator('[data-part="listing"]').evaluate((list) => {
        let [sum, element] = [0, list.parentElement]
        for (; element !== null; element = element.parentElement)
          sum += element.scrollHeight - element.clientHeight
        return sum
      })
    await eventually(overflow, 0)
    await page.getByRole('row').last().click()
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor()
    await eventually(overflow, 0)
  })

  test('on a phone a notice covers no button of an open dialog or menu', async () => {
    const page = await open(() => window(phone))
    await page.route('**/api/resources/letter.txt', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.continue(),
    )
    await rowOf(page, /letter/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const notice = page.locator('[data-part="notices"] > div')
    await notice.waitFor()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Clear' }).click()
    await choose(page, [{ name: 'report.txt' }])
    const buttons = page.getByRole('dialog').getByRole('button')
    await buttons.filter({ hasText: 'Replace' }).waitFor()
    const covered = () => countCovered(buttons)
    await eventually(covered, 0)
    expect(await violationsIn(page, 'light')).toEqual([])
    await page.setViewportSize({ width: 390, height: 420 })
    await eventually(covered, 0)
    await page.setViewportSize({ width: 1000, height: 420 })
    await eventually(covered, 0)
    await buttons.filter({ hasText: 'Skip' }).click()
    await page.setViewportSize({ width: 390, height: 420 })
    await rowOf(page, /letter/).click({ button: 'right' })
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await eventually(() => countCovered(menu.getByRole('menuitem')), 0)
  })

  test('a row says why its upload was refused and what to do next, also at a text size of 200 %, and the lower edge keeps its height', async () => {
    const page = await open(() => window(phone))
    // The lower edge of the tray keeps its height when it gets more buttons.
    await answer(page, 'held-')
    await answer(page, 'bad-', 500)
    await choose(page, [{ name: 'held-1.txt' }, { name: 'held-2.txt' }])
    await buttonIn(tray(page), /Show uploads/).click()
    const footerHeight = async () => {
      const [all, rows] = [await boxOf(tray(page)), await boxOf(page.locator('[data-part="upload-rows"]'))]
      // The tray may lie between two pixels while it moves.
      return Math.round(all.y + all.height - rows.y - rows.height)
    }
    const before = await footerHeight()
    await choose(page, [{ name: 'bad-1.txt' }, { name: 'bad-2.txt' }, { name: 'good.txt' }])
    await buttonIn(tray(page), 'Retry failed').waitFor()
    await buttonIn(tray(page), 'Clear completed').waitFor()
    await eventually(footerHeight, before)
    const cancelBefore = await boxOf(buttonIn(tray(page), 'Cancel all'))
    expect(cancelBefore.x + cancelBefore.width).toBeLessThanOrEqual(390)

    // At a text size of 200 %, the reasons can be read whole, and the tray is not larger than a phone.
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'))
    const reason = tray(page).locator('[data-part="reason"]').first()
    await eventually(() => reason.evaluate((text) => text.scrollHeight - text.clientHeight), 0)
    const header = await boxOf(page.locator('header').first())
    const box = await boxOf(tray(page))
    expect(box.y).toBeGreaterThanOrEqual(header.y + header.height)
    expect([box.x >= 0, box.x + box.width <= 390]).toEqual([true, true])
    // A short row leaves no hole, and each button is whole.
    const row = tray(page).getByRole('listitem').filter({ hasText: 'held-1' })
    await row.waitFor()
    expect((await boxOf(row)).height).toBeLessThan(160)
    const state = row
      .locator('span')
      .filter({ has: page.getByRole('progressbar') })
      .first()
    expect(await state.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
    const cancel = await boxOf(buttonIn(tray(page), 'Cancel all'))
    const all = await boxOf(tray(page))
    expect(cancel.x).toBeGreaterThanOrEqual(all.x)
    expect(cancel.x + cancel.width).toBeLessThanOrEqual(all.x + all.width)
    expect(cancel.y + cancel.height).toBeLessThanOrEqual(all.y + all.height)
    expect(all.y).toBeGreaterThanOrEqual(header.y + header.height)

    // A row says why its upload was refused and what to do next.
    await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    for (const number of [1, 2]) await buttonIn(tray(page), `Cancel held-${number}.txt`).click()
    await buttonIn(tray(page), 'Close uploads').click()
    await buttonIn(tray(page), /Show uploads/).waitFor()
    await buttonIn(tray(page), 'Close uploads').click()
    await tray(page).waitFor({ state: 'detached' })
    await answer(page, 'broken', 500)
    await answer(page, 'forbidden', 403, { 'X-Error': 'forbidden', 'X-Permission': 'create' })
    await answer(page, 'rules', 403, { 'X-Error': 'forbidden' })
    await answer(page, 'full', 507, { 'X-Error': 'no-space' })
    await answer(page, 'large', 413, { 'X-Error': 'too-large' })
    await answer(page, 'gone', 404, { 'X-Error': 'not-found' })
    await drop(page, `${'n'.repeat(300)}.txt`)
    const names = ['broken', 'forbidden', 'rules', 'full', 'large', 'gone']
    await choose(
      page,
      names.map((name) => ({ name: `${name}.txt` })),
    )
    const reasons = [
      'The name is too long: 304 of at most 255 bytes. Shorten or change it and choose the file again.',
      'The server could not store the file. Try again, or tell an administrator.',
      'You need the permission to create files. Ask an administrator for it.',
      'You do not have access to this folder. Ask an administrator for it.',
      'There is no space left on the server. Delete files or ask an administrator for more space, then try again.',
      'The file is larger than the server accepts. Ask an administrator for a higher limit.',
      'The folder was moved or deleted. Open another folder and upload again.',
    ]
    await tray(page).getByText('7 failed').waitFor()
    // Only the rows in view are rendered.
    const texts = new Set<string>()
    for (const top of [0, 10_000]) {
      await page.locator('[data-part="upload-rows"]').evaluate((list, top) => list.scrollTo(0, top), top)
      await nextFrames(page)
      const shown = await tray(page)
        .locator('[data-state="failed"]')
        .evaluateAll((rows) =>
          rows.map((row) => {
            const reason = row.querySelector('[data-part="reason"]')!
            const isCut = reason.scrollHeight > reason.clientHeight || reason.scrollWidth > reason.clientWidth
            return `${reason.textContent}${isCut ? ' (cut off)' : ''}`
          }),
        )
      for (const text of shown) texts.add(text)
    }
    expect([...texts].toSorted()).toEqual(reasons.toSorted())
    // A retry is offered where it can help.
    const list = page.locator('[data-part="upload-rows"]')
    await buttonIn(list, 'Retry full.txt').waitFor()
    expect(await buttonIn(list, /^Retry (large|n+)/).count()).toBe(0)
    await buttonIn(list, 'Dismiss large.txt').click()
    await tray(page).getByText('6 failed').waitFor()
    // The close button of the tray keeps the failures.
    await buttonIn(tray(page), 'Close uploads').dblclick()
    await buttonIn(tray(page), /Show uploads: 6 failed/).waitFor()
    await buttonIn(tray(page), 'Close uploads').click()
    await tray(page).waitFor({ state: 'detached' })
  })

  test('an uploaded file is opened from its row and shown in its folder, and only the tray tells about uploads into another folder', async () => {
    const page = await open()
    await choose(page, [{ name: 'linked.txt' }])
    await tray(page).getByText('1 file uploaded').waitFor()
    await buttonIn(tray(page), /Show uploads/).click()
    await tray(page).getByRole('link', { name: 'linked.txt' }).click()
    await page.waitForURL('**/files/linked.txt')
    await buttonIn(tray(page), 'Show linked.txt in its folder').click()
    await page.waitForURL('**/files/')
    await eventually(
      () => page.evaluate(() => document.activeElement?.closest('[role="row"]')?.getAttribute('data-name')),
      'linked.txt',
    )
    await buttonIn(tray(page), 'Close uploads').click()
    await tray(page).waitFor({ state: 'detached' })

    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/resources/away.txt*', async (route) => {
      if (route.request().method() === 'POST') await isReleased
      await route.continue()
    })
    await page.keyboard.press('Escape')
    await choose(page, [{ name: 'away.txt' }])
    await tray(page).waitFor()
    await rowOf(page, /Docs/).dblclick()
    await page.waitForURL('**/files/Docs/')
    await page.getByText('It feels lonely here...').waitFor()
    release()
    await tray(page).getByRole('button', { name: 'Show', exact: true }).waitFor()
    expect(await page.locator('[data-part="notices"] > div').count()).toBe(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL('**/files/')
    await rowOf(page, /away\.txt/).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).waitFor({ state: 'detached' })

    // The question whether to cancel all uploads counts those that are left, and closes when none is left.
    const releases: (() => void)[] = []
    await page.route('**/api/resources/asked-*', async (route) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      releases.push(resolve)
      if (route.request().method() === 'POST') await promise
      await route.continue()
    })
    await choose(
      page,
      [1, 2, 3].map((n) => ({ name: `asked-${n}.txt` })),
    )
    await buttonIn(tray(page), /Show uploads/).click()
    await buttonIn(tray(page), 'Cancel all').click()
    await page.getByRole('dialog', { name: 'Cancel 3 uploads?' }).waitFor()
    await eventually(() => Promise.resolve(releases.length), 3)
    releases[0]?.()
    await page.getByRole('dialog', { name: 'Cancel 2 uploads?' }).waitFor()
    for (const release of releases) release()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the focus stays in the tray when the button that has it disappears', async () => {
    const page = await open(freshWindow)
    await page.clock.install()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/resources/kept.txt*', async (route) => {
      if (route.request().method() === 'POST') await isReleased
      await route.continue()
    })
    await choose(page, [{ name: 'kept.txt' }])
    await buttonIn(tray(page), /Show uploads/).click()
    await buttonIn(tray(page), 'Cancel kept.txt').focus()
    release()
    await eventually(() => readFile(path.join(server().folder, 'kept.txt'), 'utf8').catch(() => ''), 'xxxxx')
    await tray(page).getByRole('link', { name: 'kept.txt' }).waitFor()
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-part]')?.getAttribute('data-part'))
    await eventually(focused, 'upload-rows')
    await page.clock.runFor(300)
    expect(await focused()).toBe('upload-rows')
    await page.keyboard.press('Escape')
    expect(await tray(page).getByRole('list').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('false')
    // The tray stays while the focus is inside, and leaves some time after that.
    await page.clock.fastForward(10_500)
    await tray(page).getByText('1 file uploaded').waitFor()
    await rowOf(page, /Docs/).click()
    await page.clock.fastForward(10_500)
    await tray(page).waitFor({ state: 'detached' })
  })
})
