import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { makePdf } from '../kit/pdf.ts'
import { ann } from '../kit/run-server.ts'
import { makeZip } from '../kit/zip.ts'
import {
  atRoot,
  doOverlap,
  eventually,
  expectFocusInside,
  focusOf,
  violationsInBothThemes,
} from './journeys.ts'

const photo = await rotatedJpeg(200, 150)
const hostile =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.hacked = 1">' +
  '<script>parent.hacked = 1; fetch("https://evil.example/")</script><rect width="40" height="40"/></svg>'

/** A drawing of 262,144 squares: six levels, each of which copies the level below eight times. */
const busy = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><defs><rect id="a0" width="1" height="1"/>${Array.from(
  { length: 6 },
  (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(8)}</g>`,
).join('')}</defs><use href="#a6"/></svg>`

/** A model in the format STL with one triangle. */
const oneTriangle = Buffer.alloc(84 + 50)
oneTriangle.writeUInt32LE(1, 80)
;[0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, at) => oneTriangle.writeFloatLE(value, 96 + at * 4))

type Point = { readonly x: number; readonly y: number }
const fingersAt = (...xs: readonly number[]): Point[] => xs.map((x) => ({ x, y: 420 }))

const nameShown = (page: Page) => page.locator('[data-part="file"] h1').innerText()
const imageOf = (page: Page) => page.locator('[data-part="file"] img[data-loaded]')
const widthOf = async (page: Page) => Math.round((await imageOf(page).boundingBox())?.width ?? 0)

/** Returns the left edge of the tooltip of a button. The tooltip has its place while it is hidden. */
const tooltipLeft = async (page: Page, label: string) =>
  (await page.locator(`button > [data-text="${label}"]`).boundingBox())?.x

atRoot({ files: {}, people: [ann] }, ({ server, window }) => {
  const at = (...names: readonly string[]): string => path.join(server().folder, ...names)
  let visits = 0
  /** Fills a new folder and opens it. */
  const openFolder = async (
    files: Readonly<Record<string, string | Uint8Array>>,
    options: Parameters<typeof window>[0] = {},
  ): Promise<{ readonly page: Page; readonly folder: string }> => {
    const folder = `album ${(visits += 1)}`
    await mkdir(at(folder))
    for (const [name, content] of Object.entries(files)) await writeFile(at(folder, name), content)
    const page = await window(options)
    await signIn(page, server(), ann, `/files/${encodeURIComponent(folder)}/`)
    await rowOf(page, Object.keys(files)[0] ?? '').waitFor()
    return { page, folder }
  }

  // Journey: file-1
  test('the arrows go through the files of a folder in its order, fetch the neighbours ahead, do not rush while they are held, and Escape returns to the row', async () => {
    const numbered = Array.from({ length: 6 }, (_, index) => `${index + 20}.jpg`)
    const images = ['2 b#?&+.jpg', '10 a%2Fb.jpg', ...numbered, '😀.jpg']
    const { page } = await openFolder({
      ...Object.fromEntries(images.map((name) => [name, photo])),
      'notes.txt': '',
    })
    const fetched = new Set<string>()
    page.on('request', (request) => {
      const name = /\/api\/preview\/big\/.*\/([^/]+\.jpg)/.exec(request.url())?.[1]
      if (name !== undefined) fetched.add(decodeURIComponent(name))
    })
    const fetchedNumbers = () => [...fetched].filter((name) => numbered.includes(name)).toSorted()
    await rowOf(page, '22.jpg').dblclick()
    await imageOf(page).waitFor()
    await page.getByText('5 of 9').waitFor()
    await expectFocusInside(page)
    await eventually(fetchedNumbers, ['21.jpg', '22.jpg', '23.jpg'])
    await page.keyboard.press('ArrowRight')
    await eventually(() => nameShown(page), '23.jpg')
    await imageOf(page).waitFor()
    await eventually(fetchedNumbers, ['21.jpg', '22.jpg', '23.jpg', '24.jpg'])

    for (const [key, name] of [
      ['Home', '2 b#?&+.jpg'],
      ['Enter', '10 a%2Fb.jpg'],
      ['End', '😀.jpg'],
      ['ArrowRight', '😀.jpg'],
      ['ArrowLeft', '25.jpg'],
    ] as const) {
      await page.keyboard.press(key)
      await eventually(() => nameShown(page), name)
      await eventually(() => decodeURIComponent(page.url()).endsWith(`/${name}`), true)
      await imageOf(page).waitFor()
    }
    await page.getByRole('button', { name: 'Next file' }).click()
    await eventually(() => nameShown(page), '😀.jpg')
    await page.keyboard.press('Home')
    await eventually(() => nameShown(page), '2 b#?&+.jpg')
    await imageOf(page).waitFor()
    // Three quick presses lead three files further, although the first of them has not been loaded yet.
    await page.evaluate(() => {
      for (let at = 0; at < 3; at += 1)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    })
    await eventually(() => nameShown(page), '21.jpg')
    await page.keyboard.press('Home')
    await eventually(() => nameShown(page), '2 b#?&+.jpg')
    await imageOf(page).waitFor()

    await page.evaluate(() => {
      for (let at = 0; at < 20; at += 1)
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'ArrowRight',
            repeat: at > 0,
            bubbles: true,
            cancelable: true,
          }),
        )
    })
    await eventually(() => nameShown(page), '10 a%2Fb.jpg')
    await imageOf(page).waitFor()
    expect(await nameShown(page)).toBe('10 a%2Fb.jpg')
    // A key that is held for two seconds repeats 67 times and leads to a file every half a second.
    await page.evaluate(() => {
      const startMs = performance.now() + 10_000
      for (let at = 0; at < 67; at += 1) {
        const event = new KeyboardEvent('keydown', {
          key: 'ArrowRight',
          repeat: true,
          bubbles: true,
          cancelable: true,
        })
        Object.defineProperty(event, 'timeStamp', { value: startMs + at * 30 })
        document.body.dispatchEvent(event)
      }
    })
    await eventually(() => nameShown(page), '23.jpg')
    await imageOf(page).waitFor()

    await page.keyboard.press('End')
    await eventually(() => nameShown(page), '😀.jpg')
    await page.reload()
    await page.getByText('9 of 9').waitFor()
    expect(await page.getByRole('button', { name: 'Next file' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await eventually(() => focusOf(page), 'MAIN 😀.jpg')
    await page.keyboard.press('Enter')
    await imageOf(page).waitFor()
    await page.keyboard.press('Home')
    await eventually(() => nameShown(page), '2 b#?&+.jpg')
    await page.keyboard.press('Backspace')
    await eventually(() => focusOf(page), 'MAIN 2 b#?&+.jpg')
  })

  // Journey: file-2
  test('F2 renames the open file and its address, a deletion shows the next file, else the previous one, else the folder, and a refused one says why', async () => {
    const { page, folder } = await openFolder({ 'old.jpg': photo, 'a.jpg': photo, 'b.jpg': photo })
    await rowOf(page, 'old.jpg').dblclick()
    await imageOf(page).waitFor()
    await page.keyboard.press('F2')
    await page.getByRole('dialog').getByRole('textbox').fill('zoo.jpg')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/zoo.jpg')
    await eventually(() => nameShown(page), 'zoo.jpg')
    await page.getByText('3 of 3').waitFor()
    expect(readdirSync(at(folder)).toSorted()).toEqual(['a.jpg', 'b.jpg', 'zoo.jpg'])

    await imageOf(page).waitFor()
    await page.keyboard.press('ArrowLeft')
    // The second and third quick press of Enter do not apply to the file that is shown next.
    const confirmation = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await eventually(() => nameShown(page), 'b.jpg')
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await eventually(() => confirmation.evaluate((button) => button === document.activeElement), true)
    await Promise.all(Array.from({ length: 3 }, () => page.keyboard.press('Enter')))
    await eventually(() => nameShown(page), 'zoo.jpg')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(readdirSync(at(folder)).toSorted()).toEqual(['a.jpg', 'zoo.jpg'])
    await imageOf(page).waitFor()
    await page.keyboard.press('Delete')
    await confirmation.click()
    await eventually(() => nameShown(page), 'a.jpg')
    expect(existsSync(at(folder, 'zoo.jpg'))).toBe(false)
    await page.getByText('1 of 1').waitFor()

    let refusals = 1
    await page.route(/\/api\/resources\/.*a\.jpg/, (route) =>
      route.request().method() === 'DELETE' && refusals-- > 0
        ? route.fulfill({ status: 423, headers: { 'X-Error': 'busy' }, body: '423 Locked\n' })
        : route.continue(),
    )
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page
      .locator('[data-part="notices"]')
      .getByText(/a\.jpg was not deleted/)
      .waitFor()
    expect(await nameShown(page)).toBe('a.jpg')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('It feels lonely here...').waitFor()
    expect(readdirSync(at(folder))).toEqual([])
  })

  // Journey: file-3
  test('an image has no violation that axe reports in both themes, is zoomed by the wheel, keys and double clicks, and is moved and rotated', async () => {
    const { page } = await openFolder({ 'a.jpg': await rotatedJpeg(1600, 1200), 'b.jpg': photo })
    await rowOf(page, 'a.jpg').dblclick()
    await imageOf(page).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    const fitted = await widthOf(page)
    const hasScale = (scale: number) =>
      eventually(async () => Math.abs((await widthOf(page)) - fitted * scale) <= 2, true)
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, -100)
    await hasScale(1.25)
    await page.keyboard.press('0')
    await hasScale(1)
    for (const scale of [2, 4, 1]) {
      await page.mouse.dblclick(700, 400)
      await hasScale(scale)
    }
    for (let times = 0; times < 6; times += 1) await page.keyboard.press('-')
    await hasScale(0.25)
    await page.keyboard.press('0')
    await page.keyboard.press('+')
    const before = await imageOf(page).boundingBox()
    await page.mouse.down()
    await page.mouse.move(700, 440, { steps: 3 })
    await page.mouse.up()
    await eventually(async () => ((await imageOf(page).boundingBox())?.y ?? 0) > (before?.y ?? 0), true)
    await page.getByRole('button', { name: 'Rotate' }).click()
    await eventually(async () => {
      const box = await imageOf(page).boundingBox()
      return box !== null && box.height > box.width !== (before?.height ?? 0) > (before?.width ?? 0)
    }, true)
  })

  // Journey: file-4
  test('the arrows at the sides hide while the mouse rests, and cover nothing of archives, PDF files and models', async () => {
    const picture = makeZip([{ name: '1.jpg', content: photo }])
    const { page } = await openFolder({
      'a.jpg': photo,
      'b.pdf': makePdf({ pages: ['One'] }),
      'c.zip': picture,
      'd.cbz': picture,
      'e.stl': oneTriangle,
      'f.jpg': photo,
    })
    await rowOf(page, 'a.jpg').dblclick()
    const next = page.getByRole('button', { name: 'Next file' })
    const opacity = () => next.evaluate((button) => getComputedStyle(button).opacity)
    await next.waitFor()
    await page.mouse.move(600, 500)
    await eventually(opacity, '1')
    await eventually(opacity, '0')
    // Measures in the page how long the arrows stay after a movement, because the test itself may be slow.
    const shownMs = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          document.addEventListener(
            'pointermove',
            () => {
              const startMs = performance.now()
              const arrows = document.querySelector('[aria-label="Next file"]')?.parentElement
              if (arrows === null || arrows === undefined) return resolve(0)
              new MutationObserver(() => {
                if (arrows.hasAttribute('data-idle')) resolve(performance.now() - startMs)
              }).observe(arrows, { attributes: true })
            },
            { once: true },
          )
        }),
    )
    await page.mouse.move(620, 500)
    await eventually(opacity, '1')
    const restedMs = await shownMs
    expect(restedMs).toBeGreaterThan(1400)
    await eventually(opacity, '0')
    await next.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await eventually(opacity, '1')

    const wide = { width: 1280, height: 800 }
    const phone = { width: 390, height: 800 }
    for (const [name, viewports] of [
      ['b.pdf', [phone]],
      ['c.zip', [phone, wide]],
      ['d.cbz', []],
      ['e.stl', [phone]],
    ] as const) {
      await next.click()
      await eventually(() => nameShown(page), name)
      // A comic covers the screen, and its arrows fade with its other controls.
      const content = page.locator('[data-part="file"] [data-fills-width]').first()
      if (viewports.length > 0) await content.waitFor()
      for (const viewport of viewports) {
        await page.setViewportSize(viewport)
        for (const arrow of ['Previous file', 'Next file']) {
          const button = page.getByRole('button', { name: arrow, exact: true })
          await button.waitFor()
          await eventually(
            async () => [viewport, name, arrow, await doOverlap(button, content)],
            [viewport, name, arrow, false],
          )
        }
      }
    }
  })

  // Journey: file-5
  test('on a phone two fingers zoom an image at their place, a double tap goes through the scales, and swipes lead to the next file and close it', async () => {
    const { page } = await openFolder(
      { 'a.jpg': await rotatedJpeg(1600, 1200), 'b.jpg': photo },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    )
    const cdp = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly Point[]) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map((point, id) => ({ ...point, id })),
      })
    const swipe = async (x: number, y: number) => {
      await touch('touchStart', { x: 200, y: 400 })
      await touch('touchMove', { x: 200 + x, y: 400 + y })
      await touch('touchEnd')
    }
    await rowOf(page, 'a.jpg').tap()
    await imageOf(page).waitFor()
    const facts = page.getByText('1 of 2')
    await facts.waitFor()
    // The line of facts does not wrap.
    expect((await facts.boundingBox())?.height).toBeLessThan(24)

    const fitted = await widthOf(page)
    const hasScale = (scale: number) =>
      eventually(async () => Math.abs((await widthOf(page)) - fitted * scale) <= 2, true)
    await touch('touchStart', ...fingersAt(150, 250))
    await touch('touchMove', ...fingersAt(100, 300))
    await hasScale(2)
    await touch('touchMove', ...fingersAt(145, 245))
    await touch('touchEnd')
    await hasScale(1)
    expect(await nameShown(page)).toBe('a.jpg')
    for (const [scale, x, y] of [
      [2, 200, 420],
      [4, 120, 360],
      [1, 260, 460],
    ] as const) {
      // Taps at the place of the last ones would count as the third and fourth of a row.
      await page.touchscreen.tap(x, y)
      await page.touchscreen.tap(x, y)
      await hasScale(scale)
    }

    await swipe(-150, 5)
    await eventually(() => nameShown(page), 'b.jpg')
    await imageOf(page).waitFor()
    await swipe(0, 150)
    await rowOf(page, 'b.jpg').waitFor()
  })

  // Journey: file-6
  test('an image shows that it is loading, a damaged one says so, a hostile drawing does not act, and a file without a viewer offers its download', async () => {
    const { page } = await openFolder({
      'a.jpg': photo,
      'b.jpg': 'no picture',
      'c.heic': 'no picture',
      'c.pub.epub': 'PK\u0003\u0004 and no directory',
      'd.svg': hostile,
      'e.xyz': new Uint8Array([0, 1, 2, 255]),
    })
    const loadingEnd = Promise.withResolvers<void>()
    for (const route of ['**/api/raw/**', '**/api/preview/big/**'])
      await page.route(route, async (request) => {
        await loadingEnd.promise
        await request.continue()
      })
    await rowOf(page, 'a.jpg').dblclick()
    const loading = page.locator('[data-part="file"]').getByText('Loading', { exact: false })
    await loading.waitFor()
    expect(await page.getByRole('toolbar', { name: 'Zoom' }).getByText('%').count()).toBe(0)
    loadingEnd.resolve()
    await imageOf(page).waitFor()
    expect(await loading.count()).toBe(0)

    const noPreview = page.getByText('Preview is not available for this file.')
    const damaged = page.getByText('The file seems to be damaged.')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'b.jpg' }).waitFor()
    await noPreview.waitFor()
    await damaged.waitFor()
    // Browsers do not know this format, so the file may be valid.
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'c.heic' }).waitFor()
    await noPreview.waitFor()
    expect(await damaged.count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'c.pub.epub' }).waitFor()
    await damaged.waitFor()

    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'd.svg' }).waitFor()
    await imageOf(page).waitFor()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)

    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'e.xyz' }).waitFor()
    await noPreview.waitFor()
    await page.getByText(/^File · 4\sB · /).waitFor()
    const download = page.waitForEvent('download')
    await page.locator('[data-part="file"]').getByRole('button', { name: 'Download' }).last().click()
    expect((await download).suggestedFilename()).toBe('e.xyz')
  })

  // Journey: file-7
  test('a picture covers the window below one bar that fades, F fills the screen, and the film strip leads to other pictures until it is switched off', async () => {
    const { page } = await openFolder({
      'a.jpg': await rotatedJpeg(1600, 1200),
      'b.jpg': photo,
      'c.jpg': photo,
      'd.txt': 'text',
    })
    await rowOf(page, 'a.jpg').dblclick()
    await imageOf(page).waitFor()
    const file = page.locator('[data-part="file"]')
    expect(await file.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() })
    // The picture has the whole height of the window.
    expect((await imageOf(page).boundingBox())?.height).toBeGreaterThan(799)
    expect(await page.getByRole('banner').count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    const isDark = () => file.evaluate((element) => getComputedStyle(element).colorScheme === 'dark')
    expect(await isDark()).toBe(true)

    const bar = file.locator('header')
    const opacity = () => bar.evaluate((element) => getComputedStyle(element).opacity)
    await page.mouse.move(600, 400)
    await eventually(opacity, '0')
    await page.mouse.move(620, 400)
    await eventually(opacity, '1')
    await eventually(opacity, '0')
    await page.getByRole('button', { name: 'Close the file' }).focus()
    await page.keyboard.press('Tab')
    await eventually(opacity, '1')

    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    await page.keyboard.press('f')
    await eventually(isFull, true)
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
    await page.keyboard.press('Escape')
    await eventually(isFull, false)
    expect(await nameShown(page)).toBe('a.jpg')

    expect(await tooltipLeft(page, 'Previous file')).toBeGreaterThanOrEqual(0)
    const strip = page.getByRole('navigation', { name: 'Film strip' })
    expect(
      await strip.getByRole('button').evaluateAll((items) => items.map(({ ariaLabel }) => ariaLabel)),
    ).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
    await strip.getByRole('button', { name: 'c.jpg' }).click()
    await eventually(() => nameShown(page), 'c.jpg')
    await page.keyboard.press('ArrowLeft')
    await eventually(() => nameShown(page), 'b.jpg')
    await eventually(() => strip.getByRole('button', { name: 'b.jpg' }).getAttribute('aria-current'), 'true')

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Film strip' }).click()
    await strip.waitFor({ state: 'detached' })
    await page.reload()
    await imageOf(page).waitFor()
    expect(await strip.count()).toBe(0)
    await page.keyboard.press('Escape')
    await rowOf(page, 'd.txt').waitFor()
    await page.getByRole('banner').waitFor()
  })

  // Journey: file-8
  test('on a phone nothing but the picture is shown until a tap', async () => {
    const { page } = await openFolder(
      { 'a.jpg': await rotatedJpeg(1600, 1200), 'b.jpg': photo },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    )
    await rowOf(page, 'a.jpg').tap()
    await imageOf(page).waitFor()
    const visible = () =>
      page
        .locator('[data-fading^="float"]')
        .evaluateAll((parts) =>
          parts.filter((part) => getComputedStyle(part).opacity !== '0').map((part) => part.tagName),
        )
    await eventually(visible, [])
    await page.touchscreen.tap(195, 422)
    await eventually(async () => (await visible()).length > 2, true)
    await page.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor({ state: 'detached' })
    await page.touchscreen.tap(195, 422)
    await eventually(visible, [])
  })

  // Journey: file-9
  test('a document has one bar above its first line, which shows its name once', async () => {
    const { page } = await openFolder({ 'notes.txt': 'first line', 'b.jpg': photo })
    await rowOf(page, 'notes.txt').dblclick()
    const text = page.getByText('first line')
    const close = await page.getByRole('button', { name: 'Close the file' }).boundingBox()
    expect(await tooltipLeft(page, 'Close the file')).toBe(close?.x)
    for (const [viewport, maxPx] of [
      [{ width: 1280, height: 800 }, 70],
      [{ width: 390, height: 844 }, 80],
    ] as const) {
      await page.setViewportSize(viewport)
      await eventually(async () => ((await text.boundingBox())?.y ?? Infinity) < maxPx, true)
      expect(await page.getByText('notes.txt', { exact: true }).filter({ visible: true }).count()).toBe(1)
      expect(await violationsInBothThemes(page)).toEqual([])
    }
  })

  test('a drawing is given to the browser only after its size has been checked: not ahead, not compressed, and not in a document', async () => {
    const { page } = await openFolder({
      'a.jpg': photo,
      'b.svg': busy,
      'c.svgz': gzipSync(busy),
      'd.svgz': gzipSync(
        Buffer.concat([
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'),
          Buffer.alloc(21 * 1024 * 1024, ' '),
        ]),
      ),
      'e.svgz': gzipSync(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>',
      ),
      'f.md': '![first](b.svg) ![second](c.svgz)\n\nThe end\n',
    })
    const unchecked = new Set<string>()
    page.on('request', (request) => {
      const name = /\/([^/]+\.svgz?)\?/.exec(request.url())?.[1]
      if (name !== undefined && request.resourceType() === 'image') unchecked.add(name)
    })
    await rowOf(page, 'a.jpg').dblclick()
    await imageOf(page).waitFor()
    for (const name of ['b.svg', 'c.svgz', 'd.svgz']) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name }).waitFor()
      await page.getByText('This drawing is too complex to be shown here.').waitFor()
    }
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'e.svgz' }).waitFor()
    await imageOf(page).waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'f.md').click()
    await page.keyboard.press('Space')
    await page.locator('[data-part="quick-look"]').getByText('The end').waitFor()
    await page.locator('[data-part="quick-look"]').getByRole('img').nth(1).waitFor({ state: 'attached' })
    expect([...unchecked]).toEqual([])
  })
})
