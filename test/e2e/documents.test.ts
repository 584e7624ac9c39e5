import { readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makePdf } from '../kit/pdf.ts'
import { makeEpub } from '../kit/epub.ts'
import { makeZip } from '../kit/zip.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { draftsIn } from './drafts-in.ts'
import { everywhere, eventually, violationsInBothThemes } from './journeys.ts'

/** A person who may read files and change nothing. */
const reader = { name: 'rae', password: 'rae has a long password', flags: ['--perm.modify=false'] }

const notes = 'notes #?&+ 😀.md'
const files = {
  [notes]: '# First\n\nA text.\n',
  'data.json': '{"city": "Ulm"}',
  'page.html': '<h1>A page</h1>',
  'people.csv': 'name,age\nZoë,9\n',
  'large.md': `# The beginning\n\n${`${'word '.repeat(400)}\n\n`.repeat(1200)}# The end\n`,
  'plain.txt': 'a line\n',
  'scan.pdf': makePdf({ pages: ['a page'] }),
  'book.epub': makeEpub({ chapters: { 'a.xhtml': '<p>a chapter</p>' } }),
  'files.zip': makeZip([{ name: 'a.txt', content: 'a' }]),
}

const file = (page: Page) => page.locator('[data-part="file"]')
const textBox = (page: Page) => page.locator('[data-part="editor"]').getByRole('textbox')
const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true })
const preview = (page: Page) => page.getByRole('button', { name: 'Preview', exact: true })
const queryOf = (page: Page) => new URL(page.url()).search
const offer = (page: Page) => page.getByText(/^There is an unsaved text from/)

/** Writes at the beginning of the text that is edited. */
const write = async (page: Page, text: string) => {
  await eventually(() => page.evaluate(() => document.activeElement?.matches('[data-part="editor"]')), true)
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(text)
}

everywhere({ files, people: [ann, reader] }, ({ server, window, testAtRoot }) => {
  const saved = (name: string): string => readFileSync(path.join(server().folder, name), 'utf8')
  const openList = async (person = ann, address = '/files/') => {
    const page = await window()
    await signIn(page, server(), person, address)
    return page
  }

  // Journey: documents-1
  test('Markdown, CSV, JSON and HTML open as what they are, and show what was changed and saved in their editor', async () => {
    const page = await openList()
    const shown = (name: string, text: string) =>
      name === 'page.html'
        ? file(page).locator('iframe').contentFrame().getByText(text)
        : file(page).getByText(text).first()
    for (const [name, before, typed, after] of [
      [notes, 'First', 'Added\n\n', 'Added'],
      ['people.csv', 'Zoë', 'first,second\n', 'second'],
      ['data.json', 'Ulm', '[1,', 'not valid JSON'],
      ['page.html', 'A page', 'Added', 'Added'],
    ] as const) {
      await rowOf(page, name).dblclick()
      await shown(name, before).waitFor()
      expect([await textBox(page).count(), queryOf(page)]).toEqual([0, ''])
      await edit(page).click()
      await write(page, typed)
      expect(queryOf(page)).toBe('?edit')
      await page.keyboard.press('Control+s')
      await eventually(() => saved(name).startsWith(typed.trim()), true)
      await page.locator('[data-state="saved"]').waitFor()
      await preview(page).click()
      await shown(name, after).waitFor()
      expect([await textBox(page).count(), queryOf(page)]).toEqual([0, ''])
      await page.getByRole('button', { name: 'Close the file' }).click()
    }
  })

  // Journey: documents-2
  test('the editor of a document is an address: a reload keeps it, Back leads to the document, unsaved changes are asked about, and a draft is offered', async () => {
    const page = await openList()
    await rowOf(page, 'page.html').dblclick()
    await edit(page).click()
    await textBox(page).waitFor()
    await page.reload()
    await textBox(page).waitFor()
    await page.goBack()
    await edit(page).waitFor()
    expect(queryOf(page)).toBe('')
    await page.goForward()
    await textBox(page).click()
    await write(page, 'kept ')
    const dialog = page.getByRole('alertdialog', { name: 'Save changes?' })
    await preview(page).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(queryOf(page)).toBe('?edit')
    await eventually(() => draftsIn(page), 1)
    page.once('dialog', (question) => void question.accept())
    await page.goto(`${server().url}/files/page.html`)
    await offer(page).waitFor()
    expect(await textBox(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.locator('.cm-line', { hasText: 'kept' }).first().waitFor()
    expect([queryOf(page), await offer(page).count()]).toEqual(['?edit', 0])
    await preview(page).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await edit(page).waitFor()
    await page.reload()
    await edit(page).waitFor()
    expect([await offer(page).count(), saved('page.html').includes('kept')]).toEqual([0, false])
  })

  testAtRoot(
    'a document that was found by a search closes to the results, also from its editor',
    async () => {
      const page = await openList(ann, '/files/?q=people')
      const result = page.locator('[role="row"]').filter({ hasText: 'people.csv' }).first()
      await result.dblclick()
      await edit(page).click()
      await textBox(page).waitFor()
      await page.getByRole('button', { name: 'Close the file' }).click()
      await result.waitFor()
      expect(queryOf(page)).toBe('?q=people')
    },
  )

  testAtRoot(
    'somebody who may not change a document reads its source, and a new document opens in its editor',
    async () => {
      const page = await openList(reader, '/files/data.json')
      await page.getByRole('button', { name: 'Source', exact: true }).click()
      await page.getByText('This text cannot be changed here.').waitFor()
      await preview(page).click()
      await file(page).getByRole('tree').waitFor()
      expect(await edit(page).count()).toBe(0)

      await signIn(page, server(), ann)
      await page.getByRole('button', { name: 'New file' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').fill('new.md')
      await page.keyboard.press('Enter')
      await textBox(page).click()
      await write(page, '# New')
      await page.keyboard.press('Control+s')
      await eventually(() => saved('new.md'), '# New')
      await page.locator('[data-state="saved"]').waitFor()
      await preview(page).click()
      await file(page).getByRole('heading', { name: 'New', exact: true }).waitFor()
      // A new name keeps the editor open.
      await edit(page).click()
      await textBox(page).waitFor()
      await page.keyboard.press('F2')
      await page.getByRole('dialog').getByRole('textbox').fill('renamed.md')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/files/renamed.md?edit')
      await textBox(page).waitFor()
    },
  )

  testAtRoot(
    'a document follows what others save, and one that is too long says so while its editor has all of it',
    async () => {
      await writeFile(path.join(server().folder, 'live.md'), '# One')
      const page = await openList(ann, '/files/live.md')
      await file(page).getByRole('heading', { name: 'One' }).waitFor()
      // The server may watch the folder only after this moment.
      await eventually(async () => {
        await writeFile(path.join(server().folder, 'live.md'), '# One and two')
        return file(page).getByRole('heading', { name: 'One and two' }).count()
      }, 1)
      await page.getByText('live.md was changed by others, and was loaded again').first().waitFor()

      await page.goto(`${server().url}/files/large.md`)
      await page.getByText('Only the first 1.91 MB are shown.').waitFor()
      await edit(page).click()
      await write(page, '')
      await page.keyboard.press('Control+End')
      await page.locator('.cm-line', { hasText: '# The end' }).waitFor()
    },
  )

  testAtRoot(
    'a document that others have appended to shows all of its text, and not that it is cut',
    async () => {
      await writeFile(path.join(server().folder, 'grown.md'), '# One\n')
      const page = await openList(ann, '/files/grown.md')
      await file(page).getByRole('heading', { name: 'One' }).waitFor()
      await appendFile(path.join(server().folder, 'grown.md'), '\n# Two\n')
      // The browser keeps the bytes of the shorter text in its cache.
      await page.goto(`${server().url}/files/`)
      await rowOf(page, 'grown.md').dblclick()
      await file(page).getByRole('heading', { name: 'One' }).waitFor()
      await file(page).getByRole('heading', { name: 'Two' }).waitFor()
      expect(await page.getByText(/^Only the first/).count()).toBe(0)
    },
  )

  testAtRoot('a table has the whole width of the screen beside the sidebar', async () => {
    const page = await openList(ann, '/files/people.csv')
    for (const width of [1440, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      const grid = file(page).getByRole('grid')
      await eventually(async () => {
        const [frame, table] = [await file(page).boundingBox(), await grid.boundingBox()]
        return frame !== null && frame.width === table?.width && frame.x === table.x
      }, true)
    }
  })

  testAtRoot(
    'each document has one bar above its content, with its name once, in wide and in narrow windows',
    async () => {
      const page = await openList()
      for (const [name, part] of [
        ['plain.txt', '.cm-line'],
        ['data.json', '[role="tree"]'],
        ['page.html', 'iframe'],
        ['large.md', 'section'],
        ['scan.pdf', '[data-page]'],
        ['book.epub', '[data-part="book"]'],
        ['files.zip', '[role="grid"], ul, table'],
        ['people.csv', '[role="grid"]'],
      ] as const) {
        await page.goto(`${server().url}/files/${name}`)
        await file(page).locator(part).first().waitFor()
        for (const [width, most] of [
          [1440, 52],
          [390, 56],
        ] as const) {
          await page.setViewportSize({ width, height: 844 })
          const bar = () => file(page).locator('> header').boundingBox()
          await eventually(
            async () => [name, width, (await bar())?.y, ((await bar())?.height ?? 999) <= most],
            [name, width, 0, true],
          )
          await eventually(
            async () => [name, await page.getByText(name, { exact: true }).filter({ visible: true }).count()],
            [name, 1],
          )
        }
      }
      await page.getByRole('button', { name: 'Table format' }).click()
      await page.getByLabel('Encoding').waitFor()
      expect(await violationsInBothThemes(page)).toEqual([])
    },
  )
})
