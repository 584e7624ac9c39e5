import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann, bea } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, violationsIn } from './journeys.ts'

const photo = await rotatedJpeg(400, 300)
const files = {
  'a folder': { one: { 'deep.txt': '' }, 'two.txt': '', 'three.txt': '' },
  '1 photo.jpg': photo,
  '2 a%2Fb #?&+.jpg': photo,
  '3 data.bin': '\0\u0001',
}

const panelOf = (page: Page) => page.locator('[data-part="quick-look"]')
const nameIn = async (page: Page) =>
  ((await panelOf(page).getAttribute('aria-label')) ?? '').replace('Preview: ', '')

atRoot({ files, people: [ann, bea] }, ({ server, window }) => {
  // Journey: quick-look-1
  test('Space shows the focused file above the list, the arrows show others or the selected ones, a folder shows how much it contains, and a file needs the download permission', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, '1 photo.jpg').click()
    await page.keyboard.press('Space')
    await panelOf(page).locator('img[data-loaded]').waitFor()
    expect(await nameIn(page)).toBe('1 photo.jpg')
    expect(await focusOf(page)).toContain('1 photo.jpg')
    await page.keyboard.press('ArrowDown')
    await eventually(() => nameIn(page), '2 a%2Fb #?&+.jpg')
    await panelOf(page).locator('img[data-loaded]').waitFor()
    await page.keyboard.press('ArrowRight')
    await panelOf(page).getByText('Preview is not available for this file.').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await panelOf(page).waitFor({ state: 'detached' })
    expect(await focusOf(page)).toContain('2 a%2Fb')

    // Enter opens the entry, and Back leads to the list without the quick look.
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await panelOf(page).getByText('1 folder, 2 files').waitFor()
    const recent = panelOf(page).getByRole('listitem')
    await eventually(() => recent.count(), 3)
    await recent.filter({ hasText: 'three.txt' }).waitFor()
    await panelOf(page).getByText('0 B', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await rowOf(page, 'two.txt').waitFor()
    expect(await panelOf(page).count()).toBe(0)
    await page.goBack()
    await rowOf(page, '1 photo.jpg').waitFor()
    expect(await panelOf(page).count()).toBe(0)

    // With several selected entries the arrows go through these, and the selection stays.
    const selected = page.locator('[aria-selected="true"][data-index]')
    await rowOf(page, '1 photo.jpg').click()
    await eventually(() => selected.count(), 1)
    await rowOf(page, '3 data.bin').click({ modifiers: ['ControlOrMeta'] })
    await eventually(() => selected.count(), 2)
    await page.keyboard.press('Space')
    await eventually(() => nameIn(page), '3 data.bin')
    await page.keyboard.press('ArrowUp')
    await eventually(() => nameIn(page), '1 photo.jpg')
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
    expect(await selected.count()).toBe(2)

    // The next entry is shown after a deletion.
    await page.keyboard.press('Escape')
    await eventually(() => selected.count(), 0)
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await eventually(() => nameIn(page), '3 data.bin')
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await eventually(() => nameIn(page), '2 a%2Fb #?&+.jpg')

    await signIn(page, server(), bea)
    await rowOf(page, '1 photo.jpg').click()
    await page.keyboard.press('Space')
    await panelOf(page)
      .getByText('This file is not shown, because you do not have the permission to download files.')
      .waitFor()
    expect(await panelOf(page).getByRole('button', { name: 'Download' }).count()).toBe(0)
  })

  test('at 390 pixels it covers the window, and axe reports no violation', async () => {
    const page = await window({ viewport: { width: 390, height: 844 } })
    await signIn(page, server(), ann)
    await rowOf(page, '1 photo.jpg').click()
    await page.keyboard.press('Space')
    await panelOf(page).locator('img[data-loaded]').waitFor()
    expect((await panelOf(page).boundingBox())?.width).toBe(390)
    expect(await violationsIn(page, 'light')).toEqual([])
    await panelOf(page).getByRole('button', { name: 'Close the preview' }).click()
    expect(await focusOf(page)).toContain('1 photo.jpg')
  })
})
