import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { newPage, rowOf, signIn } from '../kit/browser.ts'
import { ann, bea } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const select = async (page: Page, ...names: readonly string[]): Promise<void> => {
  for (const [at, name] of names.entries())
    await rowOf(page, name).click({ modifiers: at === 0 ? [] : ['Control'] })
}
/**
 * Presses a key that cuts or copies until the clipboard has the expected content: its code is loaded after the first
 * rows.
 */
const fillClipboard = async (page: Page, key: string, text: string): Promise<void> => {
  const chip = page.getByRole('group', { name: 'Clipboard' }).getByText(text)
  await eventually(async () => {
    await page.keyboard.press(key)
    return chip.count()
  }, 1)
}

/** Drags the name of a row to the middle of a target, and keeps the button pressed. */
const dragTo = async (page: Page, name: string, target: Locator): Promise<void> => {
  const from = await rowOf(page, name).locator('[data-part="name"]').boundingBox()
  const to = await target.boundingBox()
  if (from === null || to === null) throw new Error('A row is not on screen.')
  await page.mouse.move(from.x + 8, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + from.height / 2 + 8, { steps: 3 })
  await page.mouse.move(to.x + Math.min(30, to.width / 2), to.y + to.height / 2, { steps: 3 })
  // The browser reports a position of a drag only when the pointer moves on from it.
  await page.mouse.move(to.x + Math.min(32, to.width / 2), to.y + to.height / 2)
}
const preview = (page: Page) => page.locator('[data-part="drag"]')

/** Opens the root folder through the breadcrumb. */
const openHouse = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
  await page.waitForURL(/\/files\/$/)
  await rowOf(page, name).waitFor()
}

const openDocs = async (page: Page): Promise<void> => {
  await rowOf(page, 'Docs').dblclick()
  await page.waitForURL(/\/Docs\/$/)
}

atRoot({ files: { 'visible.txt': 'visible' } }, ({ server, window, testAtRoot }) => {
  const at = (...names: readonly string[]): string => path.join(server().folder, ...names)
  const put = (name: string, text = 'x'): Promise<void> => writeFile(at(name), text)
  const namesIn = async (...names: readonly string[]): Promise<string[]> =>
    (await readdir(at(...names))).sort()
  const textOf = (...names: readonly string[]): Promise<string> => readFile(at(...names), 'utf8')

  /** Opens a folder below the root whose rows include the given name. */
  const openAt = async (folder: string, name: string, person = ann): Promise<Page> => {
    const page = await window()
    await signIn(page, server(), person, `/files/${folder}`)
    await rowOf(page, name).waitFor()
    return page
  }
  beforeEach(async () => {
    for (const name of await readdir(server().folder)) await rm(at(name), { recursive: true })
    await mkdir(at('Docs'))
    await put('report.txt', 'quarterly')
    await put('second.txt', 'second')
  })

  // Journey: operations-1
  testAtRoot(
    'cut rows are pasted once, also in another tab, copies twice with a number in their own folder, folders not into themselves, and nothing without permissions',
    async () => {
      const page = await openAt('', 'report.txt')
      await select(page, 'report.txt', 'second.txt')
      const count = page.locator('[data-part="status"] > span').first()
      const placeOfCount = await count.boundingBox()
      await fillClipboard(page, 'Control+x', '2 items cut')
      expect(await count.boundingBox()).toEqual(placeOfCount)
      await openDocs(page)
      await page.keyboard.press('Control+v')
      await eventually(() => namesIn('Docs'), ['report.txt', 'second.txt'])
      await rowOf(page, 'report.txt').waitFor()
      await eventually(() => page.locator('[data-part="clipboard"]').count(), 0)
      let sent = 0
      page.on('request', (request) => (sent += request.method() === 'PATCH' ? 1 : 0))
      await page.keyboard.press('Control+v')
      expect([sent, await namesIn()]).toEqual([0, ['Docs']])

      const chip = page.getByRole('group', { name: 'Clipboard' })
      await select(page, 'report.txt')
      await fillClipboard(page, 'Control+c', 'report.txt copied')
      await page.keyboard.press('Control+v')
      await rowOf(page, 'report(1).txt').waitFor()
      await openHouse(page, 'Docs')
      await chip.getByRole('button', { name: 'Paste here' }).click()
      await rowOf(page, 'report.txt').waitFor()
      expect([await namesIn('Docs'), await namesIn()]).toEqual([
        ['report(1).txt', 'report.txt', 'second.txt'],
        ['Docs', 'report.txt'],
      ])
      await chip.getByRole('button', { name: 'Clear' }).click()
      await eventually(() => chip.count(), 0)

      // Ctrl+D copies the selected entries beside them.
      await select(page, 'report.txt', 'Docs')
      await page.keyboard.press('Control+d')
      await rowOf(page, 'report(1).txt').waitFor()
      await rowOf(page, 'Docs(1)').waitFor()
      expect(await namesIn()).toEqual(['Docs', 'Docs(1)', 'report(1).txt', 'report.txt'])

      // A folder that is cut in one tab is pasted in another tab.
      const other = await newPage(page.context())
      await other.goto(`${server().url}/files/Docs/`)
      // Before the folder is shown, nothing can be pasted into it.
      await rowOf(other, 'second.txt').waitFor()
      await select(page, 'Docs(1)')
      await fillClipboard(page, 'Control+x', 'Docs(1) cut')
      await other.getByText('Docs(1) cut').last().waitFor()
      await other.keyboard.press('Control+v')
      await eventually(() => namesIn('Docs'), ['Docs(1)', 'report(1).txt', 'report.txt', 'second.txt'])
      await eventually(() => page.locator('[data-part="clipboard"]').count(), 0)
      await eventually(() => rowOf(page, 'Docs(1)').count(), 0)
      await other.close()

      await select(page, 'Docs')
      await fillClipboard(page, 'Control+x', 'Docs cut')
      await openDocs(page)
      await page.keyboard.press('Control+v')
      await page.getByText('Docs was not pasted. A folder cannot be put into itself.').first().waitFor()
      const names = await namesIn()
      expect(names).toEqual(['Docs', 'report(1).txt', 'report.txt'])

      await signIn(page, server(), bea)
      await select(page, 'report.txt')
      for (const key of ['Control+c', 'Control+x', 'Control+d']) await page.keyboard.press(key)
      expect(await page.locator('[data-part="clipboard"]').count()).toBe(0)
      expect([await textOf('report.txt'), await namesIn()]).toEqual(['quarterly', names])
    },
  )

  testAtRoot(
    'pasting before the rows of a folder have arrived pastes into it, and a name that is taken after the names were compared is asked about in the same dialog',
    async () => {
      const page = await openAt('', 'report.txt')
      await select(page, 'report.txt')
      await fillClipboard(page, 'Control+c', 'report.txt copied')
      const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
      await page.route('**/api/resources/Docs/', async (route) => {
        await arrival
        await route.continue()
      })
      await openDocs(page)
      await page.getByRole('button', { name: 'Paste here' }).click()
      // The names in the folder are also compared with those on the clipboard before anything is copied.
      arrive()
      await eventually(() => namesIn('Docs'), ['report.txt'])
      await rowOf(page, 'report.txt').waitFor()
      expect(await namesIn()).toEqual(['Docs', 'report.txt', 'second.txt'])
      await page.getByRole('group', { name: 'Clipboard' }).getByRole('button', { name: 'Clear' }).click()
      await page.unroute('**/api/resources/Docs/')

      await page.route(/\/api\/resources\/second\.txt\?/, async (route) => {
        if (!route.request().url().includes('rename=true'))
          await writeFile(at('Docs', 'second.txt'), 'theirs')
        await route.continue()
      })
      await openHouse(page, 'second.txt')
      await select(page, 'second.txt')
      await fillClipboard(page, 'Control+x', 'second.txt cut')
      await openDocs(page)
      // The root has a report.txt as well, and shows its rows until those of Docs have arrived.
      await rowOf(page, 'second.txt').waitFor({ state: 'detached' })
      await rowOf(page, 'report.txt').waitFor()
      await page.keyboard.press('Control+v')
      const dialog = page.getByRole('dialog', { name: 'Replace' })
      await dialog.getByRole('button', { name: 'Keep both' }).click()
      await eventually(() => namesIn('Docs'), ['report.txt', 'second(1).txt', 'second.txt'])
      expect(await textOf('Docs', 'second(1).txt')).toBe('second')
    },
  )

  testAtRoot(
    'entries that were not moved or pasted because the network was cut are counted, and moved with Retry into the chosen folder',
    async () => {
      const page = await openAt('', 'report.txt')
      const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline)
      const notice = page.getByRole('region', { name: 'Notifications' })
      const isNotMoved = () =>
        notice.getByText("2 items were not moved. The server can't be reached.").waitFor()
      const retry = notice.getByRole('button', { name: 'Retry', exact: true })
      await select(page, 'report.txt', 'second.txt')
      await page.getByRole('button', { name: 'Move to…' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('treeitem', { name: 'Docs' }).click()
      await dialog.getByRole('button', { name: 'New folder' }).click()
      await dialog.getByRole('textbox').fill('later')
      await setOffline(true)
      await page.keyboard.press('Enter')
      const refusal = dialog.getByText("The server can't be reached.")
      await refusal.waitFor()
      await setOffline(false)
      await refusal.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await setOffline(true)
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await isNotMoved()
      await setOffline(false)
      await retry.click()
      await eventually(() => namesIn('Docs'), ['report.txt', 'second.txt'])

      await openDocs(page)
      await select(page, 'report.txt', 'second.txt')
      await fillClipboard(page, 'Control+x', '2 items cut')
      await openHouse(page, 'Docs')
      await setOffline(true)
      await page.keyboard.press('Control+v')
      await isNotMoved()
      await setOffline(false)
      await retry.click()
      await eventually(() => namesIn(), ['Docs', 'report.txt', 'second.txt'])
      await eventually(() => page.getByRole('group', { name: 'Clipboard' }).count(), 0)
    },
  )

  // Journey: operations-2
  testAtRoot(
    'pasting over existing names asks: Cancel changes nothing, Keep both leaves both, Enter replaces a single file and skips several, and conflicts are decided one by one',
    async () => {
      const five = ['a.txt', 'b.txt', 'c.txt', 'x.txt', 'y.txt']
      for (const name of five) await put(name, `new ${name}`)
      await mkdir(at('More'))
      await writeFile(at('Docs', 'report.txt'), 'older')
      for (const folder of ['Docs', 'More'])
        for (const name of ['a.txt', 'b.txt']) await writeFile(at(folder, name), 'old')
      const page = await openAt('', 'y.txt')
      await select(page, 'report.txt')
      await fillClipboard(page, 'Control+c', 'report.txt copied')
      await openDocs(page)
      // The root has a report.txt as well, and shows its rows until those of Docs have arrived.
      await rowOf(page, 'x.txt').waitFor({ state: 'detached' })
      await rowOf(page, 'report.txt').waitFor()
      const dialog = page.getByRole('dialog', { name: 'Replace' })
      await page.keyboard.press('Control+v')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await eventually(() => dialog.count(), 0)
      expect([await namesIn('Docs'), await textOf('Docs', 'report.txt')]).toEqual([
        ['a.txt', 'b.txt', 'report.txt'],
        'older',
      ])
      await page.keyboard.press('Control+v')
      await dialog.getByText('report(1).txt').waitFor()
      await dialog.getByRole('button', { name: 'Keep both' }).click()
      await rowOf(page, 'report(1).txt').waitFor()
      expect([await textOf('Docs', 'report.txt'), await textOf('Docs', 'report(1).txt')]).toEqual([
        'older',
        'quarterly',
      ])
      await page.keyboard.press('Control+v')
      await dialog.waitFor()
      await page.keyboard.press('Enter')
      await eventually(() => textOf('Docs', 'report.txt'), 'quarterly')
      // On an ext file system without a journal, a hard link keeps the old file until the folder is flushed.
      await eventually(() => namesIn('Docs'), ['a.txt', 'b.txt', 'report(1).txt', 'report.txt'])

      // Of five copies two exist. Enter skips the two, as announced.
      await openHouse(page, 'y.txt')
      await select(page, ...five)
      await fillClipboard(page, 'Control+c', '5 items copied')
      await openDocs(page)
      await rowOf(page, 'report(1).txt').waitFor()
      await page.keyboard.press('Control+v')
      const existing = page.getByRole('list', { name: 'Names that already exist' }).getByRole('listitem')
      await page.getByText('2 of 5 already exist in Docs').waitFor()
      expect(await existing.allTextContents()).toEqual(['a.txt', 'b.txt'])
      await page.getByText('2 skipped, 3 copied').waitFor()
      await page.keyboard.press('Enter')
      await eventually(
        () => namesIn('Docs'),
        [...five.slice(0, 3), 'report(1).txt', 'report.txt', 'x.txt', 'y.txt'],
      )
      expect([await textOf('Docs', 'a.txt'), await textOf('Docs', 'b.txt')]).toEqual(['old', 'old'])

      await openHouse(page, 'y.txt')
      await rowOf(page, 'More').dblclick()
      await page.waitForURL(/\/More\/$/)
      await rowOf(page, 'a.txt').waitFor()
      await page.keyboard.press('Control+v')
      await page.getByText('2 of 5 already exist in More').waitFor()
      expect(await existing.allTextContents()).toEqual(['a.txt', 'b.txt'])
      await dialog.getByRole('button', { name: 'Decide one by one' }).click()
      await dialog.getByLabel('Choice for a.txt').selectOption('Replace')
      await dialog.getByLabel('Choice for b.txt').selectOption('Keep both')
      await dialog.getByText('1 replaced, 1 kept both, 3 copied').waitFor()
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await eventually(() => namesIn('More'), ['a.txt', 'b(1).txt', 'b.txt', 'c.txt', 'x.txt', 'y.txt'])
      await eventually(
        () => Promise.all(['a.txt', 'b.txt', 'b(1).txt'].map((name) => textOf('More', name))),
        ['new a.txt', 'old', 'new b.txt'],
      )
    },
  )

  // Journey: operations-3
  testAtRoot(
    'dragged rows are moved or copied to a folder or the house, open a folder below them, are offered to the desktop, and are not put into themselves',
    async () => {
      await mkdir(at('Docs', 'Inner'))
      await put('third.txt')
      const page = await openAt('', 'report.txt')
      // The code for drags is loaded after the first rows, together with the code for the clipboard.
      await select(page, 'second.txt')
      await fillClipboard(page, 'Control+c', 'second.txt copied')
      await page.keyboard.press('Escape')
      const all = ['Docs', 'report.txt', 'second.txt', 'third.txt']
      await dragTo(page, 'Docs', rowOf(page, 'Docs'))
      await preview(page).getByText('A folder cannot be put into itself.').waitFor()
      await page.mouse.up()
      await eventually(() => preview(page).count(), 0)
      expect([await namesIn(), await namesIn('Docs')]).toEqual([all, ['Inner']])

      const offered = page.evaluate(
        () =>
          new Promise<string>((resolve) =>
            addEventListener('dragstart', ({ dataTransfer }) =>
              resolve(dataTransfer?.getData('DownloadURL') ?? ''),
            ),
          ),
      )
      await dragTo(page, 'report.txt', rowOf(page, 'Docs'))
      const [type, name, ...address] = (await offered).split(':')
      expect([type, name]).toEqual(['application/octet-stream', 'report.txt'])
      const download = await page.request.get(address.join(':'))
      expect([download.status(), await download.text()]).toEqual([200, 'quarterly'])
      await preview(page).getByText('Move 1 item to Docs').waitFor()
      await page.keyboard.press('Escape')
      await eventually(() => preview(page).count(), 0)
      await page.mouse.up()
      expect([await namesIn(), await namesIn('Docs')]).toEqual([all, ['Inner']])

      await dragTo(page, 'report.txt', rowOf(page, 'Docs'))
      await preview(page).getByText('Move 1 item to Docs').waitFor()
      expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(1)
      await page.mouse.up()
      await eventually(() => namesIn('Docs'), ['Inner', 'report.txt'])
      await eventually(() => rowOf(page, 'report.txt').count(), 0)
      expect(await preview(page).count()).toBe(0)

      // With Ctrl held the selected rows are copied.
      await select(page, 'second.txt', 'third.txt')
      await page.keyboard.down('Control')
      await dragTo(page, 'third.txt', rowOf(page, 'Docs'))
      await preview(page).getByText('Copy 2 items to Docs').waitFor()
      await page.mouse.up()
      await page.keyboard.up('Control')
      const copied = ['Inner', 'report.txt', 'second.txt', 'third.txt']
      await eventually(() => namesIn('Docs'), copied)
      expect(await namesIn()).toEqual(['Docs', 'second.txt', 'third.txt'])

      // A folder opens while entries are held above it, and nothing is moved when they are dropped beside it.
      await openDocs(page)
      await rowOf(page, 'third.txt').waitFor()
      await dragTo(page, 'report.txt', rowOf(page, 'Inner'))
      await page.waitForURL(/\/Docs\/Inner\/$/)
      // The rows of `Docs`, onto which a drop would move the file, stay until the new folder is shown.
      await page.getByText('It feels lonely here...').waitFor()
      await page.mouse.up()
      await page.mouse.move(600, 600)
      await eventually(() => preview(page).count(), 0)
      expect([await namesIn('Docs'), await namesIn('Docs', 'Inner')]).toEqual([copied, []])

      const breadcrumb = page.getByLabel('Breadcrumb')
      await breadcrumb.getByRole('link', { name: 'Docs' }).click()
      await rowOf(page, 'report.txt').waitFor()
      await dragTo(page, 'report.txt', breadcrumb.getByRole('link', { name: 'My files' }))
      await preview(page).getByText('Move 1 item to My files').waitFor()
      await page.mouse.up()
      await eventually(() => namesIn('Docs'), ['Inner', 'second.txt', 'third.txt'])
      expect(await textOf('report.txt')).toBe('quarterly')
    },
  )
})
