import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, chooseInView } from './journeys.ts'

const files = {
  'photo.jpg': await rotatedJpeg(800, 600),
  'empty.png': '',
  'raw.orf': 'raw',
  'notes.txt': 'text',
}

atRoot({ files }, ({ server, window }) => {
  test('an image has a thumbnail in the list and on its card, and an image that cannot be converted keeps its icon', async () => {
    const page = await window()
    const requestedPaths: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.includes('/api/preview/')) requestedPaths.push(pathname)
    })
    await signIn(page, server(), ann)
    const image = rowOf(page, /photo\.jpg/).locator('img[data-state=there]')
    await image.waitFor()
    expect(
      await image.evaluate((element: HTMLImageElement) => [element.naturalWidth, element.naturalHeight]),
    ).toEqual([256, 256])
    await chooseInView(page, 'Mosaic')
    await image.waitFor()
    expect((await image.boundingBox())?.width).toBeGreaterThan(200)
    expect(await page.locator('[role=row] img').count()).toBe(1)
    expect(new Set(requestedPaths)).toEqual(
      new Set([`${new URL(server().url).pathname.replace(/\/$/, '')}/api/preview/thumb/photo.jpg`]),
    )
  })
})
