import { rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann } from '../kit/run-server.ts'
import {
  atRoot,
  doOverlap,
  eventually,
  everywhere,
  expectFocusInside,
  namesShown,
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
  'a%2Fb.txt',
  '#1 ?x.txt',
  '#?&+',
  '[x]',
  'a;b+c.txt',
  'cafe\u0301.txt',
  '..hidden',
  `${'😀'.repeat(62)}.txt`,
  'quote\'"s.txt',
]

everywhere({ files }, ({ server, window, testAtRoot }) => {
  const openRoot = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }

  testAtRoot(
    'links to other places and pinned folders have a badge, which the label of the row names',
    async () => {
      const shortcut = path.join(server().folder, 'shortcut')
      await symlink('Photos', shortcut)
      try {
        const page = await openRoot()
        await rowOf(page, /^shortcut, .*Link to another place/).waitFor()
        await rowOf(page, /^Photos/).click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
        await rowOf(page, /^Photos, .*Pinned/)
          .getByTitle('Pinned')
          .waitFor()
      } finally {
        await rm(shortcut)
      }
    },
  )

  testAtRoot('the first administrator sees hints until they are closed, and nobody else does', async () => {
    const page = await openRoot()
    const other = await window()
    await signIn(other, server(), ada)
    const shown = other.getByRole('region', { name: 'Getting started' })
    await shown.getByText('Replace the password').waitFor()
    expect(await violationsIn(other, 'light')).toEqual([])
    await shown.getByRole('button', { name: 'Got it' }).click()
    await shown.waitFor({ state: 'detached' })
    await other.reload()
    await rowOf(other, /report\.txt/).waitFor()
    await other.keyboard.press('F1')
    await other.getByRole('dialog').waitFor()
    const hints = page.getByRole('region', { name: 'Getting started' })
    expect([await shown.count(), await hints.count()]).toEqual([0, 0])
  })

  testAtRoot(
    'the hints for the first administrator leave room for the last row and for notices',
    async () => {
      for (const viewport of [
        { width: 1000, height: 560 },
        { width: 800, height: 420 },
      ]) {
        const page = await window({ viewport })
        await signIn(page, server(), ada)
        const hints = page.getByRole('region', { name: 'Getting started' })
        const last = rowOf(page, /report\.txt/)
        // The card would cover rows, so a button in the status bar opens it.
        await page.getByRole('button', { name: 'Getting started' }).click()
        await hints.waitFor()
        await expectFocusInside(page)
        const coverRow = async () => {
          await page.locator('[data-part="listing"]').evaluate((list) => list.scrollTo(0, list.scrollHeight))
          return doOverlap(hints, last)
        }
        await eventually(coverRow, false)
        await page.route('**/api/resources/report.txt', (route) => route.fulfill({ status: 500 }))
        await last.click()
        await page.keyboard.press('Delete')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        const notice = page.locator('[data-part="notices"] > div')
        await notice.waitFor()
        expect(await doOverlap(hints, notice)).toBe(false)
        await hints.getByRole('button', { name: 'Got it' }).click()
        await hints.waitFor({ state: 'detached' })
        await expectFocusInside(page)
        await eventually(
          () =>
            page.locator('[data-part="listing"]').evaluate((list) => list.scrollHeight <= list.clientHeight),
          viewport.height > 500,
        )
      }
    },
  )

  testAtRoot(
    'folders come first, names in natural order, folders have no size, and typing a few letters jumps to a name',
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
      await rowOf(page, /deep/).click()
      // The code that shows the typed letters is loaded after the first rows, together with that of the summary.
      await page.locator('[data-part="selection"]').waitFor()
      // The page must observe its changes before the first letter is typed.
      const observed = await page.evaluateHandle(observeHeightOverRows, 'r')
      await page.keyboard.type('rep')
      expect(await observed.evaluate(({ heightPx }) => heightPx)).toBeLessThanOrEqual(0)
      await eventually(
        () =>
          page.evaluate(
            () => document.activeElement?.closest('[data-name]')?.getAttribute('data-name') ?? '',
          ),
        'report.txt',
      )
    },
  )

  testAtRoot(
    'a click on a column sorts, a second click reverses the order, and the sorting survives a reload',
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
    },
  )

  testAtRoot('an empty folder shows a message and offers an upload', async () => {
    const page = await openRoot()
    await rowOf(page, /Empty/).dblclick()
    await page.getByText('It feels lonely here...').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Upload' }).first().waitFor()
  })

  testAtRoot('Back and Backspace leave a folder and focus its row', async () => {
    const page = await openRoot()
    const focusedRow = () =>
      page.evaluate(() => document.activeElement?.closest('[data-name]')?.getAttribute('data-name') ?? '')
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
  })

  test('files with unusual names open, survive a reload and can be left again', async () => {
    // Below a base path, the names that change most in a URL are enough.
    const names = server().url.endsWith('/fm') ? torture.slice(0, 3) : torture
    for (const name of names) await writeFile(path.join(server().folder, name), `I am ${name}`)
    const page = await openRoot()
    for (const name of names) {
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
    await Promise.all(names.map((name) => rm(path.join(server().folder, name))))
  })

  testAtRoot(
    'entries with newlines or invalid UTF-8 in their names are shown and can be deleted',
    async () => {
      const odd = Buffer.concat([
        Buffer.from(`${server().folder}/bad-`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('.txt'),
      ])
      await writeFile(odd, 'odd')
      await writeFile(path.join(server().folder, 'two\nlines.txt'), 'odd')
      const page = await openRoot()
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
    },
  )

  testAtRoot(
    'clicks, ctrl, shift and the arrow keys select, Escape clears, and the list is a single tab stop',
    async () => {
      const page = await openRoot()
      const selected = async () =>
        page
          .locator('[role="row"][aria-selected="true"]')
          .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')))
      await rowOf(page, /a2\.txt/).click()
      expect(await selected()).toEqual(['a2.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
      expect(await selected()).toEqual(['a2.txt', 'report.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Control'] })
      expect(await selected()).toEqual(['a2.txt'])
      await rowOf(page, /report\.txt/).click({ modifiers: ['Shift'] })
      expect(await selected()).toEqual(['a2.txt', 'a10.txt', 'data.bin', 'report.txt'])
      await page.keyboard.press('Escape')
      expect(await selected()).toEqual([])
      await rowOf(page, /deep/).click()
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown'])
        await page.keyboard.press(key)
      expect(await selected()).toEqual(['Photos', 'a2.txt', 'a10.txt'])
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement?.closest('[role="grid"] [data-name]') ?? null),
      ).toBeNull()
    },
  )

  testAtRoot('after another sorting the same files are selected', async () => {
    const page = await openRoot()
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
  })

  testAtRoot('dates are relative, or exact for users who prefer this', async () => {
    const page = await openRoot()
    const date = () => rowOf(page, /^report\.txt/).locator('time')
    await eventually(async () => /ago|now/.test(await date().innerText()), true)
    expect(await date().getAttribute('title')).toMatch(/\d:\d\d/)
    await server().cli('users', 'update', ann.name, '--dateFormat')
    await page.reload()
    await eventually(async () => /^\d+\/\d+\/\d+, \d+:\d\d/.test(await date().innerText()), true)
    await server().cli('users', 'update', ann.name, '--dateFormat=false')
  })

  testAtRoot('the end of a long name and the control characters of a name are visible', async () => {
    const long = `${'a long name '.repeat(16)}the end.txt`
    const names = [long, '\u202Egpj.exe', ' edge .txt ']
    for (const name of names) await writeFile(path.join(server().folder, name), 'x')
    const page = await openRoot()
    await rowOf(page, /⟨U\+202E⟩gpj\.exe/).waitFor()
    await rowOf(page, /·edge \.txt·/).waitFor()
    const row = page.locator(`[role="row"][data-name="${long}"]`)
    const end = row.locator('[data-part="name-start"] + *')
    expect(await end.innerText()).toMatch(/\.txt$/)
    const [shown, cell] = [await end.boundingBox(), await row.getByRole('rowheader').boundingBox()]
    expect((shown?.x ?? NaN) + (shown?.width ?? NaN)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0))
    await row.click()
    await page.locator('[data-part="facts"]').filter({ hasText: 'the end.txt' }).waitFor()
    await Promise.all(names.map((name) => rm(path.join(server().folder, name))))
  })

  testAtRoot(
    'with Select multiple, plain clicks toggle the selection, and the page shows this mode',
    async () => {
      const page = await openRoot()
      await page.getByRole('button', { name: 'Select multiple' }).first().click()
      await page.getByText('Multiple selection enabled').first().waitFor()
      await rowOf(page, /a2\.txt/).click()
      await rowOf(page, /a10\.txt/).click()
      expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(2)
      await rowOf(page, /Docs/).dblclick()
      await page.waitForURL(`${server().url}/files/Docs/`)
      await rowOf(page, /page 1\.txt/)
        .first()
        .waitFor()
      expect(await page.getByText('Multiple selection enabled').count()).toBe(0)
    },
  )

  testAtRoot(
    'entries that are created elsewhere appear, and entries that are removed elsewhere disappear',
    async () => {
      const page = await openRoot()
      const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
      const headers = { 'X-Auth': token }
      await page.waitForTimeout(500)
      await fetch(`${server().url}/api/resources/made-elsewhere.txt`, { method: 'POST', headers, body: 'x' })
      await rowOf(page, /made-elsewhere/).waitFor()
      await fetch(`${server().url}/api/resources/made-elsewhere.txt`, { method: 'DELETE', headers })
      await eventually(() => rowOf(page, /made-elsewhere/).count(), 0)
    },
  )
})

atRoot({ files: {}, people: [ada] }, ({ server, window }) => {
  test('the hints for the first administrator lie over no row while an empty folder fills and becomes empty again', async () => {
    const page = await window({ viewport: { width: 800, height: 420 } })
    await signIn(page, server(), ada)
    const hints = page.getByRole('region', { name: 'Getting started' })
    const opener = page.getByRole('button', { name: 'Getting started' })
    await page.keyboard.press('Tab')
    await hints.getByRole('button', { name: 'Got it' }).focus()
    const names = Array.from({ length: 3 }, (_, index) => `new ${index + 1}.txt`)
    for (const [index, name] of names.entries()) {
      await writeFile(path.join(server().folder, name), '')
      await rowOf(page, new RegExp(`^new ${index + 1}\\.txt`)).waitFor()
    }
    await opener.waitFor()
    await hints.waitFor({ state: 'detached' })
    await expectFocusInside(page)
    for (const name of names) await rm(path.join(server().folder, name))
    await page.getByText('It feels lonely here...').waitFor()
    await hints.waitFor()
  })
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
