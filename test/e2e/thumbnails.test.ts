import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, chooseInView, eventually } from './journeys.ts'

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

  test('a thumbnail that a busy server has refused is requested a second time, and not again and again', async () => {
    const page = await window()
    let refused = 0
    await page.route('**/api/preview/thumb/photo.jpg*', (route) => {
      refused += 1
      return refused === 1 ? route.fulfill({ status: 503 }) : route.continue()
    })
    await signIn(page, server(), ann)
    await rowOf(page, /photo\.jpg/)
      .locator('img[data-state=there]')
      .waitFor()
    expect(refused).toBe(2)

    await page.unrouteAll()
    refused = 0
    await page.route('**/api/preview/tile/photo.jpg*', (route) => {
      refused += 1
      return route.fulfill({ status: 503 })
    })
    await chooseInView(page, 'Gallery')
    await eventually(() => refused, 2)
    await rowOf(page, /photo\.jpg/)
      .locator('img')
      .waitFor({ state: 'detached' })
    await chooseInView(page, 'Mosaic')
    await rowOf(page, /photo\.jpg/)
      .locator('img[data-state=there]')
      .waitFor()
    expect(refused).toBe(2)
  })
})
