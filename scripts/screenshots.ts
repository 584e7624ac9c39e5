import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newWindow, openBrowser, rowOf, signIn } from '../test/kit/browser.ts'
import { ada, runServer } from '../test/kit/run-server.ts'
import { makeSampleTree } from './samples/sample-tree.ts'

/**
 * `npm run screenshots` takes the pictures for the README. They show the built product with sample data, in the light
 * and the dark theme, and in a wide and a narrow window.
 */
const root = path.resolve(import.meta.dirname, '..')
const pictures = path.join(root, 'docs/images')
const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }

const files = await mkdtemp(path.join(tmpdir(), 'stowage-pictures-'))
await makeSampleTree(files, Date.now())
await mkdir(pictures, { recursive: true })
const server = await runServer({
  folder: files,
  people: [ada],
  program: [process.execPath, path.join(root, 'dist/server/main.js')],
})
const browser = await openBrowser()

try {
  for (const scheme of ['light', 'dark'] as const) {
    for (const [shape, viewport] of [
      ['wide', wide],
      ['narrow', narrow],
    ] as const) {
      const page = await newWindow(browser, { viewport, colorScheme: scheme, hasTouch: shape === 'narrow' })
      const shoot = (name: string) =>
        page.screenshot({ path: path.join(pictures, `${name}-${shape}-${scheme}.png`) })
      // The client follows the colour scheme of the system only when the theme `system` is chosen.
      await page.addInitScript(`localStorage.setItem('theme', 'system')`)
      await page.addInitScript(`localStorage.setItem('first-hints', 'closed')`)
      await page.goto(`${server.url}/login`)
      await page.getByLabel('Username').waitFor()
      await shoot('login')
      await signIn(page, server, ada)
      await rowOf(page, /report\.txt/).waitFor()
      await shoot('listing')
      await page.goto(`${server.url}/files/Photos/`)
      await rowOf(page, /Picture 48\.png/)
        .or(rowOf(page, /Picture 1\.png/))
        .first()
        .waitFor()
      await shoot('photos')
      await page.context().close()
    }
  }
} finally {
  await browser.close()
  await server.remove()
  await rm(files, { recursive: true })
}
console.log(`Pictures are in ${path.relative(root, pictures)}`)
