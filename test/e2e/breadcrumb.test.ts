import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { defaultViewport, rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { eventually, atRoot } from './journeys.ts'

const files = {
  Docs: { 'inside.txt': '1', Letters: {}, 'Notes #1': { 'a%2Fb': { 'odd.txt': '' } } },
  Photos: { 2023: {}, 2024: {} },
  a: { b: { c: { d: { e: { 'bottom.txt': 'x' } }, 'd 2': {} } } },
}

const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' })
const field = (page: Page) => crumbs(page).getByRole('combobox', { name: 'Path' })

/** Returns the names in the breadcrumb from the root down. */
const levelsShown = async (page: Page): Promise<string[]> => {
  const texts = await crumbs(page).getByRole('listitem').allInnerTexts()
  return texts.map((text) => text.replaceAll('\n', '').trim())
}

const menuItems = (page: Page) => page.getByRole('menuitem').allInnerTexts()

const closeMenu = async (page: Page) => {
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('menu').count(), 0)
}

atRoot({ files, people: [ann] }, ({ server, window, testAtRoot }) => {
  const openAt = async (address: string) => {
    const page = await window()
    await signIn(page, server(), ann, address)
    await crumbs(page).waitFor()
    return page
  }
  const addressOf = (page: Page) => decodeURI(page.url()).slice(server().url.length)

  // Journey: breadcrumb-1
  test('the breadcrumb shows the house, three levels, on a phone two, and the others in a menu behind dots', async () => {
    const page = await openAt('/files/a/b/c/d/e/')
    await rowOf(page, /bottom/).waitFor()
    expect(await levelsShown(page)).toEqual(['', '…', 'c', 'd', 'e'])
    await page.setViewportSize({ width: 320, height: 640 })
    await eventually(() => levelsShown(page), ['', '…', 'd', 'e'])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await crumbs(page).getByRole('button', { name: 'More folders' }).click()
    await eventually(() => menuItems(page), ['a', 'b', 'c'])
    await closeMenu(page)

    await page.setViewportSize(defaultViewport)
    await eventually(() => levelsShown(page), ['', '…', 'c', 'd', 'e'])
    await crumbs(page).getByRole('button', { name: 'More folders' }).click()
    await eventually(() => menuItems(page), ['a', 'b'])
    await page.getByRole('menuitem', { name: 'b' }).click()
    await eventually(() => addressOf(page), '/files/a/b/')
    await eventually(() => levelsShown(page), ['', 'a', 'b'])
    await crumbs(page).getByRole('link', { name: 'My files' }).click()
    await eventually(() => addressOf(page), '/files/')
    await eventually(() => levelsShown(page), ['My files'])
  })

  testAtRoot(
    'the sign between two levels lists the folders beside, and the path is copied, and edited in a field that completes names, opens files and says what is wrong',
    async () => {
      const page = await openAt('/files/Photos/2023/')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await crumbs(page).getByRole('button', { name: 'Folders beside 2023' }).click()
      await page.getByRole('menuitem', { name: '2024' }).click()
      await eventually(() => addressOf(page), '/files/Photos/2024/')
      await crumbs(page).getByRole('button', { name: 'Folders beside Photos' }).click()
      await page.getByRole('menuitem', { name: 'Docs' }).waitFor()
      await eventually(() => menuItems(page), ['a', 'Docs', 'Photos'])
      await closeMenu(page)

      const edit = crumbs(page).getByRole('button', { name: 'Edit the path' })
      await crumbs(page).getByRole('button', { name: 'Path', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Edit the path' }).click()
      await eventually(() => field(page).inputValue(), '/Photos/2024/')
      await field(page).fill('/do')
      await crumbs(page).getByRole('option', { name: 'Docs' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await eventually(() => field(page).inputValue(), '/Docs/')
      await crumbs(page).getByRole('option', { name: 'Notes #1' }).click()
      await eventually(() => field(page).inputValue(), '/Docs/Notes #1/')
      await field(page).pressSequentially('a%2Fb')
      await page.keyboard.press('Enter')
      await rowOf(page, /odd/).waitFor()
      expect(page.url()).toBe(`${server().url}/files/Docs/Notes%20%231/a%252Fb/`)
      await crumbs(page).getByRole('button', { name: 'Path', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Copy path' }).click()
      await eventually(() => page.evaluate(() => navigator.clipboard.readText()), '/Docs/Notes #1/a%2Fb')

      await edit.click()
      for (const [text, sentence] of [
        ['/Docs/none', 'There is no file or folder with this path.'],
        ['/../etc', 'This is not a valid path.'],
      ] as const) {
        await field(page).fill(text)
        await page.keyboard.press('Enter')
        await crumbs(page).getByRole('alert').getByText(sentence).waitFor()
        expect(await field(page).inputValue()).toBe(text)
      }
      await page.keyboard.press('Escape')
      await eventually(() => edit.evaluate((button) => button === document.activeElement), true)
      expect(page.url()).toBe(`${server().url}/files/Docs/Notes%20%231/a%252Fb/`)
      await page.keyboard.press('Enter')
      await field(page).fill('/Docs/inside.txt')
      await page.keyboard.press('Enter')
      await eventually(() => addressOf(page), '/files/Docs/inside.txt')
    },
  )
})
