import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann, bea } from '../kit/run-server.ts'
import { atRoot, eventually, namesShown, selectionBar } from './journeys.ts'

const numbered = (count: number, nameOf: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [nameOf(n + 1), `${n}`]))
const files = {
  Photos: {
    'one.png': '1',
    'scanner.png': '2',
    2024: { 'scan of a letter.pdf': '3', 'beach.jpg': '4', 'a%2Fb #?&+ scan.txt': '5' },
  },
  Docs: { ...numbered(20, (n) => `page ${n}.txt`), drafts: { 'scandal.md': 'x' } },
  accents: { 'Crème brûlée.md': 'sugar', 'cre\u0301dits.txt': '' },
  many: { below: numbered(130, (n) => `hit ${n}.txt`) },
  tall: numbered(200, (n) => `line ${n}.txt`),
  Lab: { inner: { 'old.txt': 'old', 'older.txt': 'older', 'oldest.txt': 'oldest' } },
  Sel: {
    one: { 'pick a.txt': 'aa', 'pick b.txt': 'b' },
    two: { 'pick c.txt': 'c', 'pick d.txt': 'd', 'pick e.txt': 'e' },
  },
  'report.txt': 'quarterly',
  'Résumé.txt': 'me',
  'scan.pdf': 'pdf',
  'song.mp3': 'la',
  'picture.png': 'p',
}

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const results = (page: Page) => page.getByRole('region', { name: 'Search results' })
/** The row of a result. */
const hit = (page: Page, name: string | RegExp) => results(page).getByRole('row', { name })
/** Returns the paths of the results in subfolders that are in the document, from the top. */
const found = (page: Page): Promise<string[]> =>
  page
    .locator('#found [data-path]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-path') ?? ''))
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-name') ?? document.activeElement?.id ?? '')
const textOf = (url: string) => new URL(url).searchParams.get('query') ?? ''
/** Records the texts of the requests to the search of the server, and the texts of those that were aborted. */
function watchSearches(page: Page) {
  const asked: string[] = []
  const aborted: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/search/')) asked.push(textOf(request.url()))
  })
  page.on('requestfailed', (request) => {
    if (request.url().includes('/api/search/')) aborted.push(textOf(request.url()))
  })
  return { asked, aborted }
}

const openMyFiles = async (page: Page) => {
  await page.getByRole('link', { name: 'My files' }).first().click()
  await rowOf(page, /report\.txt/).waitFor()
}

const focusedResult = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[data-path]')?.getAttribute('data-path'))

atRoot({ files }, ({ server, window, testAtRoot }) => {
  const openRoot = async (person = ann) => {
    const page = await window()
    await signIn(page, server(), person)
    await rowOf(page, /report\.txt/).waitFor()
    return page
  }

  // Journey: search-1
  test('typed letters filter the folder and search below it, the address keeps the text, results are opened and shown in their folder, and a search goes on in all folders', async () => {
    const page = await openRoot()
    await field(page).fill('sca')
    await eventually(() => namesShown(page), ['scan.pdf'])
    expect(
      await rowOf(page, /scan\.pdf/)
        .locator('mark')
        .allTextContents(),
    ).toEqual(['sca'])
    await eventually(
      () => found(page),
      [
        '/Docs/drafts/scandal.md',
        '/Photos/scanner.png',
        '/Photos/2024/a%2Fb #?&+ scan.txt',
        '/Photos/2024/scan of a letter.pdf',
      ],
    )
    await results(page).getByText('4 found').waitFor()
    await eventually(() => new URL(page.url()).search, '?q=sca')
    expect(await page.title()).toBe('“sca” - Files')
    await page.reload()
    await eventually(() => namesShown(page), ['scan.pdf'])
    expect(await field(page).inputValue()).toBe('sca')
    await page.keyboard.press('Escape')
    await eventually(async () => (await namesShown(page)).length > 5, true)
    expect(new URL(page.url()).search).toBe('')

    await field(page).fill('scan')
    await page.keyboard.press('Enter')
    await hit(page, 'a%2Fb #?&+ scan.txt').dblclick()
    await page.getByRole('heading', { name: 'a%2Fb #?&+ scan.txt' }).waitFor()
    // The bar of an open document takes the place of the header with the search field.
    await field(page).waitFor({ state: 'detached' })
    await page.goBack()
    await eventually(() => namesShown(page), ['scan.pdf'])
    await eventually(async () => (await found(page)).length, 4)
    await hit(page, 'a%2Fb #?&+ scan.txt').hover()
    await page.getByRole('button', { name: 'Show a%2Fb #?&+ scan.txt in its folder' }).click()
    await eventually(() => focused(page), 'a%2Fb #?&+ scan.txt')
    expect(await namesShown(page)).toEqual(
      await readdir(path.join(server().folder, 'Photos/2024')).then((names) => names.toSorted()),
    )

    await openMyFiles(page)
    await rowOf(page, /Docs/).dblclick()
    await rowOf(page, /page 1\.txt/).waitFor()
    await field(page).fill('song #')
    await page.getByText('Nothing in the subfolders matches').waitFor()
    await field(page).fill('beach')
    await page.getByText('Nothing in the subfolders matches “beach”').waitFor()
    await field(page).press('ArrowDown')
    await page.keyboard.press('Enter')
    await eventually(() => found(page), ['/Photos/2024/beach.jpg'])
    expect([new URL(page.url()).pathname.endsWith('/files/'), await field(page).inputValue()]).toEqual([
      true,
      'beach',
    ])
    await field(page).and(page.locator(':focus')).waitFor()
    await field(page).fill('beaches')
    await page.getByText('Nothing in the subfolders matches').waitFor()
    expect(await page.getByRole('button', { name: 'Search all folders' }).count()).toBe(0)
  })

  // Journey: search-2
  testAtRoot(
    'Ctrl+F and the slash focus the search, undo brings back no cleared text, four tiles find files by their kind, which is named when nothing matches, and accents do not count',
    async () => {
      const page = await openRoot()
      await rowOf(page, /report\.txt/).click()
      await page.evaluate(() => {
        document.addEventListener('keydown', (event) => {
          document.body.dataset['lastKey'] = `${event.key} ${event.defaultPrevented}`
        })
      })
      const lastKey = () => page.evaluate(() => document.body.dataset['lastKey'])
      for (const key of ['Control+f', '/', 'Control+Shift+F']) {
        await page.keyboard.press(key)
        await eventually(() => focused(page), 'search')
        await page.keyboard.press('Escape')
        await eventually(() => focused(page), 'report.txt')
      }
      // A second Ctrl+F is left to the browser.
      await page.keyboard.press('Control+f')
      await eventually(lastKey, 'f true')
      await page.keyboard.press('Control+f')
      await eventually(lastKey, 'f false')

      await eventually(() => focused(page), 'search')
      await page.keyboard.type('scan')
      await eventually(() => namesShown(page), ['scan.pdf'])
      await page.keyboard.press('Escape')
      await eventually(() => field(page).inputValue(), '')
      await rowOf(page, /report\.txt/).click()
      for (const keys of ['Control+z', 'Control+Shift+z', 'Control+y']) await page.keyboard.press(keys)
      // The keys are handled one after the other: once the row is renamed, those before have had their effect.
      await page.keyboard.press('F2')
      await page.getByRole('grid').getByRole('textbox').waitFor()
      expect(await field(page).inputValue()).toBe('')
      expect(page.url()).toBe(`${server().url}/files/`)
      await page.keyboard.press('Escape')
      await eventually(() => focused(page), 'report.txt')

      await page.keyboard.press('Control+f')
      for (const name of ['Images', 'Music', 'Video', 'PDF'])
        await page.getByRole('button', { name }).waitFor()
      await page.getByRole('button', { name: 'Images' }).click()
      expect(await field(page).inputValue()).toBe('type:image ')
      await eventually(() => namesShown(page), ['picture.png'])
      await eventually(
        () => found(page),
        ['/Photos/one.png', '/Photos/scanner.png', '/Photos/2024/beach.jpg'],
      )
      await page.getByRole('button', { name: 'PDF' }).click()
      expect(await field(page).inputValue()).toBe('type:pdf type:image ')
      await eventually(() => namesShown(page), ['picture.png', 'scan.pdf'])
      await page.getByRole('button', { name: 'Images' }).click()
      await eventually(() => found(page), ['/Photos/2024/scan of a letter.pdf'])

      await field(page).fill('report')
      await eventually(() => namesShown(page), ['report.txt'])
      await results(page).getByRole('button', { name: 'PDF', exact: true }).click()
      await page.getByText('No PDF in this folder matches “report”').waitFor()
      await page.getByText('No PDF in the subfolders matches “report”').waitFor()
      await results(page).getByRole('button', { name: 'Images', exact: true }).click()
      await page.getByText('Nothing of type Images or PDF in this folder matches “report”').waitFor()
      await field(page).fill('type:video ')
      await page.getByText('No video in this folder', { exact: true }).waitFor()
      await field(page).fill('*.xyz')
      await page.getByText('Nothing of type XYZ in this folder', { exact: true }).waitFor()

      // Names with accents are found without them.
      await field(page).fill('resume')
      await eventually(() => namesShown(page), ['Résumé.txt'])
      await field(page).fill('creme')
      await eventually(() => found(page), ['/accents/Crème brûlée.md'])
      expect(await results(page).locator('mark').allTextContents()).toEqual(['Crème'])
      await field(page).fill('Crédits')
      await eventually(() => found(page), ['/accents/cre\u0301dits.txt'])
    },
  )

  // Journey: search-3
  testAtRoot(
    'actions apply to shown rows only, results need no mouse, only those in view are in the document, and clearing the field restores the scroll position',
    async () => {
      const page = await openRoot()
      await rowOf(page, /song\.mp3/).click()
      await field(page).fill('scan')
      await eventually(() => namesShown(page), ['scan.pdf'])
      await page.keyboard.press('ArrowDown')
      await eventually(() => focused(page), 'scan.pdf')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('scan.pdf').first().waitFor()
      expect(await dialog.getByText('song.mp3').count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await field(page).fill('')
      await rowOf(page, /report\.txt/).click()

      await page.keyboard.press('/')
      await eventually(() => focused(page), 'search')
      await page.keyboard.type('scand')
      await eventually(() => found(page), ['/Docs/drafts/scandal.md'])
      await page.keyboard.press('ArrowDown')
      await eventually(() => focusedResult(page), '/Docs/drafts/scandal.md')
      await field(page).fill('scan')
      await eventually(async () => [await namesShown(page), (await found(page)).length], [['scan.pdf'], 4])
      await field(page).press('ArrowDown')
      await eventually(() => focused(page), 'scan.pdf')
      await page.keyboard.press('ArrowDown')
      await eventually(() => focusedResult(page), (await found(page))[0])
      await page.keyboard.press('ArrowUp')
      await eventually(() => focused(page), 'scan.pdf')
      await field(page).fill('scand')
      await eventually(() => found(page), ['/Docs/drafts/scandal.md'])
      await field(page).press('ArrowDown')
      await page.keyboard.press('Control+Enter')
      await eventually(() => focused(page), 'scandal.md')
      await eventually(() => new URL(page.url()).pathname, '/files/Docs/drafts/')

      await openMyFiles(page)
      await field(page).fill('hit')
      await results(page).getByText('130 found').waitFor()
      await eventually(async () => (await found(page)).length > 10, true)
      expect((await found(page)).length).toBeLessThan(60)
      await hit(page, /^hit 1\.txt/).click()
      await page.keyboard.press('End')
      await eventually(() => focusedResult(page), '/many/below/hit 130.txt')
      const resultsTop = () => page.locator('#found').evaluate((list) => list.scrollTop)
      const topBefore = await resultsTop()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'hit 130.txt' }).waitFor()
      await page.goBack()
      await eventually(() => focusedResult(page), '/many/below/hit 130.txt')
      expect(topBefore).toBeGreaterThan(1000)
      await eventually(resultsTop, topBefore)
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').last().click()
      await eventually(async () => (await found(page))[0], '/many/below/hit 1.txt')
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').last().click()
      await eventually(async () => (await found(page))[0], '/many/below/hit 130.txt')
      await page.getByRole('columnheader', { name: 'Folder' }).getByRole('button').click()
      await eventually(async () => (await found(page))[0], '/many/below/hit 1.txt')

      await field(page).fill('')
      await rowOf(page, /tall/).dblclick()
      await rowOf(page, /^line 1\.txt/).waitFor()
      const list = page.locator('[data-part="listing"]')
      await list.evaluate((element) => element.scrollTo(0, 2000))
      await rowOf(page, /^line 60\.txt/).waitFor()
      await field(page).fill('"line 7."')
      await eventually(() => namesShown(page), ['line 7.txt'])
      await field(page).fill('')
      await rowOf(page, /^line 60\.txt/).waitFor()
      await eventually(() => list.evaluate((element) => element.scrollTop), 2000)
      await field(page).fill('no such name')
      await page.getByText('No match for “no such name” in this folder').waitFor()
      await page.keyboard.press('Escape')
      await rowOf(page, /^line 60\.txt/).waitFor()
      await eventually(() => list.evaluate((element) => element.scrollTop), 2000)
    },
  )

  const inFolder = (name: string) => readdir(path.join(server().folder, 'Sel', name))
  // Journey: search-4
  testAtRoot(
    'results in different folders are renamed, and selected, downloaded, moved and deleted together, and an action that is not permitted is not offered',
    async () => {
      const page = await openRoot()
      const inner = path.join(server().folder, 'Lab/inner')
      await field(page).fill('old')
      await eventually(
        () => found(page),
        ['/Lab/inner/old.txt', '/Lab/inner/older.txt', '/Lab/inner/oldest.txt'],
      )
      await hit(page, 'older.txt').hover()
      await page.getByRole('button', { name: 'Actions for older.txt' }).click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('textbox').fill('old and new.txt')
      await page.keyboard.press('Enter')
      await eventually(() => existsSync(path.join(inner, 'old and new.txt')), true)
      await eventually(
        () => found(page),
        ['/Lab/inner/old.txt', '/Lab/inner/old and new.txt', '/Lab/inner/oldest.txt'],
      )
      await hit(page, 'oldest.txt').click()
      await page.keyboard.press('Delete')
      await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
      await eventually(() => existsSync(path.join(inner, 'oldest.txt')), false)
      await eventually(() => found(page), ['/Lab/inner/old.txt', '/Lab/inner/old and new.txt'])
      await eventually(() => focusedResult(page), '/Lab/inner/old and new.txt')

      const pick = (letter: string) => hit(page, `pick ${letter}.txt`)
      const selected = () =>
        page.locator('[data-part="selection"] span:not([aria-hidden])').first().textContent()
      await field(page).fill('pick')
      await eventually(async () => (await found(page)).length, 5)
      expect(await pick('a').getAttribute('aria-label')).toMatch(/^pick a\.txt, Text, Sel \/ one, 2\sB, /)
      await page.getByText('2\u00A0B', { exact: true }).waitFor()
      await pick('c').click({ modifiers: ['Control'] })
      await pick('e').click({ modifiers: ['Shift'] })
      await eventually(selected, '3 selected')
      await pick('a').locator('[data-part="check"]').click()
      await eventually(selected, '4 selected')

      const archive = page.waitForEvent('download')
      await selectionBar(page).getByRole('button', { name: 'Download' }).click()
      const bytes = await readFile(await (await archive).path(), 'latin1')
      for (const name of ['a', 'c', 'd', 'e']) expect(bytes).toContain(`pick ${name}.txt`)
      expect(bytes).not.toContain('pick b.txt')

      await pick('e').focus()
      await page.keyboard.press('Control+x')
      await page.getByRole('group', { name: 'Clipboard' }).getByText('4 items cut').waitFor()
      await pick('b').hover()
      await page.getByRole('button', { name: 'Show pick b.txt in its folder' }).click()
      await eventually(() => focused(page), 'pick b.txt')
      await page.keyboard.press('Control+v')
      await eventually(() => inFolder('two'), [])
      expect(await inFolder('one')).toHaveLength(5)

      await field(page).fill('pick')
      await eventually(
        () => namesShown(page),
        ['a', 'b', 'c', 'd', 'e'].map((letter) => `pick ${letter}.txt`),
      )
      await page.getByRole('link', { name: 'My files' }).first().click()
      await field(page).fill('pick')
      await eventually(async () => (await found(page)).length, 5)
      await pick('b').focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+Space')
      await eventually(selected, '4 selected')
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await eventually(() => inFolder('one'), ['pick b.txt'])
      await eventually(() => found(page), ['/Sel/one/pick b.txt'])
      await page.keyboard.press('Escape')
      await eventually(() => field(page).inputValue(), '')

      await signIn(page, server(), bea, '/files/?q=old')
      await hit(page, 'old.txt').hover()
      await page.getByRole('button', { name: 'Actions for old.txt' }).click()
      await openMore(page)
      await page.getByRole('menuitem', { name: 'Copy path' }).waitFor()
      const labels = page.getByRole('menuitem').locator('span:nth-child(2)')
      expect(await labels.allTextContents()).toEqual([
        'Open',
        'Show in folder',
        'Preview',
        'More',
        'Open in new tab',
        'Copy path',
        'Copy address',
        'Info',
      ])
    },
  )

  // Journey: search-5
  testAtRoot(
    'a new text aborts the request for the previous one, Stop ends the search, and a search that fails says so and is repeated',
    async () => {
      const page = await openRoot()
      const { asked, aborted } = watchSearches(page)
      await page.route('**/api/search/**', async (route) => {
        if (!route.request().url().includes('query=page'))
          await new Promise((resolve) => setTimeout(resolve, 3000))
        await route.continue().catch(() => undefined)
      })
      await field(page).fill('scan')
      await eventually(() => asked, ['scan'])
      await field(page).fill('page')
      await eventually(() => aborted, ['scan'])
      await results(page).getByText('20 found', { exact: true }).waitFor()
      await field(page).fill('letter')
      await results(page).getByText('Searching…').waitFor()
      await results(page).getByRole('button', { name: 'Stop' }).click()
      // The results of "page" can be on screen before its response has ended, so its request may be aborted, too.
      await eventually(() => aborted.filter((text) => text !== 'page'), ['scan', 'letter'])
      await results(page).getByText('Stopped. Not all folders were searched.').waitFor()
      await results(page).getByRole('button', { name: 'Search again' }).waitFor()

      await page.unroute('**/api/search/**')
      await page.route('**/api/search/**', (route) => route.abort(), { times: 1 })
      await field(page).fill('scand')
      await results(page).getByRole('alert').waitFor()
      await results(page).getByRole('button', { name: 'Retry' }).click()
      await eventually(() => found(page), ['/Docs/drafts/scandal.md'])
    },
  )

  testAtRoot('on a phone the search opens from its button and covers the page', async () => {
    const page = await window({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
    await signIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    await page.getByRole('button', { name: 'Search', exact: true }).tap()
    await page.getByRole('button', { name: 'Video' }).waitFor()
    await field(page).fill('scand')
    await eventually(() => found(page), ['/Docs/drafts/scandal.md'])
    await page.locator('#found [data-path]').waitFor()
    await page.getByRole('button', { name: 'New' }).waitFor({ state: 'hidden' })
    await field(page).fill('scan')
    const below = results(page).getByRole('button', { name: 'Subfolders 4' })
    await below.waitFor()
    await rowOf(page, /scan\.pdf/).waitFor()
    expect(await page.locator('#found [data-path]').first().isVisible()).toBe(false)
    await below.tap()
    await page.locator('#found [data-path]').first().waitFor()
    expect(await rowOf(page, /scan\.pdf/).isVisible()).toBe(false)
    await page.locator('#found [data-path]').first().tap()
    await page.waitForURL('**/files/Docs/drafts/scandal.md')
    await page.goBack()
    await page.locator('#found [data-path]').first().waitFor()
    await results(page).getByRole('button', { name: 'This folder 1' }).tap()
    await rowOf(page, /scan\.pdf/).waitFor()
    await page.route('**/api/search/**', (route) => route.abort(), { times: 1 })
    await field(page).fill('scan.')
    await results(page).getByRole('alert').waitFor()
    await results(page).getByRole('button', { name: 'Retry' }).tap()
    await results(page).getByRole('button', { name: 'Subfolders 1' }).waitFor()
    await page.getByRole('button', { name: 'Close search' }).tap()
    await rowOf(page, /song\.mp3/).waitFor()
    await eventually(() => new URL(page.url()).search, '')
  })
})
