import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Page, WebSocket, WebSocketRoute } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, doOverlap, eventually, isUncovered, withMotion } from './journeys.ts'

const names = Array.from({ length: 60 }, (_, n) => `file-${String(n).padStart(2, '0')}.txt`)

const mark = (page: Page) =>
  page.locator('[data-part="status"] [data-state], [data-slot="page-notice"] [data-state]')

const topOf = (page: Page, name: RegExp) => async () => (await rowOf(page, name).boundingBox())?.y

const focusedName = (page: Page) => () =>
  page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['name'])

atRoot({ people: [ann] }, ({ server, window, freshWindow }) => {
  /** Every journey has its own folder. */
  let folder = ''
  let journeys = 0
  const onDisk = (name: string): string => path.join(server().folder, folder, name)
  const open = async (onSocket: (socket: WebSocket) => void = () => {}): Promise<Page> => {
    const page = await window(withMotion)
    let isWatched = false
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        isWatched ||= String(payload).includes(`"watching":"/${folder}"`)
      })
      onSocket(socket)
    })
    await signIn(page, server(), ann, `/files/${folder}/`)
    await rowOf(page, /file-00\.txt/).waitFor()
    // Changes before this message are shown by reading the folder again, and not as changes of single rows.
    await eventually(() => isWatched, true)
    return page
  }

  beforeEach(async () => {
    folder = `live-${(journeys += 1)}`
    await mkdir(path.join(server().folder, folder))
    for (const name of names) await writeFile(onDisk(name), name)
  })

  // Journey: live-1
  test('a file that another program writes appears without moving the row under the mouse, the focus or the selection, and a changed file shows its size', async () => {
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

    await writeFile(onDisk('file-05.txt'), 'x'.repeat(5120))
    await rowOf(page, /file-05\.txt, Text, 5.KB/).waitFor()
    expect(await rowOf(page, /file-05\.txt/).getAttribute('aria-selected')).toBe('true')

    // A new first row is in view at the top of the list, although the first row has the focus.
    await page.keyboard.press('Home')
    await eventually(focusedName(page), 'a-first.txt')
    await page.mouse.move(0, 0)
    await writeFile(onDisk('0-first.txt'), 'by another program')
    const header = await page.getByRole('columnheader').first().boundingBox()
    const newTop = topOf(page, /0-first\.txt/)
    await rowOf(page, /0-first\.txt/).waitFor()
    expect(await newTop()).toBeGreaterThanOrEqual((header?.y ?? NaN) + (header?.height ?? NaN) - 1)
    expect(await focusedName(page)()).toBe('a-first.txt')
  })

  test('a change is shown without a script that has to be loaded first, and a device without a network says so and catches up with a network', async () => {
    const page = await open()
    // A change that waits for a script could bring back a row that the user has deleted meanwhile.
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await isReleased
      await route.continue()
    })
    await writeFile(onDisk('a-first.txt'), 'by another program')
    await rowOf(page, /a-first\.txt/).waitFor({ state: 'attached' })
    release()
    await page.unroute('**/*.js')

    await page.context().setOffline(true)
    await eventually(() => mark(page).getAttribute('data-state'), 'offline')
    await writeFile(onDisk('a-unseen.txt'), '')
    await page.context().setOffline(false)
    await eventually(() => mark(page).count(), 0)
    await rowOf(page, /a-unseen\.txt/).waitFor()
  })

  test('neither a lost network nor a failed reload moves the first row', async () => {
    await mkdir(onDisk('inner'))
    const page = await open()
    expect(page.viewportSize()?.width).toBe(1280)
    const top = await topOf(page, /inner/)()
    expect(top).toBeGreaterThan(0)
    await page.context().setOffline(true)
    await eventually(() => mark(page).getAttribute('data-state'), 'offline')
    expect(await topOf(page, /inner/)()).toBe(top)

    // Coming back to the folder reads it again, which fails.
    await rowOf(page, /inner/).dblclick()
    await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
    await page.goBack()
    const notice = page
      .getByRole('main')
      .getByRole('alert')
      .filter({ hasText: "The server can't be reached." })
    await notice.getByRole('button', { name: 'Retry' }).waitFor()
    expect(await topOf(page, /inner/)()).toBe(top)
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'detached' })
    expect(await topOf(page, /inner/)()).toBe(top)
  })

  test('a folder that another program deletes says so and leads to the nearest folder, and shows the new files when it is created again', async () => {
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

    await mkdir(onDisk('a%2Fb #/inner'), { recursive: true })
    await writeFile(onDisk('a%2Fb #/inner/deep.txt'), 'deep')
    await rowOf(page, /a%2Fb #/).dblclick()
    await rowOf(page, /inner/).dblclick()
    await page.waitForURL(`${server().url}/files/${folder}/a%252Fb%20%23/inner/`)
    await rowOf(page, /deep\.txt/).waitFor()
    await rm(onDisk('a%2Fb #'), { recursive: true })
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'This folder was deleted or moved while it was open.' }).waitFor()
    await main.getByText(`The nearest folder that still exists is ${folder}.`).waitFor()
    const link = main.locator('p').getByRole('link', { name: folder, exact: true })
    expect(await link.evaluate((anchor: HTMLAnchorElement) => anchor.href)).toBe(
      `${server().url}/files/${folder}/`,
    )
    expect(await page.locator('[aria-live="assertive"]').innerText()).toBe(
      'This folder was deleted or moved while it was open.',
    )
    await main.getByRole('button', { name: `Go to ${folder}` }).click()
    await page.waitForURL(`${server().url}/files/${folder}/`)
    await rowOf(page, /last\.txt/).waitFor()
    // Coming back to the missing folder is like a first visit.
    await page.goBack()
    await page.getByRole('heading', { name: "This location can't be reached." }).waitFor()
  })

  test('selected files that another program deletes leave the folder and the selection, and one notice names or counts them', async () => {
    const others = Array.from({ length: 120 }, (_, n) => `other-${n}.txt`)
    await Promise.all(others.map((name) => writeFile(onDisk(name), name)))
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

    // Many files that disappear at once cause one notice about those that were selected.
    for (const name of [/file-08\.txt/, /file-09\.txt/, /file-10\.txt/])
      await rowOf(page, name).click({ modifiers: ['Control'] })
    await Promise.all([...others, 'file-08.txt', 'file-10.txt'].map((name) => rm(onDisk(name))))
    await notices.getByText('2 selected items were deleted or moved elsewhere.').waitFor()
    await eventually(() => page.getByText('56 items').count(), 1)
    expect(await rowOf(page, /file-09\.txt/).getAttribute('aria-selected')).toBe('true')
  })

  test('the question before a delete follows what others delete meanwhile, and closes when nothing is left', async () => {
    const page = await open()
    await rowOf(page, /file-05\.txt/).click()
    await rowOf(page, /file-07\.txt/).click({ modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    const question = page.getByRole('dialog')
    await question.getByRole('heading', { name: 'Delete 2 items?' }).waitFor()
    await rm(onDisk('file-05.txt'))
    await question.getByRole('heading', { name: 'Delete “file-07.txt”?' }).waitFor()
    await rm(onDisk('file-07.txt'))
    await question.waitFor({ state: 'detached' })
  })

  test('a notice that comes beside an open dialog stays where it appeared, and covers no button of the dialog on a phone', async () => {
    const page = await open()
    const notice = page.locator('[data-part="notices"] > div')
    const dialog = page.getByRole('dialog')
    /** Deletes a selected file on the disk while the question about the selection is open, which shows a notice. */
    const loseBesideDialog = async (lost: string, kept: string) => {
      for (const name of [lost, kept]) await rowOf(page, name).click({ modifiers: ['Control'] })
      await page.keyboard.press('Delete')
      await dialog.waitFor()
      await rm(onDisk(lost))
      await notice.getByText(`“${lost}” was deleted or moved elsewhere.`).waitFor()
    }
    await page.setViewportSize({ width: 1440, height: 844 })
    await loseBesideDialog('file-05.txt', 'file-07.txt')
    await eventually(() => isUncovered(notice), true)
    await page.setViewportSize({ width: 390, height: 844 })
    // A notice that moves does so 100 ms after the dialog has come over it. 40 frames take 600 ms and more.
    const tops = await notice.evaluate(async (element) => {
      const seen: number[] = []
      while (seen.length < 40) {
        await new Promise(requestAnimationFrame)
        seen.push(element.getBoundingClientRect().top)
      }
      return seen
    })
    expect(Math.min(...tops)).toBeGreaterThan(600)
    expect(await doOverlap(notice, dialog)).toBe(true)
    expect(await isUncovered(dialog.getByRole('button', { name: 'Delete' }))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => isUncovered(notice), true)
    await notice.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected="true"]').waitFor({ state: 'detached' })

    // On a phone, a notice that comes while a dialog is open is above the dialog, and stays there.
    await loseBesideDialog('file-04.txt', 'file-06.txt')
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

  test('a name that is being typed stays while another program renames the file, and the page follows an open folder that somebody else moves', async () => {
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
    // The page has handled the message and rendered twice by then.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    expect(await field.inputValue()).toBe('typed.txt')
    await page.keyboard.press('Enter')
    await page
      .getByText('renamed.txt is no longer there, so it was not renamed to typed.txt.')
      .first()
      .waitFor()
    await rowOf(page, /renewed\.txt/).waitFor()
    expect(page.url()).toMatch(/live-\d+\/$/)
    expect(await rowOf(page, /(renamed|typed)\.txt/).count()).toBe(0)

    // When somebody else moves the open folder, the page says where it is and leads there.
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
      .getByText(`This folder has been moved to ${to}.`)
      .waitFor()
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.waitForURL(`${server().url}/files/${encodeURIComponent(to)}/`)
    await rowOf(page, /renewed\.txt/).waitFor()
  })

  test('a file that grows before the watch of its folder starts gets its new size, and changes during a lost connection appear when it is back', async () => {
    const page = await freshWindow()
    const sockets: WebSocketRoute[] = []
    const hasGrown = Promise.withResolvers<void>()
    await page.routeWebSocket('**/api/events', async (socket) => {
      sockets.push(socket)
      await hasGrown.promise
      socket.connectToServer()
    })
    await signIn(page, server(), ann, `/files/${folder}/`)
    await rowOf(page, /file-00\.txt, Text, 11/).waitFor()
    await appendFile(onDisk('file-00.txt'), 'grown')
    hasGrown.resolve()
    await rowOf(page, /file-00\.txt, Text, 16/).waitFor()

    await writeFile(onDisk('before.txt'), '')
    await rowOf(page, /before\.txt/).waitFor()
    let listings = 0
    page.on('request', (request) => (listings += Number(request.url().endsWith(`/api/resources/${folder}/`))))
    await sockets.at(-1)!.close()
    await eventually(() => mark(page).getAttribute('data-state'), 'reconnecting')
    await writeFile(onDisk('a-meanwhile.txt'), '')
    await rm(onDisk('before.txt'))
    await eventually(() => mark(page).count(), 0)
    await rowOf(page, /a-meanwhile\.txt/).waitFor()
    await eventually(() => rowOf(page, /before\.txt/).count(), 0)
    expect(listings).toBe(0)
  })
})
