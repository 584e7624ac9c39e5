import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ada, ann } from '../kit/run-server.ts'
import {
  atRoot,
  doOverlap,
  eventually,
  expectFocusInside,
  namesShown,
  selectionBar,
  violationsIn,
} from './journeys.ts'

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`page ${n + 1}.txt`, `${n}`]))
const files = {
  Photos: { 'one.png': '', 'two.png': '' },
  Docs: numbered(20),
  Empty: {},
  deep: { b: { c: { d: { e: { 'bottom.txt': 'here' } } } } },
  'report.txt': 'quarterly',
  'a10.txt': 'ten',
  'a2.txt': 'two!!',
  'data.bin': new Uint8Array([0, 1, 2, 3]),
}
const torture = [
  '100%.txt',
  'a%2Fb #1 ?x.txt',
  '#?&+',
  '[x] a;b+c.txt',
  'cafe\u0301 quote\'"s.txt',
  '..hidden',
  `${'😀'.repeat(62)}.txt`,
]

atRoot({ files }, ({ server, window, testAtRoot }) => {
  const openRoot = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }

  const inFolder = (name: string) => path.join(server().folder, name)

  testAtRoot(
    'the first administrator sees hints until they are closed, over no row and no notice, and nobody else sees them',
    async () => {
      const page = await openRoot()
      const hints = page.getByRole('region', { name: 'Getting started' })
      const opener = page.getByRole('button', { name: 'Getting started' })
      await page.keyboard.press('F1')
      await page.getByRole('dialog').waitFor()
      expect([await hints.count(), await opener.count()]).toEqual([0, 0])

      await signIn(page, server(), ada)
      await hints.getByText('Replace the password').waitFor()
      expect(await violationsIn(page, 'light')).toEqual([])

      // While an empty folder fills, the card gives way to a button in the status bar, and comes back when it is empty.
      // The card is shown in the root folder alone, so the entries of that folder are moved away for some time.
      await page.setViewportSize({ width: 800, height: 420 })
      await opener.waitFor()
      const aside = await mkdtemp(path.join(tmpdir(), 'stowage-aside-'))
      const entries = await readdir(server().folder)
      for (const name of entries) await rename(inFolder(name), path.join(aside, name))
      await hints.getByRole('button', { name: 'Got it' }).focus()
      const names = [1, 2, 3].map((number) => `new ${number}.txt`)
      for (const name of names) {
        await writeFile(inFolder(name), '')
        await rowOf(page, name).waitFor()
      }
      await opener.waitFor()
      await hints.waitFor({ state: 'detached' })
      await expectFocusInside(page)
      for (const name of names) await rm(inFolder(name))
      await page.getByText('It feels lonely here...').waitFor()
      await hints.waitFor()
      for (const name of entries) await rename(path.join(aside, name), inFolder(name))
      await rm(aside, { recursive: true })

      // A card that the user opens leaves room for the last row and for notices.
      await page.setViewportSize({ width: 1000, height: 560 })
      const list = page.locator('[data-part="listing"]')
      const last = rowOf(page, /report\.txt/)
      await last.waitFor()
      await opener.click()
      await hints.waitFor()
      await expectFocusInside(page)
      const coversRow = async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return doOverlap(hints, last)
      }
      await eventually(coversRow, false)
      await page.route('**/api/resources/report.txt', (route) => route.fulfill({ status: 500 }))
      // The middle of the row is the button of its menu.
      await last.click({ position: { x: 80, y: 12 } })
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      const notice = page.locator('[data-part="notices"] > div')
      await notice.waitFor()
      expect(await doOverlap(hints, notice)).toBe(false)
      await page.setViewportSize({ width: 800, height: 420 })
      await eventually(coversRow, false)
      await eventually(() => doOverlap(hints, notice), false)
      await hints.getByRole('button', { name: 'Got it' }).click()
      await hints.waitFor({ state: 'detached' })
      await expectFocusInside(page)
      const fits = () => list.evaluate((element) => element.scrollHeight <= element.clientHeight)
      await eventually(fits, false)
      await page.setViewportSize({ width: 1000, height: 560 })
      await eventually(fits, true)
      await page.reload()
      await last.waitFor()
      await page.keyboard.press('F1')
      await page.getByRole('dialog').waitFor()
      expect([await hints.count(), await opener.count()]).toEqual([0, 0])
    },
  )

  // Journey: listing-1
  testAtRoot(
    'folders come first, names in natural order without sizes of folders, typing jumps to a name, and Back leaves a folder and focuses its row',
    async () => {
      const page = await openRoot()
      expect(await namesShown(page)).toEqual([
        'deep',
        'Docs',
        'Empty',
        'Photos',
        'a2.txt',
        'a10.txt',
        'data.bin',
        'report.txt',
      ])
      expect(await rowOf(page, /Docs/).textContent()).toContain('—')

      // Back and Backspace leave a folder.
      const focusedRow = () =>
        page.evaluate(() => document.activeElement?.closest('[data-name]')?.getAttribute('data-name') ?? '')
      await rowOf(page, /report\.txt/).click()
      await eventually(
        () => page.evaluate(() => (history.state as { memory?: { focus?: string } }).memory?.focus),
        'report.txt',
      )
      await rowOf(page, /Photos/).dblclick()
      await rowOf(page, /one\.png/).waitFor()
      await page.goBack()
      await rowOf(page, /report\.txt/).waitFor()
      await eventually(focusedRow, 'Photos')
      await rowOf(page, /Docs/).dblclick()
      await rowOf(page, /page 1\.txt/)
        .first()
        .waitFor()
      await page.keyboard.press('Backspace')
      await page.waitForURL(`${server().url}/files/`)
      await eventually(focusedRow, 'Docs')

      // Typing a few letters jumps to a name, and the typed letters lie over no row.
      await rowOf(page, /deep/).click()
      // The code that shows the typed letters is loaded after the first rows, together with that of the summary.
      await page.locator('[data-part="selection"]').waitFor()
      // The page must observe its changes before the first letter is typed.
      const observed = await page.evaluateHandle(observeHeightOverRows, 'r')
      await page.keyboard.type('rep')
      expect(await observed.evaluate(({ heightPx }) => heightPx)).toBeLessThanOrEqual(0)
      await eventually(focusedRow, 'report.txt')

      // An empty folder shows a message and offers an upload.
      await rowOf(page, /Empty/).dblclick()
      await page.getByText('It feels lonely here...').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Upload' }).first().waitFor()
    },
  )

  // Journey: listing-2
  testAtRoot(
    'a click on a column sorts, a second click reverses the order, a reload keeps the sorting, and the same files stay selected',
    async () => {
      const page = await openRoot()
      const column = page.getByRole('columnheader', { name: /Size/ })
      await column.click()
      await eventually(
        async () => /ascending|descending/.test((await column.getAttribute('aria-sort')) ?? ''),
        true,
      )
      const first = await column.getAttribute('aria-sort')
      await column.click()
      await eventually(async () => (await column.getAttribute('aria-sort')) !== first, true)
      const [order, sort] = [await namesShown(page), await column.getAttribute('aria-sort')]
      await page.reload()
      await rowOf(page, /report\.txt/).waitFor()
      expect([await namesShown(page), await column.getAttribute('aria-sort')]).toEqual([order, sort])
      // The sorting is stored for the user, so a new window shows it too.
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
      await page.getByRole('columnheader', { name: /Name/ }).click()
      expect((await saved).status()).toBe(200)
      await eventually(async () => (await namesShown(page)).slice(0, 2), ['deep', 'Docs'])

      const selected = async () =>
        (
          await page
            .locator('[role="row"][aria-selected="true"]')
            .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name') ?? ''))
        ).toSorted()
      await rowOf(page, /^a2\.txt/).click()
      await rowOf(page, /^data\.bin/).click({ modifiers: ['Shift'] })
      expect(await selected()).toEqual(['a10.txt', 'a2.txt', 'data.bin'])
      const before = await namesShown(page)
      await page.getByRole('columnheader', { name: /Size/ }).getByRole('button').click()
      await eventually(async () => (await namesShown(page)).join() === before.join(), false)
      expect(await selected()).toEqual(['a10.txt', 'a2.txt', 'data.bin'])
      await page.getByRole('columnheader', { name: /Name/ }).getByRole('button').click()
      await eventually(() => namesShown(page), before)
    },
  )

  // Journey: listing-3
  test('files with unusual names open, survive a reload and can be left again', async () => {
    for (const name of torture) await writeFile(inFolder(name), `I am ${name}`)
    const page = await openRoot()
    for (const name of torture) {
      await page.locator(`[role="row"][data-name=${JSON.stringify(name)}]`).dblclick()
      await page.waitForURL((address) => !address.pathname.endsWith('/files/'))
      const url = page.url()
      await page.reload()
      expect(page.url()).toBe(url)
      await page.getByRole('heading', { name: /.+/ }).first().waitFor()
      expect(await page.getByText("This location can't be reached.").count()).toBe(0)
      await page.goBack()
      await rowOf(page, /report\.txt/).waitFor()
    }
    await Promise.all(torture.map((name) => rm(inFolder(name))))
  })

  // Journey: listing-4
  testAtRoot(
    'links and pinned folders have a badge, odd characters and the end of a name are visible, and entries with odd names can be deleted',
    async () => {
      const invalid = Buffer.concat([
        Buffer.from(inFolder('bad-')),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('.txt'),
      ])
      const long = `${'a long name '.repeat(16)}the end.txt`
      const names = [long, '\u202Egpj.exe', ' edge .txt ']
      await symlink('Photos', inFolder('shortcut'))
      for (const name of ['two\nlines.txt', ...names]) await writeFile(inFolder(name), 'x')
      await writeFile(invalid, 'odd')
      const page = await openRoot()
      await rowOf(page, /^shortcut, .*Link to another place/).waitFor()
      await rowOf(page, /^Photos/).click({ button: 'right' })
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
      await rowOf(page, /^Photos, .*Pinned/)
        .getByTitle('Pinned')
        .waitFor()

      await rowOf(page, /⟨U\+202E⟩gpj\.exe/).waitFor()
      await rowOf(page, /·edge \.txt·/).waitFor()
      const row = page.locator(`[role="row"][data-name="${long}"]`)
      const end = row.locator('[data-part="name-start"] + *')
      expect(await end.innerText()).toMatch(/\.txt$/)
      const [shown, cell] = [await end.boundingBox(), await row.getByRole('rowheader').boundingBox()]
      expect((shown?.x ?? NaN) + (shown?.width ?? NaN)).toBeLessThanOrEqual(
        (cell?.x ?? 0) + (cell?.width ?? 0),
      )
      await row.click()
      await page.locator('[data-part="facts"]').filter({ hasText: 'the end.txt' }).waitFor()

      for (const start of ['bad-', 'two']) {
        const row = page.locator(`[role="row"][data-name^="${start}"]`)
        await row.click()
        await page.keyboard.press('Delete')
        await page.getByRole('dialog').waitFor()
        // A reload would abort a request that the server has not answered.
        const answer = page.waitForResponse((response) => response.request().method() === 'DELETE')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await eventually(() => row.count(), 0)
        await answer
      }
      await page.reload()
      await rowOf(page, /report\.txt/).waitFor()
      expect(
        (await namesShown(page)).filter((name) => name.startsWith('bad') || name.startsWith('two')),
      ).toEqual([])
      await Promise.all(['shortcut', ...names].map((name) => rm(inFolder(name))))
    },
  )

  // Journey: listing-5
  testAtRoot(
    'clicks, ctrl, shift and the arrow keys select, Escape clears, the list is a single tab stop, and Select multiple lets plain clicks toggle',
    async () => {
      const page = await openRoot()
      const selected = async () =>
        page
          .locator('[role="row"][aria-selected="true"]')
          .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')))
      await rowOf(page, /a2\.txt/).click()
      await eventually(selected, ['a2.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
      await eventually(selected, ['a2.txt', 'report.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
      await eventually(selected, ['a2.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Shift'] })
      await eventually(selected, ['a2.txt', 'a10.txt', 'data.bin', 'report.txt'])
      await page.keyboard.press('Escape')
      await eventually(selected, [])
      await rowOf(page, /deep/).click()
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown'])
        await page.keyboard.press(key)
      await eventually(selected, ['Photos', 'a2.txt', 'a10.txt'])
      // Tab leaves the page for the bars of the browser. The page gives the focus to the row again after its next change.
      await page.evaluate(() =>
        addEventListener(
          'focusout',
          ({ relatedTarget: to }) => {
            const isRow = to instanceof Element && to.closest('[role="grid"] [data-name]') !== null
            document.body.dataset['tabbedTo'] = isRow ? 'row' : 'elsewhere'
          },
          { once: true },
        ),
      )
      await page.keyboard.press('Tab')
      await eventually(() => page.evaluate(() => document.body.dataset['tabbedTo']), 'elsewhere')

      await rowOf(page, /report\.txt/).click()
      await page.keyboard.press('Escape')
      await eventually(selected, [])
      await page.getByRole('button', { name: 'Select multiple' }).first().click()
      const bar = selectionBar(page)
      await bar.getByText('Multiple selection enabled').waitFor()
      await rowOf(page, /a2\.txt/).click()
      await rowOf(page, /a10\.txt/).click()
      await eventually(selected, ['a2.txt', 'a10.txt'])
      await bar.getByText('2 selected').waitFor()
      await rowOf(page, /Docs/).dblclick()
      await page.waitForURL(`${server().url}/files/Docs/`)
      await rowOf(page, /page 1\.txt/)
        .first()
        .waitFor()
      await eventually(() => bar.count(), 0)
    },
  )

  // Journey: listing-6
  testAtRoot(
    'dates are relative, or exact for users who prefer this, and entries that are created or removed elsewhere appear and disappear',
    async () => {
      const page = await openRoot()
      const date = () => rowOf(page, /^report\.txt/).locator('time')
      await eventually(async () => /ago|now/.test(await date().innerText()), true)
      expect(await date().getAttribute('title')).toMatch(/\d:\d\d/)
      await server().cli('users', 'update', ann.name, '--dateFormat')
      await page.reload()
      await eventually(async () => /^\d+\/\d+\/\d+, \d+:\d\d/.test(await date().innerText()), true)
      await server().cli('users', 'update', ann.name, '--dateFormat=false')

      const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
      const headers = { 'X-Auth': token }
      await fetch(`${server().url}/api/resources/made-elsewhere.txt`, { method: 'POST', headers, body: 'x' })
      await rowOf(page, /made-elsewhere/).waitFor()
      await fetch(`${server().url}/api/resources/made-elsewhere.txt`, { method: 'DELETE', headers })
      await eventually(() => rowOf(page, /made-elsewhere/).count(), 0)
    },
  )
})

/**
 * Begins to observe the page. `heightPx` resolves, as soon as an output has a text that starts with the letter, with the
 * height in CSS pixels by which this output reaches above the end of the listing. The promise is wrapped in an object,
 * because `evaluateHandle` would wait for a promise.
 */
const observeHeightOverRows = (letter: string): { heightPx: Promise<number> } => ({
  heightPx: new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      const output = [...document.querySelectorAll('output')].find((each) =>
        each.textContent.startsWith(letter),
      )
      if (!output) return
      observer.disconnect()
      const listing = document.querySelector('[data-part="listing"]')!
      resolve(listing.getBoundingClientRect().bottom - output.getBoundingClientRect().top)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }),
})
