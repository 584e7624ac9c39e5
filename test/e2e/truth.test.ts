import path from 'node:path'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, type TestUser } from '../kit/run-server.ts'
import { eventually, atRoot, namesShown } from './journeys.ts'

const lonely = 'It feels lonely here...'
/** What an empty folder says at other times, while files are uploaded into it, and while the uploads wait. */
const emptyTexts = [
  lonely,
  'Files are being uploaded into this folder...',
  'The uploads into this folder have not ended yet',
]

/**
 * Returns the texts of the matching elements. No-break spaces, such as before the unit of a size, become ordinary
 * spaces.
 */
const textsOf = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '))

/** Returns the texts in the status bar, from left to right. */
const statusOf = (page: Page): Promise<string[]> => textsOf(page, '[data-part="status"] > span')

/** Returns the texts of the bar that describe the selection. */
const summaryOf = (page: Page): Promise<string[]> =>
  textsOf(page, '[data-part="selection"] span:not([aria-hidden])')

/**
 * Returns the number of data rows that the grid reports to assistive technology, without the header row. Returns 0 when
 * there is no grid.
 */
const gridRowsOf = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') ?? 1) - 1)

/** The numbers of entries that the page showed at one moment. */
type ShownCounts = {
  readonly status: number
  readonly gridRows: number
  readonly isShownEmpty: boolean
  readonly hasRows: boolean
}

/**
 * Returns true when the status bar, the grid, the rows and the empty-folder message show the same number of entries.
 */
const isConsistent = ({ status, gridRows, isShownEmpty, hasRows }: ShownCounts): boolean =>
  status === gridRows && isShownEmpty === (status === 0) && hasRows === status > 0

/** Records the shown number of entries after each change of the page's document. */
const recordCounts = (page: Page): Promise<void> =>
  page.evaluate((texts) => {
    const records: ShownCounts[] = []
    const record = (): void => {
      const status = document.querySelector('[data-part="status"] > span')?.textContent ?? ''
      const rowCount = document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') ?? '1'
      records.push({
        status: Number.parseInt(status, 10),
        gridRows: Number(rowCount) - 1,
        isShownEmpty: texts.some((text) => document.querySelector('#listing')?.textContent?.includes(text)),
        hasRows: document.querySelector('[role="row"][data-name]') !== null,
      })
    }
    new MutationObserver(record).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    Object.assign(globalThis, { countRecords: records })
  }, emptyTexts)

const recordedCounts = (page: Page): Promise<ShownCounts[]> =>
  page.evaluate(() => (globalThis as unknown as { countRecords: ShownCounts[] }).countRecords)

const confirmDelete = async (page: Page): Promise<void> => {
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
}

const tokenOf = async (url: string, { name, password }: TestUser): Promise<string> => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: name, password, recaptcha: '' }),
  })
  return response.text()
}

/** Changes the permissions of a user as the administrator. */
const setPermissions = async (
  url: string,
  person: TestUser,
  changed: Readonly<Record<string, boolean>>,
): Promise<void> => {
  const headers = { 'X-Auth': await tokenOf(url, ada) }
  const users = (await (await fetch(`${url}/api/users`, { headers })).json()) as {
    id: number
    username: string
    perm: Record<string, boolean>
  }[]
  const user = users.find(({ username }) => username === person.name)
  if (user === undefined) throw new Error(`There is no user ${person.name}.`)
  const response = await fetch(`${url}/api/users/${user.id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      what: 'user',
      which: ['perm'],
      data: { id: user.id, perm: { ...user.perm, ...changed } },
    }),
  })
  expect(response.status).toBe(200)
}

atRoot({ files: {} }, ({ server, window }) => {
  /**
   * Signs in and opens a new folder that contains the files `page 1.txt`, `page 2.txt` and so on. Each file has one
   * byte.
   */
  const openFolder = async (name: string, count: number): Promise<Page> => {
    const folder = path.join(server().folder, name)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await Promise.all(
      Array.from({ length: count }, (_, index) => writeFile(path.join(folder, `page ${index + 1}.txt`), 'x')),
    )
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, new RegExp(`^${name}`)).dblclick()
    await page.waitForURL(`${server().url}/files/${name}/`)
    await eventually(() => statusOf(page), [`${count} ${count === 1 ? 'item' : 'items'}`])
    return page
  }

  // Journey: truth-1
  test('after one of 18 files is deleted, every count says 17, also a spoken one, and an empty folder stays empty after a refused new file', async () => {
    const page = await openFolder('Eighteen', 18)
    const spoken = page.locator('[aria-live="polite"]').first()
    await eventually(() => spoken.innerText(), 'Eighteen, 18 items')
    await rowOf(page, /^page 3\.txt/).click()
    await eventually(() => summaryOf(page), ['1 selected', '1 B'])
    expect(await statusOf(page)).toEqual(['18 items'])
    await confirmDelete(page)
    await eventually(() => statusOf(page), ['17 items'])
    expect([await gridRowsOf(page), await summaryOf(page)]).toEqual([17, []])

    // Screen readers hear the current number when the folder is opened again.
    await page.getByLabel('Breadcrumb').getByRole('link', { name: 'My files' }).click()
    await rowOf(page, /^Eighteen/).dblclick()
    await eventually(() => spoken.innerText(), 'Eighteen, 17 items')

    // After all files are deleted, the folder is shown as empty.
    await rowOf(page, /^page 1\.txt/).click()
    await page.keyboard.press('Control+a')
    await eventually(() => summaryOf(page), ['17 selected', '17 B'])
    await confirmDelete(page)
    await page.getByText(lonely).waitFor()
    expect([await statusOf(page), await summaryOf(page), await namesShown(page)]).toEqual([
      ['0 items'],
      [],
      [],
    ])

    // It is still shown as empty after a refused new file, and a new folder in it is a row immediately.
    await page.route('**/api/resources/Eighteen/first.txt', (route) =>
      route.fulfill({ status: 507, headers: { 'X-Error': 'no-space' }, body: '507\n' }),
    )
    await page.getByRole('button', { name: 'New file' }).first().click()
    await page.getByRole('dialog').getByRole('textbox').fill('first.txt')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New file' })
    await dialog.getByText(/^There is no space left/).waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe('first.txt')
    await page.keyboard.press('Escape')
    await page.getByText(lonely).waitFor()
    expect(await statusOf(page)).toEqual(['0 items'])
    const { promise: hasResponse, resolve: respond } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Eighteen/first/', async (route) => {
      await hasResponse
      await route.continue()
    })
    await page.getByRole('button', { name: 'New folder' }).first().click()
    await page.getByRole('dialog').getByRole('textbox').fill('first')
    await page.keyboard.press('Enter')
    await rowOf(page, /^first/).waitFor()
    expect([await statusOf(page), await gridRowsOf(page), await page.getByText(lonely).count()]).toEqual([
      ['1 item'],
      1,
      0,
    ])
    respond()
    await page.waitForURL(`${server().url}/files/Eighteen/first/`)
  })

  test('a listing from before a deletion does not bring the deleted row back, and a file that comes back on the disk after a copy is shown', async () => {
    const copied = path.join(server().folder, 'Copied')
    await mkdir(copied)
    for (const name of ['gone.txt', 'kept.txt']) await writeFile(path.join(copied, name), 'x')
    const folder = path.join(server().folder, 'Early')
    await mkdir(folder)
    for (const name of ['gone.txt', 'kept.txt']) await writeFile(path.join(folder, name), 'x')
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /^Early/).dblclick()
    await rowOf(page, /gone\.txt/).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
    await rowOf(page, /^Early/).waitFor()
    const [read, released, removed] = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    await page.route('**/api/resources/Early/gone.txt', async (route) => {
      await removed?.promise
      await route.continue()
    })
    await page.route('**/api/resources/Early/', async (route) => {
      const response = await route.fetch()
      read?.resolve()
      await released?.promise
      // A later request may have aborted this one.
      await route.fulfill({ response }).catch(() => undefined)
    })
    // Without another change the server would answer that the folder is unchanged.
    await writeFile(path.join(folder, 'later.txt'), 'x')
    await page.goBack()
    await read?.promise
    await rowOf(page, /gone\.txt/).click()
    await confirmDelete(page)
    await eventually(() => namesShown(page), ['kept.txt'])
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[data-name="gone.txt"]') !== null)
          document.body.dataset['isBack'] = 'true'
      }).observe(document.body, { subtree: true, childList: true })
    })
    const list = page.locator('main [aria-busy="true"]')
    expect(await list.count()).toBeGreaterThan(0)
    released?.resolve()
    await eventually(() => list.count(), 0)
    expect(await namesShown(page)).toEqual(['kept.txt', 'later.txt'])
    removed?.resolve()
    await eventually(async () => (await readdir(folder)).toSorted(), ['kept.txt', 'later.txt'])
    await eventually(() => list.count(), 0)
    expect(await namesShown(page)).toEqual(['kept.txt', 'later.txt'])
    expect(await page.evaluate(() => document.body.dataset['isBack'])).toBeUndefined()
    await rm(folder, { recursive: true })
    await page.unrouteAll()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()

    // A file that comes back on the disk after its deletion is shown, also after a copy.
    await rowOf(page, /^Copied/).dblclick()
    await rowOf(page, /kept\.txt/).click()
    const clipboard = page.getByRole('group', { name: 'Clipboard' })
    await eventually(async () => {
      await page.keyboard.press('Control+c')
      return clipboard.count()
    }, 1)
    await page.keyboard.press('Control+v')
    await rowOf(page, /kept\(1\)\.txt/).waitFor()
    await rowOf(page, /gone\.txt/).click()
    await confirmDelete(page)
    await eventually(async () => (await namesShown(page)).toSorted(), ['kept(1).txt', 'kept.txt'])
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
    await rowOf(page, /^Copied/).waitFor()
    // The row disappears before the server has deleted the file, which would delete the new file as well.
    await eventually(() => existsSync(path.join(copied, 'gone.txt')), false)
    await writeFile(path.join(copied, 'gone.txt'), 'x')
    await page.goBack()
    await eventually(async () => (await namesShown(page)).toSorted(), ['gone.txt', 'kept(1).txt', 'kept.txt'])
    await rm(copied, { recursive: true })
  })

  // Journey: truth-2
  test('a renamed file and a refused rename leave every count right, the information counts uploads, and actions disappear with their permission', async () => {
    const page = await openFolder('Names', 2)
    await page.route('**/api/resources/Names/page%201.txt?*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, headers: { 'X-Error': 'forbidden' }, body: '403 Forbidden\n' })
        : route.continue(),
    )
    const rename = async () => {
      await rowOf(page, /^page 1\.txt/).click()
      await page.keyboard.press('F2')
      await page.getByRole('textbox').last().fill('zzz.txt')
      await page.keyboard.press('Enter')
    }
    await rename()
    await eventually(() => namesShown(page), ['page 1.txt', 'page 2.txt'])
    await eventually(() => summaryOf(page), ['1 selected', '1 B'])
    await page.getByRole('button', { name: 'Rename' }).first().click()
    const field = page.getByRole('dialog').getByRole('textbox')
    expect(await field.inputValue()).toBe('page 1.txt')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.unroute('**/api/resources/Names/page%201.txt?*')
    await rename()
    await eventually(() => namesShown(page), ['page 2.txt', 'zzz.txt'])
    expect([await statusOf(page), await summaryOf(page), await gridRowsOf(page)]).toEqual([
      ['2 items'],
      ['1 selected', '1 B'],
      2,
    ])

    // The information about the open folder counts files that are uploaded while it is shown.
    await page.keyboard.press('Escape')
    const { promise: hasResponse, resolve: respond } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Names/small*', async (route) => {
      await hasResponse
      await route.continue()
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
    ])
    await chooser.setFiles(
      [1, 2].map((n) => ({ name: `small ${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') })),
    )
    await page.getByRole('button', { name: 'Info' }).first().click()
    const numbers = page.getByRole('dialog', { name: 'Folder information' }).locator('dl > div')
    const counts = async () => (await numbers.allInnerTexts()).filter((line) => line.startsWith('Number'))
    await eventually(counts, [
      'Number of files\n2 directly in this folder',
      'Number of folders\n0 directly in this folder',
    ])
    respond()
    await eventually(counts, [
      'Number of files\n4 directly in this folder',
      'Number of folders\n0 directly in this folder',
    ])
    await page.keyboard.press('Escape')
    await numbers.first().waitFor({ state: 'detached' })

    // Actions disappear when the administrator takes their permission away.
    await rowOf(page, /^zzz\.txt/).click()
    const buttonsOf = async (): Promise<number[]> =>
      Promise.all(
        ['Delete', 'Copy to…', 'New folder', 'Rename'].map((name) =>
          page.getByRole('button', { name, exact: true }).count(),
        ),
      )
    await eventually(buttonsOf, [1, 1, 1, 1])
    await setPermissions(server().url, ann, { delete: false, create: false })
    try {
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await eventually(buttonsOf, [0, 0, 0, 1])
    } finally {
      await setPermissions(server().url, ann, { delete: true, create: true })
    }
  })

  // Journey: truth-3
  test('while 200 files are uploaded into an empty folder, its rows and counts grow together', async () => {
    const page = await openFolder('Upload', 0)
    await page.getByText(lonely).waitFor()
    await recordCounts(page)
    // Each response takes 30 ms longer, so that the files do not arrive all at once.
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 30,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
    ])
    await chooser.setFiles(
      Array.from({ length: 200 }, (_, index) => ({
        name: `small ${index + 1}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from('x'),
      })),
    )
    await eventually(() => statusOf(page), ['200 items'])
    const records = await recordedCounts(page)
    expect(records.filter((record) => !isConsistent(record))).toEqual([])
    expect(new Set(records.map(({ status }) => status)).size).toBeGreaterThan(4)
    await network.detach()
  })
})
