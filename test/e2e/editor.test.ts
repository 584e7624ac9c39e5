import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { forgetRefusals, rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea } from '../kit/run-server.ts'
import { draftsIn } from './drafts-in.ts'
import { atRoot, eventually, violationsIn, violationsInBothThemes } from './journeys.ts'

const textBox = (page: Page) => page.locator('[data-part="editor"]').getByRole('textbox')
const status = (page: Page) => page.locator('[data-part="file"] [data-part="status"]')
const hasFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.matches('[data-part="editor"]') === true)
const lines = (page: Page) => page.locator('[data-part="editor"] .cm-line').allInnerTexts()

/** Opens the editor of a document. */
const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).click()

const type = async (page: Page, text: string) => {
  await textBox(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(text)
}

/** Inserts a text at the beginning of the open file, and saves the file. */
const insert = async (page: Page, text: string) => {
  await type(page, text)
  await page.keyboard.press('Control+s')
  await status(page).getByText('Saved', { exact: true }).waitFor()
}

/** Closes the open file, and opens another one of its folder. */
const openNext = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Close the file' }).click()
  await rowOf(page, name).dblclick()
}

atRoot({ files: {} }, ({ server, window }) => {
  const at = (...names: readonly string[]): string => path.join(server().folder, ...names)
  let visits = 0
  /** Creates a file in a new folder, and opens it from the list. */
  const openFile = async (
    name: string,
    content: string | Uint8Array,
    { person = ann }: { readonly person?: typeof ann } = {},
  ): Promise<{ readonly page: Page; readonly folder: string }> => {
    const folder = `texts ${(visits += 1)}`
    await mkdir(at(folder))
    await writeFile(at(folder, name), content)
    const page = await window()
    await signIn(page, server(), person, `/files/${encodeURIComponent(folder)}/`)
    await rowOf(page, name).dblclick()
    if (name.endsWith('.md')) await edit(page)
    await textBox(page).waitFor()
    return { page, folder }
  }

  // Journey: editor-1
  test('a text is edited and saved with Ctrl+S and with the button, whatever characters its name has, and keeps its encoding', async () => {
    const name = 'a%2Fb #?&+ 😀.md'
    const { page, folder } = await openFile(name, 'first\nsecond\n')
    const isSaved = () => status(page).getByText('Saved', { exact: true }).waitFor()
    expect(await lines(page)).toEqual(['first', 'second', '\n'])
    await type(page, 'new ')
    await status(page).getByText('Unsaved').waitFor()
    await page.keyboard.press('Control+s')
    await isSaved()
    expect(readFileSync(at(folder, name), 'utf8')).toBe('new first\nsecond\n')
    await type(page, 'again ')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await eventually(() => readFileSync(at(folder, name), 'utf8'), 'again new first\nsecond\n')
    await isSaved()
    await eventually(() => hasFocus(page), true)
    // The key saves wherever the focus is, and downloads nothing.
    let downloads = 0
    page.on('download', () => (downloads += 1))
    for (const [word, place] of [
      ['title ', page.getByRole('heading', { level: 1 }).last()],
      ['button ', page.getByRole('button', { name: 'Close the file' })],
    ] as const) {
      await type(page, word)
      await place.focus()
      await page.keyboard.press('Control+s')
      await eventually(() => readFileSync(at(folder, name), 'utf8').startsWith(word), true)
    }
    await isSaved()
    expect(downloads).toBe(0)
    await textBox(page).focus()
    await page.keyboard.press('Escape')
    expect(await textBox(page).count()).toBe(1)

    // The line ends, the byte order mark and the encoding of a text are kept.
    const texts = [
      ['crlf.txt', 'a', Buffer.from('\u{feff}a\r\nb\r\n'), Buffer.from('\u{feff}xa\r\nb\r\n')],
      ['utf16.txt', 'é', Buffer.from('\u{feff}é\n', 'utf16le'), Buffer.from('\u{feff}xé\n', 'utf16le')],
      ['latin.txt', 'caf\u{e9}', Buffer.from('caf\u{e9}\n', 'latin1'), Buffer.from('xcaf\u{e9}\n', 'latin1')],
    ] as const
    for (const [text, , before] of texts) await writeFile(at(folder, text), before)
    for (const [text, firstLine, , after] of texts) {
      await page.getByRole('button', { name: 'Close the file' }).click()
      await rowOf(page, text).dblclick()
      await page.waitForURL(`**/${text}`)
      await eventually(async () => (await lines(page))[0], firstLine)
      await type(page, 'x')
      await page.keyboard.press('Control+s')
      await eventually(() => readFileSync(at(folder, text)).toString('hex'), after.toString('hex'))
      await isSaved()
    }
  })

  test('a text that is opened takes what is typed, and on a touch screen waits for a tap', async () => {
    const { page, folder } = await openFile('note.txt', 'end')
    await eventually(() => hasFocus(page), true)
    await page.keyboard.type('a')
    await eventually(() => lines(page), ['aend'])
    await page.keyboard.press('Control+s')
    await status(page).getByText('Saved', { exact: true }).waitFor()
    const phone = await window({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
    await signIn(phone, server(), ann, `/files/${encodeURIComponent(folder)}/`)
    await rowOf(phone, 'note.txt').tap()
    await textBox(phone).waitFor()
    expect(await hasFocus(phone)).toBe(false)
  })

  test('a text that arrives late or is read again leaves the focus on a button that was reached meanwhile', async () => {
    await mkdir(at('late'))
    await writeFile(at('late', 'one.txt'), 'one')
    const page = await window()
    await signIn(page, server(), ann, '/files/late/')
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/raw/**', async (route) => {
      await gate.promise
      await route.continue()
    })
    await rowOf(page, 'one.txt').dblclick()
    const close = page.getByRole('button', { name: 'Close the file' })
    const isOnButton = () => close.evaluate((element) => element === document.activeElement)
    await close.focus()
    gate.resolve()
    await eventually(() => lines(page), ['one'])
    expect(await isOnButton()).toBe(true)
    await writeFile(at('late', 'one.txt'), 'changed by others')
    await eventually(() => lines(page), ['changed by others'])
    expect(await isOnButton()).toBe(true)
  })

  // Journey: editor-2
  test('a refused save keeps the text and says why, and a character without a code is named', async () => {
    const { page, folder } = await openFile('full.txt', Buffer.from('caf\u{e9}', 'latin1'))
    await type(page, '😀')
    await page.keyboard.press('Control+s')
    const notices = page.locator('[data-part="notices"]')
    await notices.getByText(/windows-1252 of this file has no character 😀/).waitFor()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('x')
    await page.route('**/full.txt', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 507, headers: { 'X-Error': 'no-space' }, body: '507\n' })
        : route.continue(),
    )
    await page.keyboard.press('Control+s')
    await notices.getByText(/^full\.txt was not saved\. There is no space left/).waitFor()
    expect((await lines(page))[0]).toBe('xcafé')
    expect(readFileSync(at(folder, 'full.txt'), 'latin1')).toBe('caf\u{e9}')
  })

  // Journey: editor-3
  test('a file that others have changed is compared, overwritten, loaded again or left beside a copy, as the user says', async () => {
    const { page, folder } = await openFile('shared.txt', 'theirs\n')
    const shared = () => readFileSync(at(folder, 'shared.txt'), 'utf8')
    const dialog = page.getByRole('alertdialog', { name: 'The file has changed' })
    const saveAfterOthers = async () => {
      await type(page, 'mine and ')
      await writeFile(at(folder, 'shared.txt'), 'changed by others\n')
      await page.keyboard.press('Control+s')
      await dialog.waitFor()
    }
    await saveAfterOthers()
    await dialog.getByRole('button', { name: 'Compare' }).click()
    const sides = dialog.locator('[data-part="comparison"]')
    await sides.getByText('changed by others').waitFor()
    await sides.getByText('mine and theirs').waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(shared()).toBe('changed by others\n')
    expect((await lines(page))[0]).toBe('mine and theirs')

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('button', { name: 'Overwrite' }).click()
    await eventually(shared, 'mine and theirs\n')
    await status(page).getByText('Saved', { exact: true }).waitFor()

    await saveAfterOthers()
    await dialog.getByRole('button', { name: 'Discard mine' }).click()
    await eventually(async () => (await lines(page))[0], 'changed by others')
    await type(page, 'then ')
    await page.keyboard.press('Control+s')
    await eventually(shared, 'then changed by others\n')
    await status(page).getByText('Saved', { exact: true }).waitFor()

    await saveAfterOthers()
    await dialog.getByRole('button', { name: 'Save as a copy' }).click()
    await page.waitForURL('**/shared(1).txt')
    expect(shared()).toBe('changed by others\n')
    expect(readFileSync(at(folder, 'shared(1).txt'), 'utf8')).toBe('mine and then changed by others\n')
    await eventually(async () => (await lines(page))[0], 'mine and then changed by others')
  })

  test('a text follows what others save, until a banner tells of it because of unsaved changes, and a deleted file is created again', async () => {
    const { page, folder } = await openFile('sized.txt', '12345678')
    const header = page.locator('[data-part="file"] header')
    await header.getByText('8 B').waitFor()
    expect(await page.title()).toMatch(/^sized\.txt/)
    await type(page, '123456')
    await header.locator('[data-part="unsaved"]').waitFor()
    await eventually(() => page.title().then((title) => title.startsWith('● sized.txt')), true)
    await page.keyboard.press('Control+s')
    await header.getByText('14 B').waitFor()
    await eventually(() => page.title().then((title) => title.startsWith('sized.txt')), true)
    expect(await header.locator('[data-part="unsaved"]').count()).toBe(0)
    await writeFile(at(folder, 'sized.txt'), '0123456789abcdef')
    await header.getByText('16 B').waitFor()
    await eventually(async () => (await lines(page))[0], '0123456789abcdef')
    await page.getByText('sized.txt was changed by others, and was loaded again').first().waitFor()

    await type(page, 'mine ')
    await writeFile(at(folder, 'sized.txt'), '0123456789abcdefghi')
    await header.getByText('19 B').waitFor()
    await page.getByText('Others have changed this file since you opened it.', { exact: false }).waitFor()
    expect((await lines(page))[0]).toBe('mine 0123456789abcdef')
    await rm(at(folder, 'sized.txt'))
    await page.getByText('Others have deleted or moved this file.', { exact: false }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create again' }).click()
    await eventually(() => existsSync(at(folder, 'sized.txt')), true)
    expect(readFileSync(at(folder, 'sized.txt'), 'utf8')).toBe('mine 0123456789abcdef')
  })

  // Journey: editor-4
  test('unsaved changes are asked about before a link, the button that closes, Back and a logout, and discarded ones are not saved', async () => {
    const { page, folder } = await openFile('draft.txt', 'old')
    await type(page, 'new ')
    const dialog = page.getByRole('alertdialog', { name: 'Save changes?' })
    await page.getByRole('button', { name: 'Close the file' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect([(await lines(page))[0], page.url().endsWith('draft.txt')]).toEqual(['new old', true])
    await page.evaluate(() => history.back())
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/draft\.txt$/)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await rowOf(page, folder).waitFor()
    expect(readFileSync(at(folder, 'draft.txt'), 'utf8')).toBe('new old')
    await rowOf(page, folder).dblclick()
    await rowOf(page, 'draft.txt').dblclick()
    await type(page, 'discarded ')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await rowOf(page, 'draft.txt').waitFor()
    expect(readFileSync(at(folder, 'draft.txt'), 'utf8')).toBe('new old')
    await rowOf(page, 'draft.txt').dblclick()
    await type(page, 'last ')
    await page.getByRole('button', { name: 'Logout' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByLabel('Username').waitFor()
    expect(readFileSync(at(folder, 'draft.txt'), 'utf8')).toBe('last new old')
  })

  // Journey: editor-5
  test('a tab with an unsaved text warns before it closes, and after a reload only the writer is offered the text, which overwrites no version of others', async () => {
    const { page, folder } = await openFile('draft.txt', 'old')
    const address = page.url()
    const saved = () => readFileSync(at(folder, 'draft.txt'), 'utf8')
    const offer = page.getByText(/^There is an unsaved text from/)
    const reload = async () => {
      await eventually(() => draftsIn(page), 1)
      page.once('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await offer.waitFor()
    }
    await type(page, 'new ')
    await status(page).getByText('Unsaved').waitFor()
    const warning = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await warning
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect((await lines(page))[0]).toBe('new old')

    await reload()
    expect(await lines(page)).toEqual(['old'])
    await page.getByRole('button', { name: 'Restore' }).click()
    await eventually(async () => (await lines(page))[0], 'new old')
    await page.keyboard.press('Control+s')
    await eventually(saved, 'new old')
    await eventually(() => draftsIn(page), 0)

    // Another person does not see the draft.
    await type(page, 'more ')
    await eventually(() => draftsIn(page), 1)
    await signIn(page, server(), ada, address.slice(server().url.length))
    await textBox(page).waitFor()
    await eventually(async () => (await lines(page))[0], 'new old')
    expect(await offer.count()).toBe(0)

    // A restored text does not overwrite what others have saved since.
    await type(page, 'of ada ')
    await eventually(() => draftsIn(page), 2)
    await writeFile(at(folder, 'draft.txt'), 'of others')
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Restore' }).click()
    await eventually(async () => (await lines(page))[0], 'of ada new old')
    await page.keyboard.press('Control+s')
    await page.getByRole('alertdialog', { name: 'The file has changed' }).waitFor()
    expect(saved()).toBe('of others')
  })

  // Journey: editor-6
  test('the colours of the syntax have no violation that axe reports, wrapping and search work, and hostile markup is only text', async () => {
    const code = `const answer = "text" // ${'long '.repeat(200)}\nfunction b() { return 1 }\n`
    const { page, folder } = await openFile('code.ts', code)
    await page.locator('[data-part="editor"] .tok-keyword', { hasText: 'const' }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    const heightOf = () =>
      page
        .locator('[data-part="editor"] .cm-line')
        .first()
        .evaluate((line) => line.clientHeight)
    const wrapped = await heightOf()
    await textBox(page).focus()
    await page.keyboard.press('Alt+z')
    await eventually(async () => (await heightOf()) < wrapped, true)
    await page.keyboard.press('Control+f')
    await page.getByLabel('Find', { exact: true }).focus()
    await page.keyboard.type('answer')
    await page.locator('[data-part="editor"] .cm-searchMatch').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Find', { exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect([page.url().endsWith('code.ts'), await textBox(page).count()]).toEqual([true, 1])

    const markup = '<script>top.hacked = 1</script><img src=x onerror="top.hacked = 1">'
    await writeFile(at(folder, 'evil.html'), markup)
    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'evil.html').dblclick()
    await edit(page)
    await eventually(async () => (await lines(page))[0]?.includes('<script>'), true)
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    forgetRefusals(page)
  })

  // Journey: editor-7
  test('a person who may not change files reads the text, and cannot change it', async () => {
    await server().cli('users', 'update', bea.name, '--perm.download')
    const { page } = await openFile('read.txt', 'only read', { person: bea })
    await page.getByText('This text cannot be changed here.').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await hasFocus(page)).toBe(false)
    await textBox(page).focus()
    await page.keyboard.type('x')
    expect(await lines(page)).toEqual(['only read'])
  })

  // Journey: editor-8
  test('a text of 11 MB without an extension is edited, and a binary file of 11 MB is no text', async () => {
    const { page, folder } = await openFile('access_log', `${'x'.repeat(99)}\n`.repeat(115_000))
    await insert(page, 'first ')
    expect(readFileSync(at(folder, 'access_log'), 'latin1').slice(0, 8)).toBe('first xx')
    await writeFile(at(folder, 'core'), Buffer.alloc(11_500_000, 'x\0'))
    await openNext(page, 'core')
    await page.getByText('Preview is not available for this file.').waitFor()
  })

  // Journey: editor-9
  test('a text of 49 MB is edited, and a line of 10 MB can be typed into', async () => {
    const { page, folder } = await openFile('large.log', `${'y'.repeat(99)}\n`.repeat(490_000))
    await insert(page, 'first ')
    const saved = readFileSync(at(folder, 'large.log'))
    expect([saved.length, saved.toString('latin1', 0, 8)]).toEqual([49_000_006, 'first yy'])
    await page.keyboard.press('Control+End')
    await status(page).getByText('Line 490,001, column 1').waitFor()
    await writeFile(at(folder, 'line.txt'), 'z'.repeat(10_000_000))
    await openNext(page, 'line.txt')
    await eventually(async () => (await lines(page))[0]?.[0], 'z')
    await insert(page, 'a b')
    expect(readFileSync(at(folder, 'line.txt')).toString('latin1', 0, 5)).toBe('a bzz')
  })
})
