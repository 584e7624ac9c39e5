import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { zipNames } from '../clients/zip-names.ts'
import { logIn, networkName, rowOf } from '../kit/browser.ts'
import { transparentPng } from '../kit/images.ts'
import { makePdf } from '../kit/pdf.ts'
import { ada, ann, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { draftsIn } from './drafts-in.ts'
import { atRoot, eventually, selectionBar } from './journeys.ts'

const files = {
  Docs: { 'deep.txt': 'deep', sub: { 'needle.txt': 'x' } },
  'notes.txt': 'first',
  'page.pdf': makePdf({ pages: ['one page'] }),
  'picture.png': await transparentPng(),
}

/** The parts of browsers that only pages in secure contexts have. The program must do without them. */
const missingInPlainHttp = [
  'navigator.clipboard',
  'navigator.serviceWorker',
  'navigator.share',
  'navigator.storage',
  'navigator.locks',
  'crypto.subtle',
  'crypto.randomUUID',
  'caches',
  'showSaveFilePicker',
]

const textBox = (page: Page) => page.locator('[data-part="editor"]').getByRole('textbox')

const downloadFrom = async (page: Page, press: () => Promise<void>): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFile(await download.path())
}

/** Returns the text that is pasted from the clipboard. Pages can read it over plain http only when the user pastes. */
const pasted = async (page: Page): Promise<string> => {
  const field = page.getByRole('searchbox', { name: 'Search' })
  await field.fill('')
  await field.press('Control+v')
  const text = await field.inputValue()
  await field.fill('')
  return text
}

atRoot({ files, people: [ada, ann] }, ({ server, freshWindow }) => {
  /** The server at a name of the network, where its address is not secure. */
  const onNetwork = (): RunningServer => {
    const url = server().url.replace('127.0.0.1', networkName)
    return { ...server(), url }
  }
  const read = (name: string): Promise<string> => readFile(path.join(server().folder, name), 'utf8')
  const problems: string[] = []
  /** Opens a window whose warnings and errors in the console make the journey fail. */
  const openWindow = async (): Promise<Page> => {
    const page = await freshWindow({ serviceWorkers: 'allow' })
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    return page
  }
  const openAs = async (person: TestUser): Promise<Page> => {
    problems.length = 0
    const page = await openWindow()
    await logIn(page, onNetwork(), person)
    await rowOf(page, 'notes.txt').waitFor()
    return page
  }

  // Journey: plain-http-1
  test('over plain http in a network, files are uploaded, changed, found, shared and downloaded, and the console stays empty', async () => {
    const page = await openAs(ann)
    const found = await page.evaluate(
      (names) =>
        names.filter((name) => {
          let part: unknown = globalThis
          for (const key of name.split('.')) part = Reflect.get(Object(part), key)
          return part !== undefined
        }),
      missingInPlainHttp,
    )
    expect([await page.evaluate(() => isSecureContext), found]).toEqual([false, []])

    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
    ])
    await chooser.setFiles([{ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('uploaded') }])
    await rowOf(page, 'new.txt').waitFor()
    await eventually(() => read('new.txt'), 'uploaded')

    // Another tab of the same person sees each change at once.
    const other = await page.context().newPage()
    await other.goto(`${onNetwork().url}/files/`)
    await rowOf(other, 'new.txt').waitFor()
    await rowOf(page, 'new.txt').click()
    await page.keyboard.press('F2')
    await rowOf(page, 'new.txt').getByRole('textbox').fill('renamed.txt')
    await page.keyboard.press('Enter')
    await rowOf(other, 'renamed.txt').waitFor()
    await writeFile(path.join(server().folder, 'by-a-program.txt'), '')
    for (const tab of [page, other]) await rowOf(tab, 'by-a-program.txt').waitFor()
    await other.close()

    // A draft is kept on the device, and the text is saved.
    await rowOf(page, 'notes.txt').dblclick()
    await textBox(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('draft ')
    await eventually(() => draftsIn(page), 1)
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.locator('.cm-line', { hasText: 'draft first' }).waitFor()
    await page.keyboard.press('Control+s')
    await eventually(() => read('notes.txt'), 'draft first')
    await page.getByRole('button', { name: 'Close the file' }).click()

    for (const [name, shown] of [
      ['picture.png', '[data-part="file"] img'],
      ['page.pdf', '[data-part="pdf"] [data-page="1"]'],
    ] as const) {
      await rowOf(page, name).dblclick()
      await page.locator(shown).first().waitFor()
      await page.getByRole('button', { name: 'Close the file' }).click()
      await rowOf(page, name).waitFor()
    }

    await rowOf(page, 'Docs').click()
    await selectionBar(page).getByRole('button', { name: 'Share', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Share “/ })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('button', { name: 'Link copied!' }).waitFor()
    const link = await dialog.getByLabel('Address of the link').inputValue()
    expect(link.startsWith(`http://${networkName}:`)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await pasted(page)).toBe(link)

    // The server computes checksums, so that they need nothing of the browser but to be copied.
    await rowOf(page, 'renamed.txt').click()
    await page.keyboard.press('Alt+Enter')
    const facts = page.getByRole('dialog')
    await facts.getByRole('button', { name: 'Show MD5' }).click()
    await facts.getByRole('button', { name: 'Copy MD5' }).click()
    await page.keyboard.press('Escape')
    await facts.waitFor({ state: 'detached' })
    expect(await pasted(page)).toMatch(/^[\da-f]{32}$/)

    await page.getByRole('searchbox', { name: 'Search' }).fill('needle')
    await page.locator('#found [data-path="/Docs/sub/needle.txt"]').waitFor()
    await page.goto(`${onNetwork().url}/files/`)
    await rowOf(page, 'Docs').click()
    const zip = await downloadFrom(page, () =>
      selectionBar(page).getByRole('button', { name: 'Download', exact: true }).click(),
    )
    expect(zipNames(zip).some((name) => name.endsWith('sub/needle.txt'))).toBe(true)

    const guest = await openWindow()
    await guest.goto(link)
    await rowOf(guest, 'deep.txt').dblclick()
    await guest.getByText('deep', { exact: true }).first().waitFor()
    await guest.goBack()
    const shared = await downloadFrom(guest, () =>
      guest
        .getByRole('link', { name: /^Download/ })
        .first()
        .click(),
    )
    expect(zipNames(shared).some((name) => name.endsWith('sub/needle.txt'))).toBe(true)
    expect(problems).toEqual([])
  })

  // Journey: plain-http-2
  test('over plain http in a network, an administrator uses the settings, and reads that the connection is not encrypted', async () => {
    const page = await openAs(ada)
    const { url } = onNetwork()
    await page.goto(`${url}/settings/profile`)
    await page.getByLabel('Hide dotfiles').check()
    await page.getByRole('button', { name: 'Update' }).first().click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Settings updated!').waitFor()
    for (const [name, text] of [
      ['server', 'not encrypted'],
      ['global', 'Branding'],
      ['users', 'ann'],
      ['shares', 'Share Management'],
      ['audit', 'ada'],
      ['doctor', 'Diagnosis'],
    ] as const) {
      await page.goto(`${url}/settings/${name}`)
      await page.locator('main').getByText(text).first().waitFor()
    }
    expect(problems).toEqual([])
  })
})
