import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot } from './journeys.ts'

const photo = await rotatedJpeg(40, 30)
const photoCount = 25
const names = Array.from({ length: photoCount }, (_, index) => `photo ${String(index).padStart(2, '0')}.jpg`)
const files = {
  Docs: { 'inside.txt': '' },
  Photos: Object.fromEntries(names.map((name) => [name, photo])),
}

type Memory = { readonly heapBytes: number; readonly listeners: number; readonly nodes: number }

/** Returns what the page holds after a garbage collection. Nodes and listeners include those outside of the document. */
async function memoryOf(page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  // Objects that finalisers release need a second collection.
  for (let round = 0; round < 2; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const valueOf = (name: string): number =>
    metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heapBytes: valueOf('JSHeapUsedSize'),
    listeners: valueOf('JSEventListeners'),
    nodes: valueOf('Nodes'),
  }
}

/**
 * Goes into the folder `Docs` and back, so many times, with the history of the page. The loop runs in the page, because
 * clicks of the test would take most of the time.
 */
async function visit(page: Page, times: number): Promise<void> {
  await rowOf(page, /^Docs/).dblclick()
  await rowOf(page, /inside\.txt/).waitFor()
  await page.evaluate(async (rounds) => {
    for (let step = 0; step < 2 * rounds; step += 1) {
      const isBack = step % 2 === 0
      history.go(isBack ? -1 : 1)
      const row = `[role="row"][data-name="${isBack ? 'Photos' : 'inside.txt'}"]`
      while (document.querySelector(row) === null)
        await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, times)
  await page.goBack()
  await rowOf(page, /^Photos/).waitFor()
}

/** Shows all photos in the quick look, one after the other. */
async function lookAtPhotos(page: Page): Promise<void> {
  const panel = page.locator('[data-part="quick-look"]')
  await rowOf(page, /^Photos/).dblclick()
  await rowOf(page, names[0] ?? '').click()
  await page.keyboard.press('Space')
  await panel.waitFor()
  const shown = await page.evaluate(async (count) => {
    const labels: (string | null)[] = []
    for (let index = 0; index < count; index += 1) {
      const last = labels.at(-1)
      let label: string | null | undefined
      do {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        label = document.querySelector('[data-part="quick-look"]:has(img[data-loaded])')?.ariaLabel
      } while (label === undefined || label === last)
      labels.push(label)
      const key = { key: 'ArrowDown', bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
    }
    return labels
  }, names.length)
  expect(shown).toEqual(names.map((name) => `Preview: ${name}`))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.goBack()
  await rowOf(page, /^Docs/).waitFor()
}

atRoot({ files }, ({ server, freshWindow }) => {
  // Journey: memory-1
  test(
    '200 changes of the folder and 50 previews leave no listeners behind, and less than 5 MB of memory',
    { timeout: 240_000 },
    async () => {
      const page = await freshWindow()
      await signIn(page, server(), ann)
      await visit(page, 3)
      await lookAtPhotos(page)
      const before = await memoryOf(page)
      await visit(page, 100)
      await lookAtPhotos(page)
      await lookAtPhotos(page)
      const after = await memoryOf(page)
      expect((after.heapBytes - before.heapBytes) / 1e6).toBeLessThanOrEqual(5)
      // The listeners and nodes of a single preview or folder, if they were kept, would be 50 or 200 times as many.
      expect(after.listeners - before.listeners).toBeLessThan(50)
      expect(after.nodes - before.nodes).toBeLessThan(200)
    },
  )
})
