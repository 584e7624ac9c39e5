import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Page, WebSocket, WebSocketRoute } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, doOverlap, eventually, isUncovered } from './journeys.ts'

const names = Array.from({ length: 60 }, (_, n) => `file-${String(n).padStart(2, '0')}.txt`)

const mark = (page: Page) =>
  page.locator('[data-part="status"] [data-state], [data-slot="below-header"] [data-state]')

const topOf = (page: Page, name: RegExp) => async () => (await rowOf(page, name).boundingBox())?.y

const focusedName = (page: Page) => () =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['name'])

atRoot({ people: [ann] }, ({ server, window, freshWindow }) => {
  /** Every journey has its own folder. */
  let folder = ''
  let journeys = 0
  const onDisk = (name: string): string => path.join(server().folder, folder, name)
  const open = async (onSocket: (socket: WebSocket) => void = () => {}): Promise<Page> => {
    const page = await window()
    let isWatched = false
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        isWatched ||= String(payload).includes(`"watching":"/${folder}"`)
      })
      onSocket(socket)
    })
    await signIn(page, server(), ann, `/files/${folder}/`)
    await rowOf(page, /file-00\.txt/).waitFor()
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    // Changes before this message are shown by reading the folder again, and not as changes of single rows.
    await eventually(() => isWatched, true)
    return page
  }

  beforeEach(async () => {
    folder = `live-${(journeys += 1)}`
    await mkdir(path.join(server().folder, folder))
    for (const name of names) await writeFile(onDisk(name), name)
  })

  test('a file that another program writes appears without moving the row under the mouse, the focus or the selection', async () => {
    const page = await open()
    await rowOf(page, /file-05\.txt/).click()
    const top = await topOf(page, /file-05\.txt/)()
    await writeFile(onDisk('a-first.txt'), 'by another program')
    await rowOf(page, /a-first\.txt/).waitFor({ state: 'attached' })
    expect(await rowOf(page, /a-first\.txt/).getAttribute('class')).toMatch(/new/)
    await eventually(topOf(page, /file-05\.txt/), top)
    expect(await focusedName(page)()).toBe('file-05.txt')
    expect(await rowOf(page, /file-05\.txt/).getAttribute('aria-selected')).toBe('true')
    await eventually(() => page.getByText('61 items').count(), 1)
  })

  test('a new first row is in view at the top of the list, although the first row had the focus', async () => {
    const page = await open()
    await rowOf(page, /file-00\.txt/).click()
    await page.mouse.move(0, 0)
    await writeFile(onDisk('a-first.txt'), 'by another program')
    const header = await page.getByRole('columnheader').first().boundingBox()
    const newTop = topOf(page, /a-first\.txt/)
    await rowOf(page, /a-first\.txt/).waitFor()
    expect(await newTop()).toBeGreaterThanOrEqual((header?.y ?? NaN) + (header?.height ?? NaN) - 1)
    expect(await focusedName(page)()).toBe('file-00.txt')
  })

  test('a change is shown at once, without a script that has to be loaded first', async () => {
    const page = await freshWindow()
    await signIn(page, server(), ann, `/files/${folder}/`)
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    // A change that waits for a script could bring back a row that the user has deleted meanwhile.
    await page.route('**/*.js', () => {})
    await writeFile(onDisk('a-first.txt'), 'by another program')
    await rowOf(page, /a-first\.txt/).waitFor({ state: 'attached' })
  })

  test('a selected file that another program changes stays selected and shows its new size', async () => {
    const page = await open()
    await rowOf(page, /file-05\.txt/).click()
    await writeFile(onDisk('file-05.txt'), 'x'.repeat(5120))
    await rowOf(page, /file-05\.txt, Text, 5.KB/).waitFor()
    expect(await rowOf(page, /file-05\.txt/).getAttribute('aria-selected')).toBe('true')
  })

  test('a folder that another program deletes and creates again shows the new files, at once or later', async () => {
    const page = await open()
    const create = async (name: string): Promise<void> => {
      await mkdir(path.join(server().folder, folder))
      await writeFile(onDisk(name), name)
    }
    await rm(path.join(server().folder, folder), { recursive: true })
    await create('at-once.txt')
    await rowOf(page, /at-once\.txt/).waitFor()
    await eventually(() => page.getByText('1 item', { exact: true }).count(), 1)
    await rm(path.join(server().folder, folder), { recursive: true })
    await page.getByRole('heading', { name: 'This folder was deleted or moved while it was open.' }).waitFor()
    await create('later.txt')
    await rowOf(page, /later\.txt/).waitFor()
    await writeFile(onDisk('last.txt'), 'by another program')
    await rowOf(page, /last\.txt/).waitFor()
  })

  test('a folder that another program deletes while it is open says so, and leads to the nearest folder', async () => {
    await mkdir(onDisk('a%2Fb #/inner'), { recursive: true })
    await writeFile(onDisk('a%2Fb #/inner/deep.txt'), 'deep')
    const page = await open()
    await page.goto(`${server().url}/files/${folder}/a%252Fb%20%23/inner/`)
    await rowOf(page, /deep\.txt/).waitFor()
    await rm(onDisk('a%2Fb #'), { recursive: true })
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'This folder was deleted or moved while it was open.' }).waitFor()
    await main.getByText(`The nearest folder that still exists is /${folder}.`).waitFor()
    expect(await page.locator('[aria-live="assertive"]').innerText()).toBe(
      'This folder was deleted or moved while it was open.',
    )
    await main.getByRole('button', { name: `Go to ${folder}` }).click()
    await page.waitForURL(`${server().url}/files/${folder}/`)
    await rowOf(page, /file-00\.txt/).waitFor()
    // Coming back to the missing folder is like a first visit.
    await page.goBack()
    await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
  })

  test('a selected file that another program deletes leaves the folder and the selection, and a notice names it', async () => {
    const page = await open()
    const notices = page.getByRole('region', { name: 'Notifications' })
    await rowOf(page, /file-05\.txt/).click()
    await rowOf(page, /file-07\.txt/).click({ modifiers: ['Control'] })
    await rm(onDisk('file-05.txt'))
    await notices.getByText('“file-05.txt” was deleted or moved elsewhere.').waitFor()
    await eventually(() => rowOf(page, /file-05\.txt/).count(), 0)
    await eventually(() => page.locator('[data-part="selection"]').getByText('1 selected').count(), 1)
    await eventually(
      () => page.locator('[aria-live="polite"]').innerText(),
      '“file-05.txt” was deleted or moved elsewhere. 1 selected',
    )
    await page.keyboard.press('Escape')
    await eventually(focusedName(page), 'file-07.txt')
    await rm(onDisk('file-07.txt'))
    await eventually(
      () => page.locator('[aria-live="polite"]').innerText(),
      '“file-07.txt” was deleted or moved elsewhere.',
    )
    expect(await notices.getByText('file-07.txt').count()).toBe(0)
  })

  /** Deletes a selected file on the disk while the question about the selection is open, which shows a notice. */
  const loseFileBesideDialog = async (width: number) => {
    const page = await open()
    await page.setViewportSize({ width, height: 844 })
    const notice = page.locator('[data-part="notices"] > div')
    await rowOf(page, /file-05\.txt/).click({ modifiers: ['Control'] })
    await rowOf(page, /file-07\.txt/).click({ modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await rm(onDisk('file-05.txt'))
    await notice.getByText('“file-05.txt” was deleted or moved elsewhere.').waitFor()
    return { page, dialog, notice }
  }

  test('on a phone a notice that comes while a dialog is open is above it, and stays there', async () => {
    const { page, dialog, notice } = await loseFileBesideDialog(390)
    await eventually(async () => ((await notice.boundingBox())?.y ?? 0) < 100, true)
    await eventually(() => isUncovered(notice), true)
    expect(await isUncovered(dialog.getByRole('button', { name: 'Delete' }))).toBe(true)
    await notice.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
    const before = await notice.boundingBox()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await notice.boundingBox()).toEqual(before)
    await notice.waitFor({ state: 'detached' })
  })

  test('a notice beside an open dialog stays at its edge when the window gets narrow, and the dialog lies over it', async () => {
    const { page, dialog, notice } = await loseFileBesideDialog(1440)
    await eventually(() => isUncovered(notice), true)
    await page.setViewportSize({ width: 390, height: 844 })
    // A notice that moves does so 100 ms after the dialog has come over it.
    await page.waitForTimeout(500)
    expect((await notice.boundingBox())?.y).toBeGreaterThan(600)
    expect(await doOverlap(notice, dialog)).toBe(true)
    expect(await isUncovered(dialog.getByRole('button', { name: 'Delete' }))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => isUncovered(notice), true)
    await notice.waitFor({ state: 'detached' })
  })

  test('many files that another program deletes at once cause one notice about those that were selected', async () => {
    const others = Array.from({ length: 120 }, (_, n) => `other-${n}.txt`)
    for (const name of others) await writeFile(onDisk(name), name)
    const page = await open()
    for (const name of [/file-05\.txt/, /file-06\.txt/, /file-07\.txt/])
      await rowOf(page, name).click({ modifiers: ['Control'] })
    await Promise.all([...others, 'file-05.txt', 'file-07.txt'].map((name) => rm(onDisk(name))))
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('2 selected items were deleted or moved elsewhere.')
      .waitFor()
    await eventually(() => page.getByText('58 items').count(), 1)
    expect(await rowOf(page, /file-06\.txt/).getAttribute('aria-selected')).toBe('true')
  })

  test('a name that is being typed stays while another program renames the file, which keeps its selection', async () => {
    const received: string[] = []
    const page = await open((socket) =>
      socket.on('framereceived', ({ payload }) => received.push(String(payload))),
    )
    const field = page.getByRole('grid').getByRole('textbox')
    await rowOf(page, /file-05\.txt/).click()
    await rename(onDisk('file-05.txt'), onDisk('renamed.txt'))
    await rowOf(page, /renamed\.txt/).waitFor()
    expect(await rowOf(page, /renamed\.txt/).getAttribute('aria-selected')).toBe('true')
    await eventually(focusedName(page), 'renamed.txt')

    await page.keyboard.press('F2')
    // The field takes the focus and selects the name without its extension a moment after it appears.
    const selectedText = () =>
      field.evaluate((input: HTMLInputElement) =>
        input === document.activeElement
          ? input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0)
          : null,
      )
    await eventually(selectedText, 'renamed')
    await page.keyboard.type('typed')
    await eventually(() => field.inputValue(), 'typed.txt')
    await rename(onDisk('renamed.txt'), onDisk('renewed.txt'))
    await eventually(() => received.some((message) => message.includes('renewed.txt')), true)
    await page.waitForTimeout(100)
    expect(await field.inputValue()).toBe('typed.txt')
    await page.keyboard.press('Enter')
    await page
      .getByText('renamed.txt is no longer there, so it was not renamed to typed.txt.')
      .first()
      .waitFor()
    await rowOf(page, /renewed\.txt/).waitFor()
    expect(page.url()).toMatch(/live-\d+\/$/)
    expect(await rowOf(page, /(renamed|typed)\.txt/).count()).toBe(0)
  })

  test('a device without a network shows that at once, and follows the folder again with a network', async () => {
    const page = await freshWindow()
    await signIn(page, server(), ann, `/files/${folder}/`)
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    await page.context().setOffline(true)
    await eventually(() => mark(page).getAttribute('data-state'), 'offline')
    await writeFile(onDisk('a-unseen.txt'), '')
    await page.context().setOffline(false)
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    await rowOf(page, /a-unseen\.txt/).waitFor()
  })

  test('a file that grows between the listing and the start of its watch gets its new size', async () => {
    const page = await freshWindow()
    const hasGrown = Promise.withResolvers<void>()
    await page.routeWebSocket('**/api/events', async (socket) => {
      await hasGrown.promise
      socket.connectToServer()
    })
    await signIn(page, server(), ann, `/files/${folder}/`)
    await rowOf(page, /file-00\.txt, Text, 11/).waitFor()
    await appendFile(onDisk('file-00.txt'), 'grown')
    hasGrown.resolve()
    await rowOf(page, /file-00\.txt, Text, 16/).waitFor()
  })

  test('when somebody else moves the open folder, the page says where it is and leads there', async () => {
    const page = await open()
    const to = `${folder} moved #?`
    const body = JSON.stringify({ username: ann.name, password: ann.password })
    const login = await fetch(`${server().url}/api/login`, { method: 'POST', body })
    const response = await fetch(
      `${server().url}/api/resources/${folder}?action=rename&destination=${encodeURIComponent(`/${encodeURIComponent(to)}`)}`,
      { method: 'PATCH', headers: { 'x-auth': await login.text() } },
    )
    expect(response.status).toBe(200)
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText(`This folder has been moved to /${to}.`)
      .waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.waitForURL(`${server().url}/files/${encodeURIComponent(to)}/`)
    await rowOf(page, /file-00\.txt/).waitFor()
  })

  test('what happens while the connection is lost appears when it is back', async () => {
    const page = await freshWindow()
    const sockets: WebSocketRoute[] = []
    await page.routeWebSocket('**/api/events', (socket) => {
      sockets.push(socket)
      socket.connectToServer()
    })
    await signIn(page, server(), ann, `/files/${folder}/`)
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    await writeFile(onDisk('before.txt'), '')
    await rowOf(page, /before\.txt/).waitFor()
    let listings = 0
    page.on('request', (request) => (listings += Number(request.url().endsWith(`/api/resources/${folder}/`))))
    await sockets.at(-1)!.close()
    await eventually(() => mark(page).getAttribute('data-state'), 'reconnecting')
    await writeFile(onDisk('a-meanwhile.txt'), '')
    await rm(onDisk('before.txt'))
    await eventually(() => mark(page).getAttribute('data-state'), 'live')
    await rowOf(page, /a-meanwhile\.txt/).waitFor()
    await eventually(() => rowOf(page, /before\.txt/).count(), 0)
    expect(listings).toBe(0)
  })
})
