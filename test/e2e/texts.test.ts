import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { forgetRefusals, rowOf, signIn, wasRefusedByPolicy } from '../kit/browser.ts'
import { rotatedJpeg } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, nextFrames, violationsIn } from './journeys.ts'

const document = `# A *heading* & more

- [x] done

| a | b |
|---|---|
| 1 | 2 |

![own](photo%20%231.jpg) ![far](https://evil.example/far.png)

[beside](<a%20folder/>) [text](other.md) [web](https://example.com/) [down](#a-heading--more) [bad](javascript:top.hacked=1)

<img src=x onerror="top.hacked = 1"><script>top.hacked = 1</script><svg onload="top.hacked = 1"></svg>
<iframe src="https://evil.example/frame"></iframe><form action="https://evil.example/"><input name=a></form>
<style>@import "https://evil.example/style.css"; * { display: none }</style>
<meta http-equiv="refresh" content="0;url=https://evil.example/"><a href=" jAvAsCrIpT:top.hacked=1">sly</a>
`

/** A server that counts its connections. No document may cause one. */
let connections = 0
const listener = createServer((socket) => {
  connections += 1
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(listener, 'listening')
listener.unref()
const elsewhere = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`

const webPage = `<!doctype html><h1>A page</h1><script>parent.hacked = 1</script><img src="https://evil.example/a.png" onerror="parent.hacked = 1">
<meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel="stylesheet" href="https://evil.example/s.css">
<base href="${elsewhere}"><link rel="preconnect" href="${elsewhere}"><link rel="dns-prefetch" href="${elsewhere}"><link rel="prefetch" href="${elsewhere}">
<iframe src="${elsewhere}"></iframe><iframe srcdoc="<iframe src='${elsewhere}'></iframe>"></iframe><object data="${elsewhere}"></object><embed src="${elsewhere}">
<form action="${elsewhere}"><input type="image" src="${elsewhere}"></form><video src="${elsewhere}" poster="${elsewhere}"></video><svg><image href="${elsewhere}"/></svg>
<p style="background: url(${elsewhere})">Text with <a href="${elsewhere}">a link</a></p><style>@import "${elsewhere}"; h1 { background: url(${elsewhere}) }</style>`

const files = {
  // The name has a decomposed letter, as macOS writes it, and the document a composed one.
  'a folder': { 'x.txt': '', 'cafe\u0301.jpg': await rotatedJpeg(40, 30) },
  'a%2Fb #?&+.md': document,
  'words.md': 'ب'.repeat(300_000),
  'words.txt': `a${'\u0301'.repeat(50_000)}\n`.repeat(10) + `${'\0a'.repeat(20_000)}\n`.repeat(20),
  'other.md': '---\ntitle: Front\n---\n# The other one\n\n![coffee](<a folder/caf\u00e9.jpg>)',
  'page.html': webPage,
  'photo #1.jpg': await rotatedJpeg(40, 30),
}

const rendered = (page: Page) => page.locator('[data-part="text-rendering"]')
const fileOf = (page: Page) => page.locator('[data-part="file"]')
/** Opens the editor of a document, with the document beside its text. */
const editBeside = async (page: Page, label = 'Show the rendered document') => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: label }).click()
}
const isHacked = (page: Page) => page.evaluate(() => 'hacked' in globalThis)

/** Measures from now on for how long the page does nothing else. The page forgets it when it is loaded again. */
const watchPauses = (page: Page) =>
  page.evaluate(() => {
    const pauses = globalThis as unknown as { longestPauseMs: number }
    pauses.longestPauseMs = 0
    let lastMs = performance.now()
    setInterval(() => {
      const nowMs = performance.now()
      pauses.longestPauseMs = Math.max(pauses.longestPauseMs, nowMs - lastMs)
      lastMs = nowMs
    }, 20)
  })
const longestPauseMs = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { longestPauseMs: number }).longestPauseMs)

atRoot({ files }, ({ server, window }) => {
  /** Opens a text from the list, and collects the addresses that the page asks. */
  const open = async (name: string, options: Parameters<typeof window>[0] = {}) => {
    const page = await window(options)
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    await signIn(page, server(), ann)
    await rowOf(page, name).dblclick()
    await fileOf(page).waitFor()
    const foreign = () =>
      requests
        .filter((request) => !wasRefusedByPolicy(request))
        .map((request) => request.url())
        .filter((address) => !/^(blob|data):/.test(address) && !address.startsWith(server().url))
    return { page, foreign }
  }
  test('words of hundreds of thousands of letters or marks do not stop the page', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/files/')
    await rowOf(page, 'words.md').waitFor()
    await watchPauses(page)
    await rowOf(page, 'words.md').dblclick()
    await eventually(() => fileOf(page).locator('article wbr').count(), 1199)
    await nextFrames(page)
    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'words.txt').dblclick()
    await page.getByText('Line 1, column 1').waitFor()
    await nextFrames(page)
    expect(await longestPauseMs(page)).toBeLessThan(8000)
  })

  // Journey: texts-1
  test('HTML and Markdown documents are shown as what they are and beside their source, which Markdown follows, nothing in them can act, and links lead through the application', async () => {
    const { page, foreign } = await open('page.html')
    const frame = fileOf(page).locator('iframe')
    await frame.contentFrame().getByRole('heading', { name: 'A page' }).waitFor()
    expect(await frame.getAttribute('sandbox')).toBe('')
    // The document has loaded, with all that it was allowed to load.
    await Promise.all(page.frames().map((frame) => frame.waitForLoadState('load')))
    await nextFrames(page)
    expect([await isHacked(page), foreign(), connections]).toEqual([false, [], 0])
    const shown = await frame.getAttribute('srcdoc')
    expect([shown?.includes('Text with'), shown?.match(/https?:/g)]).toEqual([true, null])
    expect(new URL(page.url()).pathname).toBe('/files/page.html')
    forgetRefusals(page)
    await page.getByRole('button', { name: 'Close the file' }).click()
    await rowOf(page, 'a%2Fb #?&+.md').dblclick()
    await fileOf(page).getByRole('heading', { name: 'A heading & more' }).waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])
    await editBeside(page)
    const form = rendered(page)
    await form.getByRole('heading', { name: 'A heading & more' }).waitFor()
    expect(await form.getByRole('cell').allInnerTexts()).toEqual(['1', '2'])
    expect(await form.getByRole('checkbox').isDisabled()).toBe(true)
    await eventually(
      () =>
        form
          .locator('img')
          .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
      [true, false],
    )
    expect(await form.getByRole('link', { name: 'far (image on evil.example)' }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    )
    expect(
      await form
        .locator('a')
        .evaluateAll(
          (links) => links.filter((link) => /script/i.test(link.getAttribute('href') ?? '')).length,
        ),
    ).toBe(0)
    expect(
      await form
        .locator('script, style, iframe, form, svg, meta, [onerror], input:not([type=checkbox])')
        .count(),
    ).toBe(0)
    const box = page.locator('[data-part="editor"]').getByRole('textbox')
    await box.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('typed ')
    await form.getByText('typed # A heading & more').waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+s')
    expect(await violationsIn(page, 'light')).toEqual([])
    forgetRefusals(page)
    expect([await isHacked(page), foreign()]).toEqual([false, []])

    await page.setViewportSize({ width: 390, height: 800 })
    await page.locator('[data-part="editor"]').waitFor({ state: 'hidden' })
    await rendered(page).getByRole('link', { name: 'text' }).click()
    await fileOf(page).getByRole('heading', { name: 'The other one' }).waitFor()
    expect(await fileOf(page).locator('article').getByRole('heading').count()).toBe(1)
    await fileOf(page).getByRole('row', { name: 'title Front' }).waitFor()
    const coffee = fileOf(page).getByRole('img', { name: 'coffee' })
    await eventually(() => coffee.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0), true)
    expect(new URL(page.url()).pathname).toBe('/files/other.md')
    await page.goBack()
    await rendered(page).getByRole('link', { name: 'beside' }).click()
    await rowOf(page, 'x.txt').waitFor()
    forgetRefusals(page)
  })

  test('texts above the 50 MB of the editor are shown by their beginning or in their form', async () => {
    const at = (name: string): string => path.join(server().folder, 'a folder', name)
    writeFileSync(at('3.log'), 'a line of a log\n'.repeat(3_300_000))
    writeFileSync(at('4.csv'), `name,note\n${`Zoë,${'a long note '.repeat(50)}\n`.repeat(90_000)}`)
    const page = await window()
    await signIn(page, server(), ann, '/files/a%20folder/')
    // These files are larger than the 50 MB that the editor opens.
    await rowOf(page, '3.log').dblclick()
    const file = page.locator('[data-part="file"]')
    await file.getByText('Only the first 1 MB are shown.').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, '4.csv').dblclick()
    await file.getByRole('gridcell', { name: 'Zoë' }).first().waitFor()
    expect(await page.locator('[data-part="editor"]').count()).toBe(0)
  })
})
