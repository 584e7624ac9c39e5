import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
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

  // Journey: large-list-1
  test('in a folder of 100,000 entries, End shows the last one, the scrollbar the middle, a closed file the same place, and a filter loses no letter', async () => {
    const page = await openBig()
    // A drag of the scrollbar to the middle shows the rows of the middle, without an empty part.
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

    // End shows the last row, and all rows can be selected.
    await list.evaluate((element) => element.scrollTo(0, 0))
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

    // A file in the middle is opened and closed, and the list is at the same place.
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

    // A text that is typed fast loses no letter, and filters the list to the end.
    await page.keyboard.press('Control+f')
    const field = page.getByRole('searchbox', { name: 'Search' })
    await eventually(() => field.evaluate((element) => element === document.activeElement), true)
    await page.keyboard.type('0999')
    expect(await field.inputValue()).toBe('0999')
    await eventually(async () => (await namesShown(page)).every((name) => name.includes('0999')), true)
    await page.keyboard.type('99')
    await eventually(() => namesShown(page), ['entry-0099999.txt'])
  })

  test('the question before all entries of a large folder are deleted opens at once, and follows what others delete', async () => {
    const page = await openBig()
    await rowOf(page, /entry-0000000\.txt/).click()
    await page.keyboard.press('Control+a')
    await page
      .getByText(/100,000 selected/)
      .first()
      .waitFor()
    await page.keyboard.press('Delete')
    const question = page.getByRole('dialog')
    await question.getByRole('heading', { name: 'Delete 100,000 items?' }).waitFor()
    await rm(path.join(server().folder, 'big', 'entry-0000007.txt'))
    await question.getByRole('heading', { name: 'Delete 99,999 items?' }).waitFor()
    await writeFile(path.join(server().folder, 'big', 'entry-0000007.txt'), '')
    await page.keyboard.press('Escape')
    await page.getByText('100,000 items').first().waitFor()
  })

  test('a reload of a large folder names the sum only when all rows are there, keeps the place, and the focus on a row above it', async () => {
    const page = await openBig()
    const list = page.locator('#listing')
    const top = () => list.evaluate((element) => element.scrollTop)
    await rowOf(page, /entry-0000005\.txt/).click()
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
    await rowOf(page, /entry-0050000\.txt/).waitFor()
    const before = await top()
    await eventually(() => page.evaluate(() => history.state.memory?.scrollPx), before)

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

    await eventually(() => focusOf(page), 'MAIN entry-0000005.txt')
    expect(await top()).toBe(before)
    await rowOf(page, /entry-0050000\.txt/).waitFor()
  })

  // Journey: large-list-2
  test('End shows the last name of a million, and typing a letter there continues at the first', async () => {
    await mkdir(path.join(server().folder, 'million'))
    const page = await window()
    await signIn(page, server(), ann)
    const other = await serveMillionRows(`${server().url}/api/resources/million/`)
    await page.route('**/api/resources/million/', (route) => route.continue({ url: other.url }))
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
    await other.close()
  })
})

/**
 * Starts a server that answers each request with the listing of a folder, into which it puts a million names, because a
 * million files take half a minute to make. The browser reads such an answer in a fraction of the time that it needs for
 * one from the test.
 */
async function serveMillionRows(listing: string) {
  const names = Array.from({ length: 999_999 }, (_, n) => `entry-${String(n).padStart(7, '0')}.txt`)
  const rows = ['beginning.txt', ...names].map((name) => `["${name}",0,1700000000000,"text",0]`)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { accept = '', 'x-auth': token = '' } = request.headers
    const empty = await fetch(listing, { headers: { accept, 'x-auth': String(token) } })
    const head = JSON.parse((await empty.text()).split('\n')[0] ?? '') as Record<string, unknown>
    response.setHeader('Content-Type', empty.headers.get('content-type') ?? '')
    response.end(`${JSON.stringify({ ...head, total: rows.length })}\n[${rows.join(',')}]\n`)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
