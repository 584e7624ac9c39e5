import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { readTestFont, woffOf } from '../kit/fonts.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, doOverlap, eventually, violationsIn } from './journeys.ts'

const font = readTestFont()
const files = {
  '1 plain.ttf': font,
  // The name would break out of a style sheet that contained it.
  '2 a"; } * { display: none } b.WOFF': woffOf(font),
  '3 cut.otf': font.subarray(0, 2000),
  '4 text.woff2': 'not a font',
}

const specimen = (page: Page) => page.locator('[data-part="font"]')
const noPreview = (page: Page) => page.getByText('Preview is not available for this file.')
/** Returns the number of fonts that the page can use beside those of the system. */
const fontCount = (page: Page) => page.evaluate(() => document.fonts.size)

atRoot({ files }, ({ server, window }) => {
  const openList = async (options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    await signIn(page, server(), ann)
    return page
  }

  test('a font is shown with a sample in several sizes and its characters at both widths and in the quick look, and leaves the page when it is closed', async () => {
    const page = await openList()
    await rowOf(page, '1 plain.ttf').click()
    await page.keyboard.press('Space')
    await specimen(page).getByText('0123456789', { exact: true }).waitFor()
    expect(await specimen(page).getByLabel('Sample text').count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await specimen(page).getByText('2 a"; } * { display: none } b').waitFor()
    await page.keyboard.press('Escape')
    await specimen(page).waitFor({ state: 'detached' })

    await rowOf(page, '1 plain.ttf').dblclick()
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await specimen(page).getByText('abcdefghijklmnopqrstuvwxyz', { exact: true }).waitFor()
      const family = await specimen(page)
        .getByText('abcdefghijklmnopqrstuvwxyz', { exact: true })
        .evaluate((line) => getComputedStyle(line).fontFamily)
      expect(await page.evaluate((name) => document.fonts.check(`16px ${name}`), family)).toBe(true)
      await specimen(page)
        .getByRole('list', { name: '400 characters of the font' })
        .getByText('é', { exact: true })
        .waitFor()
      await specimen(page).getByLabel('Sample text').fill('Žluťoučký kůň')
      expect(await specimen(page).getByText('Žluťoučký kůň').count()).toBe(8)
      expect(await specimen(page).evaluate(({ scrollWidth }) => scrollWidth <= innerWidth)).toBe(true)
      const field = specimen(page).getByLabel('Sample text')
      for (const name of ['Previous file', 'Next file'])
        await eventually(() => doOverlap(page.getByRole('button', { name, exact: true }), field), false)
      expect(await violationsIn(page, 'light')).toEqual([])
    }

    // The name of a font does nothing, and broken fonts can be downloaded.
    await page.locator('#content').focus()
    await eventually(() => fontCount(page), 1)
    await page.keyboard.press('ArrowRight')
    await specimen(page).getByText('2 a"; } * { display: none } b').waitFor()
    await eventually(() => fontCount(page), 1)
    await page.keyboard.press('ArrowRight')
    await noPreview(page).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: '4 text.woff2' }).waitFor()
    await noPreview(page).waitFor()
    expect(await fontCount(page)).toBe(0)
  })
})
