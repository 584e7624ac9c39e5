import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { turnedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { everywhere } from './world.ts'

const files = {
  'photo.jpg': await turnedJpeg(800, 600),
  'empty.png': '',
  'raw.nef': 'raw',
  'notes.txt': 'text',
}

everywhere({ files }, ({ server, window }) => {
  test('an image looks like itself, in the list and as a card; what cannot be made smaller keeps its glyph', async () => {
    const page = await window()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.includes('/api/preview/')) asked.push(pathname)
    })
    await signIn(page, server(), ann)
    const image = rowOf(page, /photo\.jpg/).locator('img[data-state=there]')
    await image.waitFor()
    expect(await image.evaluate((it: HTMLImageElement) => [it.naturalWidth, it.naturalHeight])).toEqual([
      256, 256,
    ])
    await page.getByRole('button', { name: 'Switch view' }).click()
    await image.waitFor()
    expect((await image.boundingBox())?.width).toBe(48)
    expect(await page.locator('[role=row] img').count()).toBe(1)
    expect(new Set(asked)).toEqual(
      new Set([`${new URL(server().url).pathname.replace(/\/$/, '')}/api/preview/thumb/photo.jpg`]),
    )
  })
})
