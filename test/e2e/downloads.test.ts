import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Download, Page } from 'playwright-core'
import { zipNames } from '../clients/zip-names.ts'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { eventually, everywhere, namesShown } from './journeys.ts'

const oddNames = ['#1 ?x&y.txt', '100%.txt', 'a%2Fb.txt', 'a,b.txt', 'two\nlines.txt', '😀.txt']

const files = {
  Docs: { 'a.txt': 'first', sub: { 'deep.txt': 'deep' }, empty: {} },
  Odd: Object.fromEntries(oddNames.map((name) => [name, name])),
  Wide: Object.fromEntries(
    Array.from({ length: 1200 }, (_, index) => [`long name, number ${index}.txt`, '']),
  ),
  'report.txt': 'quarterly',
  'notes.txt': 'notes',
}

const downloadOf = async (page: Page, start: () => Promise<void>): Promise<Download> => {
  const [download] = await Promise.all([page.waitForEvent('download'), start()])
  return download
}
const press = (page: Page, name: string) => () =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
/** Goes to a folder in the root, and waits for one of its entries. */
const goToFolder = async (page: Page, name: string, entry: RegExp): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
  await rowOf(page, name).dblclick()
  await rowOf(page, entry).waitFor()
}
/** Clicks the row with this name. A name with a line feed cannot be a part of a selector. */
const clickRow = async (page: Page, name: string, modifiers: readonly 'Control'[] = []): Promise<void> => {
  const index = (await namesShown(page)).indexOf(name)
  await page
    .locator('[role="row"][data-name]')
    .nth(index)
    .click({ modifiers: [...modifiers] })
}
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)
const namesOf = async (download: Download): Promise<string[]> =>
  zipNames(await readFile(await download.path()))

everywhere({ files }, ({ server, window, testAtRoot }) => {
  const open = async (): Promise<Page> => {
    const page = await window()
    await signIn(page, server(), ann)
    await page.getByRole('grid').getByRole('row').nth(1).waitFor()
    return page
  }

  // Journey: downloads-1
  test('ctrl-S downloads the selected file, whose URL contains neither the token nor a ticket, and an archive of some entries with odd names contains exactly these', async () => {
    const page = await open()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await rowOf(page, /report\.txt/).click()
    const file = await downloadOf(page, () => page.keyboard.press('Control+s'))
    expect(file.suggestedFilename()).toBe('report.txt')
    expect(await readFile(await file.path(), 'utf8')).toBe('quarterly')
    const queries = urls.filter((url) => url.includes('/api/raw/')).map((url) => new URL(url).search)
    expect(queries.filter((query) => query.includes('auth'))).toEqual([])

    await rowOf(page, 'Odd').dblclick()
    await rowOf(page, 'a,b.txt').waitFor()
    await clickRow(page, oddNames[0] ?? '')
    await page.keyboard.press('Control+a')
    await clickRow(page, '😀.txt', ['Control'])
    const download = await downloadOf(page, () => page.keyboard.press('Control+s'))
    // Line feeds in names become `_`, because programs that unpack archives do not expect them.
    const expected = oddNames.filter((name) => name !== '😀.txt').map((name) => name.replace('\n', '_'))
    expect([download.suggestedFilename(), await namesOf(download)]).toEqual(['_Odd.zip', expected.toSorted()])
  })

  // Journey: downloads-2
  testAtRoot(
    'entries and the open folder are downloaded as a zip at once, the prompt under More offers the seven formats, and files with odd names and 1,199 files are downloaded',
    async () => {
      const page = await open()
      await rowOf(page, /^Docs/).click({ button: 'right' })
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Download as…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Download files' })
      await dialog.getByText('Choose the format you want to download.').waitFor()
      const labels = await dialog.getByRole('button').allInnerTexts()
      expect(labels).toEqual(['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.lz4', 'tar.sz', 'Cancel'])
      await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'zip')
      const compressed = await downloadOf(page, press(page, 'tar.gz'))
      expect(compressed.suggestedFilename()).toBe('Docs.tar.gz')
      await eventually(() => page.getByRole('dialog').count(), 0)
      await rowOf(page, /notes\.txt/).click({ modifiers: ['Control'] })
      const both = await downloadOf(page, () =>
        page.getByRole('button', { name: 'Download' }).first().click(),
      )
      expect(await namesOf(both)).toEqual([
        'Docs/',
        'Docs/a.txt',
        'Docs/empty/',
        'Docs/sub/',
        'Docs/sub/deep.txt',
        'notes.txt',
      ])
      // A single file is downloaded without a prompt.
      await rowOf(page, /report\.txt/).click()
      const file = await downloadOf(page, () =>
        page.getByRole('button', { name: 'Download' }).first().click(),
      )
      expect(file.suggestedFilename()).toBe('report.txt')
      expect(await readFile(await file.path(), 'utf8')).toBe('quarterly')

      await goToFolder(page, 'Docs', /^a\.txt/)
      const whole = await downloadOf(page, () => page.keyboard.press('Control+s'))
      expect(whole.suggestedFilename()).toBe('Docs.zip')
      expect(await namesOf(whole)).toEqual(['a.txt', 'empty/', 'sub/', 'sub/deep.txt'])
      await page.keyboard.press('Control+Shift+s')
      await dialog.getByText('Docs').first().waitFor()
      expect((await downloadOf(page, press(page, 'tar'))).suggestedFilename()).toBe('Docs.tar')

      await goToFolder(page, 'Odd', /^a,b\.txt/)
      for (const name of oddNames) {
        await clickRow(page, name)
        const odd = await downloadOf(page, () => page.keyboard.press('Control+s'))
        expect(await readFile(await odd.path(), 'utf8')).toBe(name)
      }

      await goToFolder(page, 'Wide', /number 0\.txt/)
      await page.locator('[role="row"][data-name]').first().click()
      await page.keyboard.press('Control+a')
      await page
        .locator('[role="row"][data-name]')
        .nth(3)
        .click({ modifiers: ['Control'] })
      const many = await downloadOf(page, () => page.keyboard.press('Control+s'))
      expect((await namesOf(many)).length).toBe(1199)
    },
  )

  testAtRoot(
    'a download that the server refuses, and one without a connection, cause a notice with the reason',
    async () => {
      await writeFile(path.join(server().folder, 'gone.txt'), 'x')
      const page = await open()
      await rowOf(page, /gone\.txt/).click()
      // The file is deleted when the download has begun, because the page removes the row when it hears of a deletion.
      await page.route('**/api/raw/**', async (route) => {
        await rm(path.join(server().folder, 'gone.txt'), { force: true })
        await route.continue()
      })
      await page.getByRole('button', { name: 'Download' }).first().click()
      await noticeOf(page, 'gone.txt was not downloaded. The file or folder no longer exists.').waitFor()
      await rowOf(page, /report\.txt/).click()
      await page.route('**/api/raw/**', (route) => route.abort())
      await page.getByRole('button', { name: 'Download' }).first().click()
      await noticeOf(page, "report.txt was not downloaded. The server can't be reached.").waitFor()
    },
  )
})
