import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { modelFiles } from '../components/model-files.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const drawing = (page: Page) => page.locator('[data-part="model"] canvas')

atRoot({ files: modelFiles, people: [ann] }, ({ server, window }) => {
  test('a model is drawn, turned and zoomed by buttons and keys, fits on phones, and its text is edited on request', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    await rowOf(page, '1 part.stl').dblclick()
    await drawing(page).waitFor()
    expect(await drawing(page).textContent()).toBe('Model 1 part.stl, 1 triangle')
    const seen = await drawing(page).screenshot()
    await page.getByRole('button', { name: 'Turn' }).click()
    await eventually(async () => (await drawing(page).screenshot()).equals(seen), false)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Fit to the window' }).click()

    await page.setViewportSize({ width: 390, height: 844 })
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth), 390)
    expect(await violationsIn(page, 'light')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.keyboard.press('Escape')

    const source = page.locator('[data-part="editor"]').getByRole('textbox')
    for (const [name, triangles] of [
      ['2 part.obj', 2],
      ['3 inside.gltf', 1],
      ['4 beside #?.gltf', 1],
    ] as const) {
      await rowOf(page, name).dblclick()
      await drawing(page).waitFor()
      await eventually(
        () => drawing(page).textContent(),
        `Model ${name}, ${triangles} ${triangles < 2 ? 'triangle' : 'triangles'}`,
      )
      expect(await source.count()).toBe(0)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await source.waitFor()
      expect(await drawing(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await drawing(page).waitFor()
      await page.getByRole('button', { name: 'Close the file' }).click()
    }
  })
})
