import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeBigFolder } from '../../scripts/samples/bulk.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, namesShown } from './journeys.ts'

atRoot({ files: {}, people: [ann] }, ({ server, window }) => {
  /** Opens a folder of 100,000 entries, which is made for the first journey. */
  const openBig = async () => {
    const folder = path.join(server().folder, 'big')
    if (!existsSync(folder)) makeBigFolder(folder, 100_000)
    const page = await window()
    await signIn(page, server(), ann, '/files/big/')
    await page.getByText('100,000 items').first().waitFor()
    return page
  }

  test('a folder of 100,000 entries opens, its count grows, and End shows the last entry', async () => {
    const page = await openBig()
    await rowOf(page, /entry-0000000\.txt/).click()
    await page.keyboard.press('End')
    await rowOf(page, /entry-0099999\.txt/).waitFor()
    expect(
      await page.evaluate(() => document.activeElement?.closest('[data-name]')?.getAttribute('data-name')),
    ).toBe('entry-0099999.txt')
    expect(await page.locator('[role="row"]').count()).toBeLessThanOrEqual(200)
    await page.keyboard.press('Control+a')
    await page
      .getByText(/100,000 selected/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await rowOf(page, /entry-0000000\.txt/).waitFor()
  })

  test('while the rows of a large folder arrive, the status bar says that the number is not the sum', async () => {
    const page = await openBig()
    const network = await page.context().newCDPSession(page)
    const limitSpeed = (bytesPerSecond: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: -1,
      })
    await limitSpeed(300_000)
    await page.reload()
    await page
      .locator('[data-part="status"]')
      .getByText(/^[\d,]+ items so far…$/)
      .waitFor()
    await limitSpeed(-1)
    await page.locator('[data-part="status"]').getByText('100,000 items', { exact: true }).waitFor()
    await network.detach()
  })

  test('a reload shows a large folder at the same place, and the focused row above that place keeps the focus', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    const top = () => list.evaluate((element) => element.scrollTop)
    await rowOf(page, /entry-0000005\.txt/).click()
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await rowOf(page, /entry-0050000\.txt/).waitFor()
    const before = await top()
    await eventually(() => page.evaluate(() => history.state.memory?.scrollPx), before)
    await page.reload()
    await page.getByText('100,000 items').first().waitFor()
    await eventually(() => focusOf(page), 'MAIN entry-0000005.txt')
    expect(await top()).toBe(before)
    await rowOf(page, /entry-0050000\.txt/).waitFor()
  })

  test('dragging the scrollbar to the middle shows the rows of the middle, without an empty part', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await rowOf(page, /entry-0050000\.txt/).waitFor()
    const numbers = (await namesShown(page)).map((name) => Number(/\d+/.exec(name)?.[0]))
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at))
    const rows = page.locator('[role="row"][data-name]')
    const [view, first, last] = await Promise.all([
      list.boundingBox(),
      rows.first().boundingBox(),
      rows.last().boundingBox(),
    ])
    const [top, bottom] = [view?.y ?? NaN, (view?.y ?? NaN) + (view?.height ?? NaN)]
    expect((first?.y ?? NaN) <= top + 60 && (last?.y ?? NaN) + (last?.height ?? NaN) >= bottom - 60).toBe(
      true,
    )
    // The rows around the view follow, so that the next small step of scrolling shows no empty part.
    await eventually(async () => ((await rows.first().boundingBox())?.y ?? NaN) < top - 60, true)
    await eventually(async () => ((await rows.last().boundingBox())?.y ?? NaN) > bottom + 60, true)
  })

  test('a file in the middle of a large folder is opened and closed: the list is at the same place', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2 - 300))
    const row = rowOf(page, /entry-0050000\.txt/)
    await row.waitFor()
    const place = () => row.boundingBox()
    const before = await place()
    await row.dblclick()
    await page.waitForURL('**/entry-0050000.txt')
    await page.getByRole('button', { name: 'Close the file' }).click()
    await page.waitForURL(`${server().url}/files/big/`)
    await eventually(() => focusOf(page), 'MAIN entry-0050000.txt')
    await eventually(place, before)
    expect(await page.locator('[role="row"][aria-selected="true"]').count()).toBe(0)
  })

  test('a text that is typed fast in a large folder loses no letter, and filters the list to the end', async () => {
    const page = await openBig()
    await page.keyboard.press('Control+f')
    const field = page.getByRole('searchbox', { name: 'Search' })
    await eventually(() => field.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.type('0999')
    expect(await field.inputValue()).toBe('0999')
    await eventually(async () => (await namesShown(page)).every((name) => name.includes('0999')), true)
    await page.keyboard.type('99')
    await eventually(() => namesShown(page), ['entry-0099999.txt'])
  })

  test('End shows the last name of a million, and typing a letter there continues at the first', async () => {
    const count = 1_000_000
    await mkdir(path.join(server().folder, 'million'))
    const page = await window()
    await signIn(page, server(), ann)
    // The server is asked for an empty folder of that name, because a million files take half a minute to make.
    await page.route('**/api/resources/million/', async (route) => {
      const response = await route.fetch()
      const head = JSON.parse((await response.text()).split('\n')[0] ?? '') as Record<string, unknown>
      const names = Array.from({ length: count - 1 }, (_, n) => `entry-${String(n).padStart(7, '0')}.txt`)
      const rows = ['beginning.txt', ...names].map((name) => `["${name}",0,1700000000000,"text",0]`)
      const body = `${JSON.stringify({ ...head, total: count })}\n[${rows.join(',')}]\n`
      await route.fulfill({ response, body })
    })
    await page.goto(`${server().url}/files/million/`)
    await page.getByText('1,000,000 items').first().waitFor({ timeout: 60_000 })
    await page.locator('[role="grid"][aria-busy="false"]').waitFor({ timeout: 60_000 })
    await rowOf(page, /beginning\.txt/).click()
    await page.keyboard.press('End')
    await rowOf(page, /entry-0999998\.txt/).waitFor()
    await eventually(() => focusOf(page), 'MAIN entry-0999998.txt')
    await page.keyboard.type('b')
    await eventually(() => focusOf(page), 'MAIN beginning.txt')
    await rowOf(page, /beginning\.txt/).waitFor()
    expect(await page.locator('[role="row"]').count()).toBeLessThanOrEqual(200)
  })
})
