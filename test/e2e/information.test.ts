import { createHash } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { onePixelPng } from '../matrix/samples.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { succeeds } from '../kit/mounts.ts'
import { ann, bundledProgram } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const report = 'quarterly '.repeat(200)

const files = {
  Docs: { 'a.txt': 'first', sub: { 'deep.txt': 'deep' }, empty: {} },
  'notes.txt': 'notes',
  'report.txt': report,
  dangling: { link: 'nowhere' },
}

/** Returns the value beside a label of the dialog, with line breaks as spaces. */
async function factOf(dialog: Locator, label: string): Promise<string> {
  const fact = dialog.locator('dl > div').filter({ has: dialog.page().getByText(label, { exact: true }) })
  return (await fact.locator('dd').innerText()).replaceAll(/\s+/g, ' ').trim()
}

const checksumOf = (algorithm: string) => createHash(algorithm).update(report).digest('hex')

const openInfo = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Info', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

atRoot({ files }, ({ server, window }) => {
  const openRoot = async (): Promise<Page> => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, /^report\.txt/).waitFor()
    return page
  }

  // Journey: information-1
  test('information shows the exact facts of a file, an image, a broken link and the open folder, and Delete opens no second prompt', async () => {
    await writeFile(path.join(server().folder, 'dot.png'), onePixelPng)
    const page = await openRoot()
    await rowOf(page, /^report\.txt/).click()
    const dialog = await openInfo(page)
    await dialog.getByRole('heading', { name: 'File information' }).waitFor()
    expect(await factOf(dialog, 'Display name')).toBe('report.txt')
    expect(await factOf(dialog, 'Type')).toBe('Text')
    expect(await factOf(dialog, 'Path')).toBe('report.txt')
    expect(await factOf(dialog, 'Size')).toBe('1.95 KB 2,000 bytes')
    expect(await factOf(dialog, 'Last modified')).toMatch(/now|seconds?|minutes?/)
    await page.keyboard.press('Delete')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('dialog').count(), 0)

    await rowOf(page, /^dot\.png/).click()
    await openInfo(page)
    await dialog.getByText('Resolution').waitFor()
    expect(await factOf(dialog, 'Resolution')).toBe('1 × 1 pixels')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, /^dangling/).click()
    await openInfo(page)
    expect(await factOf(dialog, 'Type')).toBe('Broken link')
    expect(await dialog.getByRole('button', { name: /^Show/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // Without a selection, the open folder is described.
    await rowOf(page, /^Docs/).dblclick()
    await rowOf(page, /^a\.txt/).waitFor()
    await openInfo(page)
    await dialog.getByRole('heading', { name: 'Folder information' }).waitFor()
    expect([
      await factOf(dialog, 'Display name'),
      await factOf(dialog, 'Number of files'),
      await factOf(dialog, 'Number of folders'),
    ]).toEqual(['Docs', '1 directly in this folder', '2 directly in this folder'])
  })

  // Journey: information-2
  test('the size of a selected folder and of several entries is calculated on request, which can be cancelled, and a refusal is shown', async () => {
    await mkdir(path.join(server().folder, 'Slow'), { recursive: true })
    const page = await openRoot()
    const dialog = page.getByRole('dialog')
    await rowOf(page, /^notes\.txt/).click()
    await rowOf(page, /^report\.txt/).click({ modifiers: ['Control'] })
    await openInfo(page)
    await dialog.getByText('2 files selected.').waitFor()
    expect(await factOf(dialog, 'Size')).toBe('1.96 KB 2,005 bytes')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await rowOf(page, /^Docs/).click({ modifiers: ['Control'] })
    await openInfo(page)
    await dialog.getByRole('heading', { name: 'Information about the selection' }).waitFor()
    await dialog.getByText('3 items selected.').waitFor()
    await dialog.getByRole('button', { name: 'Calculate' }).click()
    await eventually(
      () => factOf(dialog, 'Size'),
      '1.97 KB 2,014 bytes 4 files and 3 folders Calculate again',
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await rowOf(page, /^Docs/).click()
    await openInfo(page)
    await dialog.getByRole('button', { name: 'Calculate' }).click()
    await eventually(() => factOf(dialog, 'Size'), '9 B 2 files and 2 folders Calculate again')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), 'Calculate again')
    expect([await factOf(dialog, 'Number of files'), await factOf(dialog, 'Number of folders')]).toEqual([
      '1 directly in this folder',
      '2 directly in this folder',
    ])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await rowOf(page, /^Slow/).click()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/du/Slow', async (route) => {
      await isReleased
      await route.fulfill({ status: 403, headers: { 'X-Error': 'forbidden' }, body: '403 Forbidden\n' })
    })
    await openInfo(page)
    await dialog.getByRole('button', { name: 'Calculate' }).click()
    await eventually(() => factOf(dialog, 'Size'), '0 B so far Cancel')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await eventually(() => factOf(dialog, 'Size'), 'Calculate')
    release()
    await dialog.getByRole('button', { name: 'Calculate' }).click()
    await dialog.getByRole('button', { name: 'Retry' }).waitFor()
  })

  // Journey: information-3
  test('the four checksums are shown on request, also after a refusal, and are copied with and without a clipboard of the browser', async () => {
    const page = await openRoot()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await rowOf(page, /^report\.txt/).click()
    await page.route(
      '**/api/resources/report.txt?checksum=md5',
      (route) => route.fulfill({ status: 423, headers: { 'X-Error': 'busy' }, body: '423 Locked\n' }),
      { times: 1 },
    )
    const dialog = await openInfo(page)
    await dialog.getByRole('button', { name: 'Show MD5' }).click()
    const notice = page.locator('[data-part="notices"]')
    await notice.getByText('MD5 could not be calculated. The file or folder is in use.').waitFor()
    // The keyboard keeps its place when a checksum replaces its button.
    await dialog.getByRole('button', { name: 'Show MD5' }).focus()
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent), checksumOf('md5'))
    await page.keyboard.press('Tab')
    await eventually(
      () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Copy MD5',
    )
    for (const algorithm of ['sha1', 'sha256', 'sha512']) {
      const label = algorithm.toUpperCase()
      await dialog.getByRole('button', { name: `Show ${label}` }).click()
      await eventually(() => factOf(dialog, label), checksumOf(algorithm))
    }
    expect(await factOf(dialog, 'MD5')).toBe(checksumOf('md5'))
    await dialog.getByRole('button', { name: 'Copy SHA256' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await eventually(copied, checksumOf('sha256'))
    // Over plain http, browsers have no clipboard for pages.
    await page.evaluate(() => {
      Object.defineProperty(navigator.clipboard, 'writeText', {
        value: () => Promise.reject(new Error('no')),
      })
    })
    await dialog.getByRole('button', { name: 'Copy path' }).click()
    await eventually(copied, '/report.txt')
    await dialog.getByText('Copied').first().waitFor()
  })
})

/** Without these rights, root is refused like anybody else. */
const restricted =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', ...bundledProgram()]
    : bundledProgram()

const closed = {
  unlisted: { 'secret.txt': 'secret' },
  unentered: { 'inside.txt': 'inside' },
  'report.docx': 'x',
  'broken.zip': 'no archive',
  'plain.txt': 'text',
}

describe.skipIf(process.getuid?.() === 0 && !succeeds('setpriv', '--version'))('permissions', () => {
  atRoot({ files: { closed }, people: [ann], program: restricted }, ({ server, window }) => {
    beforeAll(() => {
      chmodSync(path.join(server().folder, 'closed/unlisted'), 0o300)
      chmodSync(path.join(server().folder, 'closed/unentered'), 0o600)
    })
    afterAll(() => {
      for (const name of ['unlisted', 'unentered'])
        chmodSync(path.join(server().folder, 'closed', name), 0o700)
    })

    test('what the server may not read is called not reachable, is counted by size and search, and kinds have words', async () => {
      const page = await window()
      await signIn(page, server(), ann, '/files/closed/')
      await rowOf(page, /^report\.docx/).click()
      const dialog = await openInfo(page)
      expect(await factOf(dialog, 'Type')).toBe('Word document')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await rowOf(page, /^broken\.zip/).dblclick()
      await page.getByText('The archive is damaged, or its format does not match its name.').waitFor()
      await page.goto(`${server().url}/files/closed/unentered/`)
      await rowOf(page, /^inside\.txt/).waitFor()
      // The mark beside the name, and the type.
      expect(
        await rowOf(page, /^inside\.txt/)
          .getByText('Not reachable')
          .count(),
      ).toBe(2)
      await page.goto(`${server().url}/files/closed/unlisted/`)
      await page.getByRole('heading', { name: "You don't have permissions to access this." }).waitFor()
      expect(await page.getByText(/lonely/).count()).toBe(0)
      await page.goto(`${server().url}/files/?q=plain`)
      await page.getByText('1 folder could not be searched').waitFor()
      await page.goto(`${server().url}/files/`)
      await rowOf(page, /^closed/).click()
      await openInfo(page)
      await dialog
        .getByRole('button', { name: /size|Calculate/i })
        .last()
        .click()
      await dialog.getByText(/^Not complete: \d items cannot be reached/).waitFor()
    })
  })
})
