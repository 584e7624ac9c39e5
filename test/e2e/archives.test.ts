import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { padding, tarEnd, tarHeader } from '../../src/server/archives/tar/tar-header.ts'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { endOfTar, tarMembers } from '../kit/tar.ts'
import { makeZip } from '../kit/zip.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, violationsIn } from './journeys.ts'

const photo = await rotatedJpeg(400, 300)

/** Returns a tar file with these files. */
const tarOf = (files: Readonly<Record<string, Uint8Array | string>>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([name, content]) => {
      const bytes = Buffer.from(content)
      const member = {
        name,
        kind: 'file',
        sizeBytes: bytes.length,
        modifiedMs: 1e12,
        permissions: 0o644,
      } as const
      return [tarHeader(member), bytes, padding(bytes.length)]
    }),
    tarEnd(),
  ])

const files = {
  'box #?&+.tar': tarOf({
    'readme.md': '# Hello\n\n<script>document.title = "run"</script>',
    'photos/a%2Fb.jpg': photo,
    'photos/deep/notes.txt': 'deep notes',
    'page.html': '<script>parent.document.title = "run"</script><p>A page</p>',
    '../out.txt': 'outside',
  }),
  'broken.zip': 'no archive',
  // The name 表.txt in Shift JIS, and an encrypted file.
  'old.zip': makeZip([
    {
      name: Buffer.from([0x95, 0x5c, 0x2e, 0x74, 0x78, 0x74]),
      content: 'old',
      isLegacyName: true,
      system: 3,
    },
    { name: 'secret', content: 'x', isEncrypted: true },
  ]),
  'long names.tar': tarOf(
    Object.fromEntries(
      ['W', 'm', 'a', 'r', 'i'].map((letter) => [`${letter} ${`${letter}w `.repeat(30)}the end.txt`, '']),
    ),
  ),
  docs: { 'one.txt': 'one', 'two.txt': 'two' },
  target: {},
}

const content = (page: Page) => page.getByRole('region', { name: 'Content of the archive' })
const member = (page: Page, name: string) => content(page).getByRole('button', { name })

const chooseInMenu = async (page: Page, row: string | RegExp, item: string) => {
  await rowOf(page, row).click({ button: 'right' })
  await openMore(page)
  await page.getByRole('menuitem', { name: item }).click()
}

atRoot({ files, people: [ann] }, ({ server, window }) => {
  const openRoot = async () => {
    const page = await window()
    await signIn(page, server(), ann)
    return page
  }
  test('an archive opens like a folder, with the viewers of its files and the way back by keys, its documents run no script, and it fits on phones', async () => {
    const page = await openRoot()
    await rowOf(page, 'box #?&+.tar').dblclick()
    await content(page).waitFor()
    await page.getByText('1 entry is not shown, because its path is not possible here.').waitFor()
    expect(await content(page).getByRole('button').allInnerTexts()).toHaveLength(3)
    // The columns of folders and files are aligned.
    const edges = await content(page)
      .getByRole('button')
      .evaluateAll((rows) => rows.map((row) => row.lastElementChild?.getBoundingClientRect().left))
    expect(new Set(edges).size).toBe(1)
    expect(await page.getByText('box #?&+.tar', { exact: true }).count()).toBeLessThanOrEqual(2)
    await page.keyboard.press('ArrowDown')
    await eventually(async () => (await focusOf(page)).includes('photos'), true)
    await page.keyboard.press('Enter')
    await eventually(async () => (await focusOf(page)).includes('deep'), true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('img[data-loaded]').waitFor()
    await page.keyboard.press('Escape')
    await eventually(async () => (await focusOf(page)).includes('a%2Fb.jpg'), true)
    await page.keyboard.press('Backspace')
    await eventually(async () => (await focusOf(page)).includes('photos'), true)
    await page.keyboard.press('Escape')
    await rowOf(page, 'box #?&+.tar').waitFor()

    await rowOf(page, 'box #?&+.tar').dblclick()
    await member(page, 'readme.md').click()
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
    await page.getByRole('navigation', { name: 'Path in the archive' }).getByRole('button').click()
    await member(page, 'page.html').click()
    await page.frameLocator('iframe').getByText('A page').waitFor()
    expect(await page.title()).not.toContain('run')
    await page.getByRole('navigation', { name: 'Path in the archive' }).getByRole('button').click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download readme.md' }).click()
    expect((await download).suggestedFilename()).toBe('readme.md')

    await page.setViewportSize({ width: 390, height: 844 })
    await member(page, 'photos').waitFor()
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), 390)
    expect(await violationsIn(page, 'light')).toEqual([])

    // The ends of shortened names follow their ellipses without a gap.
    await page.keyboard.press('Escape')
    await rowOf(page, 'long names.tar').dblclick()
    const ends = content(page).locator('[data-part="name-start"] + span')
    await eventually(() => ends.count(), 5)
    await eventually(
      () => ends.evaluateAll((all) => all.some((end) => (end as HTMLElement).style.translate !== '')),
      true,
    )
  })

  test('an archive is extracted into a chosen folder without entries that lead outside, entries are packed, and a damaged archive is reported', async () => {
    const page = await openRoot()
    await chooseInMenu(page, 'box #?&+.tar', 'Extract')
    const dialog = page.getByRole('dialog', { name: 'Extract' })
    expect(await dialog.getByLabel('Encoding of names').inputValue()).toBe('')
    await dialog.getByText('target', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Extract' }).click()
    await page
      .getByText('box #?&+.tar was extracted. 1 item was left out', { exact: false })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await rowOf(page, 'readme.md').waitFor()
    const at = path.join(server().folder, 'target/box #?&+')
    expect(readFileSync(path.join(at, 'photos/deep/notes.txt'), 'utf8')).toBe('deep notes')
    expect(readdirSync(path.join(server().folder, 'target'))).toEqual(['box #?&+'])
    expect(existsSync(path.join(server().folder, 'target/out.txt'))).toBe(false)

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
    await rowOf(page, 'docs').dblclick()
    await rowOf(page, 'one.txt').waitFor()
    await page.keyboard.press('Control+a')
    await chooseInMenu(page, 'one.txt', 'Compress')
    const compress = page.getByRole('dialog', { name: 'Compress' })
    expect(await compress.getByRole('textbox').inputValue()).toBe('docs.zip')
    await compress.getByRole('textbox').fill('both')
    await page.keyboard.press('Enter')
    await rowOf(page, 'both.zip').waitFor()
    await eventually(async () => (await focusOf(page)).includes('both.zip'), true)
    await rowOf(page, 'both.zip').dblclick()
    await member(page, 'two.txt').click()
    await page.getByText('two', { exact: true }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: 'Extract', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })

    await page.keyboard.press('Escape')
    await member(page, 'two.txt').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'both.zip').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
    await chooseInMenu(page, 'broken.zip', 'Extract')
    await page.getByRole('dialog', { name: 'Extract' }).getByRole('button', { name: 'Extract' }).click()
    await page
      .getByText('broken.zip was not extracted. The file is damaged', { exact: false })
      .first()
      .waitFor()
    await rowOf(page, 'broken.zip').dblclick()
    await page.getByText('Preview is not available for this file.').waitFor()

    // Names in old encodings are recognized, and can be read in another encoding.
    await page.keyboard.press('Escape')
    await rowOf(page, 'old.zip').dblclick()
    await member(page, '表.txt').waitFor()
    await page.getByText('encrypted', { exact: true }).waitFor()
    const encoding = page.getByLabel('Encoding of names')
    expect(await encoding.locator('option').first().innerText()).toBe('Recognized: Japanese (Shift JIS)')
    await encoding.selectOption('windows-1251')
    await member(page, '•\\.txt').click()
    await page.getByText('old', { exact: true }).waitFor()

    // Only archives offer to be extracted.
    await page.keyboard.press('Escape')
    await member(page, '•\\.txt').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'docs').dblclick()
    await rowOf(page, 'one.txt').dblclick()
    await page.getByText('one', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Extract', exact: true }).count()).toBe(0)
  })

  test('a cancelled extraction leaves nothing behind, and an extraction and a compression go on while another folder is open, and show their progress', async () => {
    const folder = path.join(server().folder, 'work')
    mkdirSync(folder)
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`f${n}.bin`, Buffer.alloc(300_000, n)]),
    )
    writeFileSync(path.join(folder, 'bulk.tar'), tarOf(many))
    // The cancelled extraction must still be running when the page has shown the button.
    const huge = path.join(folder, 'huge.tar')
    writeFileSync(huge, tarMembers({ name: 'zeros.bin', claimedBytes: 4 * 1024 ** 3 }))
    truncateSync(huge, 4 * 1024 ** 3 + 512 + endOfTar.length)
    const page = await window()
    await signIn(page, server(), ann, '/files/work/')
    await chooseInMenu(page, 'huge.tar', 'Extract')
    await page.getByRole('dialog', { name: 'Extract' }).getByRole('button', { name: 'Extract' }).click()
    await page.locator('[data-part="notices"]').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The operation was cancelled.').first().waitFor()
    await eventually(() => existsSync(path.join(folder, 'huge')), false)
    // The list may still show the folder of the cancelled extraction for a moment, and move its rows when it goes.
    await page.reload()
    await rowOf(page, 'bulk.tar').waitFor()

    // The page collects the texts, because notices may disappear between two questions of the test.
    await page.evaluate(() => {
      const seen = new Set<string>()
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        for (const [text] of document.body.innerText.matchAll(/^(?:Extracting|Packing|bulk|packed).*$/gm))
          seen.add(text)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    const progress = (start: string) =>
      page.evaluate(
        (wanted) =>
          [...(globalThis as unknown as { seen: Set<string> }).seen].filter((text) =>
            text.startsWith(wanted),
          ),
        start,
      )
    await chooseInMenu(page, 'bulk.tar', 'Extract')
    await page.getByRole('dialog', { name: 'Extract' }).getByRole('button', { name: 'Extract' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
    await rowOf(page, 'docs').dblclick()
    await rowOf(page, 'one.txt').waitFor()
    await eventually(() => progress('bulk.tar extracted to bulk'), ['bulk.tar extracted to bulk'])
    expect((await progress('Extracting bulk.tar')).length).toBeGreaterThan(1)
    expect(readdirSync(path.join(folder, 'bulk')).length).toBe(300)
    await page.goBack()
    await page.goBack()
    await rowOf(page, /^bulk,/).waitFor()
    await chooseInMenu(page, /^bulk,/, 'Compress')
    await page.getByRole('dialog', { name: 'Compress' }).getByRole('textbox').fill('packed')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My files' }).click()
    await rowOf(page, 'docs').waitFor()
    await eventually(() => progress('packed.zip created'), ['packed.zip created'])
    expect((await progress('Packing packed.zip')).length).toBeGreaterThan(1)
    expect(existsSync(path.join(folder, 'packed.zip'))).toBe(true)
  })
})
