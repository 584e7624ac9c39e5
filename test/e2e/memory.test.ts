import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

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

/** Goes into a folder and back, so many times. */
async function visit(page: Page, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await rowOf(page, /^Docs/).dblclick()
    await rowOf(page, /inside\.txt/).waitFor()
    await page.goBack()
    await rowOf(page, /^Photos/).waitFor()
  }
}

/** Shows all photos in the quick look, one after the other. */
async function lookAtPhotos(page: Page): Promise<void> {
  const panel = page.locator('[data-part="quick-look"]')
  await rowOf(page, /^Photos/).dblclick()
  await rowOf(page, names[0] ?? '').click()
  await page.keyboard.press('Space')
  for (const name of names) {
    await eventually(() => panel.getAttribute('aria-label'), `Quick look: ${name}`)
    await panel.locator('img[data-loaded]').waitFor()
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.goBack()
  await rowOf(page, /^Docs/).waitFor()
}

atRoot({ files }, ({ server, freshWindow }) => {
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
