import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const eve = { name: 'eve', password: 'eve has a long password', flags: ['--locale', 'ar'] }
const files = { Photos: { Summer: { 'one.txt': '' } }, 'report (final).txt': 'quarterly', 'تقرير.txt': 'نص' }

atRoot({ files, people: [eve] }, ({ server, window }) => {
  test('in Arabic the sidebar is on the right, the arrow keys follow the direction, and nothing scrolls to the side', async () => {
    const page = await window()
    await signIn(page, server(), eve)
    const photos = rowOf(page, /Photos/)
    await photos.waitFor()
    await eventually(() => page.evaluate(() => document.documentElement.dir), 'rtl')
    const leftOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x ?? NaN
    expect(await leftOf('#sidebar')).toBeGreaterThan(await leftOf('[role="grid"]'))
    expect(await violationsIn(page, 'light')).toEqual([])

    await photos.focus()
    await page.keyboard.press('ArrowLeft')
    await rowOf(page, /Summer/).waitFor()
    await page.keyboard.press('ArrowRight')
    await photos.waitFor()

    const branch = (name: string) => page.getByRole('tree').getByRole('treeitem', { name })
    await branch('Photos').focus()
    await page.keyboard.press('ArrowLeft')
    await branch('Summer').waitFor()
    await page.keyboard.press('ArrowRight')
    await branch('Summer').waitFor({ state: 'detached' })

    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await eventually(overflow, 0)
    }
  })
})
