import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, chooseInView, eventually } from './journeys.ts'

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()

/** The proportions of the pictures in the order of their names. The last three are narrower or wider than a tile can be. */
const sides: readonly (readonly [width: number, height: number])[] = [
  [300, 200],
  [200, 300],
  [160, 90],
  [100, 100],
  [90, 160],
  [400, 100],
  [30, 100],
  [500, 100],
]
const nameOf = (at: number): string => `${at + 100}.jpg`
const wide = await picture(200, 100)
const files = {
  Mixed: {
    Below: {},
    ...Object.fromEntries(
      await Promise.all(
        Array.from({ length: 48 }, async (_, at) => {
          const [width, height] = sides[at % sides.length] ?? [1, 1]
          return [nameOf(at), await picture(width, height)] as const
        }),
      ),
    ),
    'notes.txt': 'notes',
  },
  Wide: Object.fromEntries(
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => [nameOf(at), await picture(500, 100)] as const),
    ),
  ),
  Slow: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [nameOf(at), wide])),
}
const eve = { name: 'eve', password: 'eve has a long password', flags: ['--locale', 'ar'] }

type Box = {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns the places of the tiles of files in the document, relative to the window. */
const tilesOf = (page: Page): Promise<readonly Box[]> =>
  page.locator('#listing [role="row"]:not([data-folder-name])').evaluateAll((rows) =>
    rows.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect()
      return { name: row.getAttribute('data-name') ?? '', x, y, width, height }
    }),
  )
const boxOf = async (page: Page, name: string): Promise<Box> => {
  const box = (await tilesOf(page)).find((tile) => tile.name === name)
  if (box === undefined) throw new Error(`${name} is not in the document`)
  return box
}
const proportionOf = async (page: Page, name: string): Promise<number> => {
  const { width, height } = await boxOf(page, name)
  return Math.round((width / height) * 100) / 100
}
const middleOf = ({ x, width }: Box): number => x + width / 2
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[role="row"]')?.getAttribute('data-name'))

/** Returns the names of the tiles of which at least a half is in view. */
const namesInView = async (page: Page): Promise<readonly string[]> => {
  const view = await page.locator('#listing').boundingBox()
  const [top, bottom] = [view?.y ?? 0, (view?.y ?? 0) + (view?.height ?? 0)]
  return (await tilesOf(page))
    .filter(({ y, height }) => y + height / 2 > top && y + height / 2 < bottom)
    .map(({ name }) => name)
}

atRoot({ files, people: [ann, eve] }, ({ server, freshWindow }) => {
  const openGallery = async (page: Page, folder: string, person = ann): Promise<void> => {
    await server().cli('users', 'update', person.name, '--viewMode', 'mosaic gallery')
    await signIn(page, server(), person, `/files/${folder}/`)
    await page.locator('[data-name="100.jpg"]').waitFor()
  }

  /** Opens a gallery for the second time. The first time, a busy machine may tell the proportions late. */
  const openKnownGallery = async (page: Page, folder: string, person = ann): Promise<void> => {
    await openGallery(page, folder, person)
    // The browser lists responses that have come completely.
    const hasArrived = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/taken/')),
      )
    await eventually(hasArrived, true)
    await page.keyboard.press('Backspace')
    await page.locator(`[data-name="${folder}"]`).dblclick()
    await page.locator('[data-name="100.jpg"]').waitFor()
  }

  // Journey: tile-rows-1
  test('the tiles of a gallery have the proportions of their pictures, fill the width in rows, and do not move when thumbnails arrive', async () => {
    const page = await freshWindow()
    const thumbnails = Promise.withResolvers<void>()
    await page.route('**/api/preview/**', async (route) => {
      await thumbnails.promise
      await route.continue()
    })
    await openKnownGallery(page, 'Mixed')
    await eventually(() => proportionOf(page, '100.jpg'), 1.5)
    const shown = async () =>
      Promise.all(sides.map(async (_, at) => Math.round((await proportionOf(page, nameOf(at))) * 10) / 10))
    expect(await shown()).toEqual([1.5, 0.7, 1.8, 1, 0.6, 3, 0.4, 3])
    const before = await tilesOf(page)
    const rows = Map.groupBy(before, ({ y }) => y)
      .values()
      .toArray()
    const ends = rows.map((tiles) => Math.round((tiles.at(-1)?.x ?? 0) + (tiles.at(-1)?.width ?? 0)))
    expect(new Set(ends.slice(0, -1)).size).toBe(1)
    for (const tiles of rows)
      for (const [at, tile] of tiles.slice(1).entries())
        expect(tile.x - (tiles[at]?.x ?? 0) - (tiles[at]?.width ?? 0)).toBeCloseTo(6, 0)

    await rowOf(page, /^102\.jpg/).hover()
    thumbnails.resolve()
    await page.locator('[data-name="102.jpg"] img[data-state=there]').waitFor()
    expect(await tilesOf(page)).toEqual(before)
    const image = await page.locator('[data-name="102.jpg"] img').boundingBox()
    const { height } = await boxOf(page, '102.jpg')
    expect(Math.abs((image?.height ?? 0) - height)).toBeLessThan(1)

    // The names have room below the pictures.
    await chooseInView(page, 'Always')
    await eventually(async () => {
      const tile = await boxOf(page, '103.jpg')
      return Math.round(tile.height - tile.width)
    }, 28)
    await chooseInView(page, 'On hover')
    // Another order, and the next visit, have the proportions from the start.
    await chooseInView(page, 'Descending')
    await rowOf(page, /^notes\.txt/).waitFor()
    await eventually(() => proportionOf(page, '147.jpg'), 3)
    await chooseInView(page, 'Ascending')
    await page.locator('[data-index="1"][data-name="100.jpg"]').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await eventually(async () => (await boxOf(page, '100.jpg')).x, 12)
    await eventually(() => proportionOf(page, '100.jpg'), 1.5)
  })

  // Journey: tile-rows-2
  test('the keys go to the nearest picture, a rectangle selects what it touches, and a name is edited on a narrow tile', async () => {
    const page = await freshWindow()
    await openKnownGallery(page, 'Mixed')
    await eventually(() => proportionOf(page, '100.jpg'), 1.5)
    const tiles = await tilesOf(page)
    const [first] = tiles
    const firstLine = tiles.filter(({ y }) => y === first?.y)
    const nextY = tiles[firstLine.length]?.y
    const secondLine = tiles.filter(({ y }) => y === nextY)
    const nearest = (line: readonly Box[], middle: number): string =>
      line.toSorted((a, b) => Math.abs(middleOf(a) - middle) - Math.abs(middleOf(b) - middle))[0]?.name ?? ''
    await rowOf(page, /^100\.jpg/).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(() => focusedName(page), '101.jpg')
    await page.keyboard.press('ArrowRight')
    await eventually(() => focusedName(page), '102.jpg')
    await page.keyboard.press('ArrowDown')
    const below = nearest(secondLine, middleOf(firstLine[2]!))
    await eventually(() => focusedName(page), below)
    await page.keyboard.press('ArrowUp')
    await eventually(
      () => focusedName(page),
      nearest(firstLine, middleOf(secondLine.find(({ name }) => name === below)!)),
    )
    await page.keyboard.press('End')
    await eventually(() => focusedName(page), 'notes.txt')
    await page.keyboard.press('Home')
    await eventually(() => focusedName(page), 'Below')

    // Shift selects a range in the order of the names.
    await rowOf(page, /^101\.jpg/).click()
    await rowOf(page, /^104\.jpg/).click({ modifiers: ['Shift'] })
    const selected = () =>
      page
        .locator('[role="row"][aria-selected="true"]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-name')))
    await eventually(selected, ['101.jpg', '102.jpg', '103.jpg', '104.jpg'])
    await page.keyboard.press('Escape')

    // From the room beside the first line over two tiles of each line.
    const [one, two] = [firstLine[1]!, secondLine[0]!]
    const end = { x: one.x + 10, y: two.y + 10 }
    await page.mouse.move(one.x - 30, one.y - 12)
    await page.mouse.down()
    await page.mouse.move(end.x, end.y, { steps: 4 })
    const touched = [...firstLine, ...secondLine].filter(
      ({ x, width }) => x <= end.x && x + width >= one.x - 30,
    )
    await eventually(
      selected,
      touched.map(({ name }) => name),
    )
    await page.mouse.up()
    await page.keyboard.press('Escape')

    const narrow = rowOf(page, /^106\.jpg/)
    const proportion = await proportionOf(page, '106.jpg')
    expect(proportion).toBeLessThan(1)
    await narrow.click()
    await page.keyboard.press('F2')
    const field = narrow.getByRole('textbox')
    await eventually(() => field.evaluate((input) => input === document.activeElement), true)
    expect((await field.boundingBox())?.width).toBeGreaterThan(110)
    await page.keyboard.type('106 renamed')
    await page.keyboard.press('Enter')
    await rowOf(page, /^106 renamed\.jpg/).waitFor()
    await eventually(() => proportionOf(page, '106 renamed.jpg'), proportion)
  })

  // Journey: tile-rows-3
  test.each([
    ['in time', true],
    ['late, too', false],
  ])(
    'proportions that come late leave the tiles on screen where they are, and a change of the size places all, when their code comes %s',
    async (_, isCodeInTime) => {
      const page = await freshWindow()
      const [answer, code] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      if (isCodeInTime) code.resolve()
      await page.route('**/gallery-parts-*.js', async (route) => {
        await code.promise
        await route.continue()
      })
      await page.route('**/api/taken/**', async (route) => {
        await answer.promise
        await route.continue()
      })
      await openGallery(page, 'Slow')
      await page.locator('#listing:not([data-is-waiting])').waitFor()
      await eventually(() => proportionOf(page, '100.jpg'), 1)
      await rowOf(page, /^102\.jpg/).hover()
      const heightOf = () =>
        page.locator('#listing [role="rowgroup"]').evaluate((content) => content.clientHeight)
      // Equal tiles have a whole number of pixels in height.
      const inView = async () =>
        (await tilesOf(page))
          .filter(({ y }) => y < 800)
          .map((tile) => ({ ...tile, height: Math.round(tile.height) }))
      const [before, squares] = [await inView(), await heightOf()]
      code.resolve()
      answer.resolve()
      await eventually(async () => (await heightOf()) === squares, false)
      expect(await inView()).toEqual(before)
      await page.keyboard.press('End')
      await eventually(() => proportionOf(page, '399.jpg'), 2)
      await page.keyboard.press('Home')
      await eventually(() => proportionOf(page, '100.jpg'), 1)
      await page.keyboard.press('Control++')
      await eventually(() => proportionOf(page, '100.jpg'), 2)
      await page.keyboard.press('Control+-')
      await eventually(() => proportionOf(page, '102.jpg'), 2)
    },
  )

  test('a photo that was opened by its address is in view when it is closed, in a gallery that nobody has seen before', async () => {
    const page = await freshWindow()
    await server().cli('users', 'update', ann.name, '--viewMode', 'mosaic gallery')
    await signIn(page, server(), ann, '/files/Slow/230.jpg')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await page.locator('#listing:not([data-is-waiting]) [data-name="230.jpg"]').waitFor()
    await eventually(() => focusedName(page), '230.jpg')
    await eventually(async () => (await namesInView(page)).includes('230.jpg'), true)
  })

  test('a gallery that is scrolled shows the same pictures after its window was resized and has its size again, and after a reload', async () => {
    const page = await freshWindow()
    await openKnownGallery(page, 'Slow')
    await eventually(() => proportionOf(page, '100.jpg'), 2)
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, list.scrollHeight / 2))
    await eventually(async () => (await namesInView(page)).includes('100.jpg'), false)
    const before = await namesInView(page)
    for (let width = 1280; width >= 900; width -= 20) await page.setViewportSize({ width, height: 800 })
    for (let width = 900; width <= 1280; width += 20) await page.setViewportSize({ width, height: 800 })
    await eventually(() => namesInView(page), before)

    // The rows at the end arrive after those of the first screens.
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await eventually(async () => (await namesInView(page)).at(-1), nameOf(299))
    const last = await namesInView(page)
    const position = () => page.evaluate(() => history.state?.memory?.topRow?.name)
    await eventually(async () => Number.parseInt(String(await position()), 10) > 356, true)
    await page.reload()
    await eventually(() => namesInView(page), last)
  })

  test('a gallery that has its end only when the proportions are known is at its end after a reload', async () => {
    // As squares, which the server's answer replaces, all pictures fit into this window.
    const page = await freshWindow({ viewport: { width: 1280, height: 760 } })
    await openKnownGallery(page, 'Wide')
    await eventually(() => proportionOf(page, '100.jpg'), 3)
    await page.locator('#listing').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await eventually(async () => (await namesInView(page)).at(-1), nameOf(7))
    const last = await namesInView(page)
    expect(last).not.toContain('100.jpg')
    await eventually(() => page.evaluate(() => history.state?.memory?.topRow?.name !== undefined), true)
    const rowsAreThere = Promise.withResolvers<void>()
    await page.route('**/api/taken/**', async (route) => {
      await rowsAreThere.promise
      await route.continue()
    })
    await page.reload()
    await page.locator('[data-name="107.jpg"]').waitFor({ state: 'attached' })
    rowsAreThere.resolve()
    await eventually(() => namesInView(page), last)
  })

  test('a server that refuses leaves squares, and in Arabic rows begin on the right', async () => {
    const page = await freshWindow()
    await page.route('**/api/taken/**', (route) => route.fulfill({ status: 503 }))
    await openGallery(page, 'Mixed', eve)
    await eventually(() => proportionOf(page, '100.jpg'), 1)
    await page.unroute('**/api/taken/**')
    await openKnownGallery(page, 'Mixed', eve)
    await eventually(() => proportionOf(page, '100.jpg'), 1.5)
    const [first, second] = await tilesOf(page)
    expect((second?.x ?? 0) + (second?.width ?? 0)).toBeCloseTo((first?.x ?? 0) - 6, 0)
    await page.locator('[data-name="100.jpg"]').focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(() => focusedName(page), '101.jpg')
  })

  test('pictures that arrive in an empty gallery get their proportions, and Page Down moves by the lines in view', async () => {
    const page = await freshWindow()
    await server().cli('users', 'update', ann.name, '--viewMode', 'mosaic gallery')
    await signIn(page, server(), ann, '/files/Mixed/Below/')
    await page.getByText('It feels lonely here...').waitFor()
    const below = path.join(server().folder, 'Mixed', 'Below')
    for (let at = 0; at < 80; at += 1) await writeFile(path.join(below, nameOf(at)), wide)
    await page.locator('[data-name="100.jpg"]').waitFor()
    await eventually(() => proportionOf(page, '100.jpg'), 2)

    await rowOf(page, '100.jpg').click()
    const tiles = await tilesOf(page)
    const perLine = tiles.findIndex(({ y }) => y > (tiles[0]?.y ?? 0))
    const lineHeight = (tiles[perLine]?.y ?? 0) - (tiles[0]?.y ?? 0)
    const view = (await page.locator('#listing').boundingBox())?.height ?? 0
    await page.keyboard.press('PageDown')
    await eventually(() => focusedName(page), nameOf((Math.floor(view / lineHeight) - 1) * perLine))
  })
})
