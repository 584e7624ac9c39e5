import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { atRoot } from './journeys.ts'

/** Windows have less movement unless a journey asks for all of it. */
const lessMotion = '(prefers-reduced-motion: reduce)'

const media = [
  'print',
  '(forced-colors: active)',
  '(prefers-contrast: more)',
  '(prefers-color-scheme: dark)',
  lessMotion,
]

/** Returns the media features that the page has, and whether it has a network. */
const stateOf = (page: Page) =>
  page.evaluate(
    (queries) => ({
      media: queries.filter((query) => matchMedia(query).matches),
      isOnline: navigator.onLine,
    }),
    media,
  )

/** Starts a download by a link in the page, and waits until the browser has reported it. */
async function startDownload(page: Page): Promise<void> {
  const download = page.waitForEvent('download')
  await page.evaluate(() =>
    Object.assign(document.createElement('a'), { href: '/health', download: 'a' }).click(),
  )
  await (await download).path()
}

// A second attempt would have a new page, on which nothing could be left.
atRoot({}, ({ window }) => {
  let first: Page | null = null
  let downloads = 0

  test('a journey can emulate media, lose the network and listen to downloads', { retry: 0 }, async () => {
    const page = await window()
    first = page
    page.on('download', () => (downloads += 1))
    await startDownload(page)
    await page.emulateMedia({
      media: 'print',
      forcedColors: 'active',
      contrast: 'more',
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const noSpeed = { latency: 0, downloadThroughput: 0, uploadThroughput: 0 }
    await devtools.send('Network.emulateNetworkConditions', { ...noSpeed, offline: true })
    await page.context().setOffline(true)
    expect(await stateOf(page)).toEqual({ media, isOnline: false })
    expect(downloads).toBe(1)
  })

  test('the next journey has the same page, without anything of this', { retry: 0 }, async () => {
    const page = await window()
    expect(page === first).toBe(true)
    expect(await stateOf(page)).toEqual({ media: [lessMotion], isOnline: true })
    await startDownload(page)
    expect(downloads).toBe(1)
  })

  let further: Page | null = null

  test('a further window has another profile', { retry: 0 }, async () => {
    const page = await window()
    further = await window({ hasTouch: true })
    expect(page === first).toBe(true)
    expect(further.context() === page.context()).toBe(false)
    expect(await further.evaluate(() => navigator.maxTouchPoints > 0)).toBe(true)
    await further.evaluate(() => localStorage.setItem('left', 'here'))
  })

  test('the next journey has the same further window, which shows nothing before', { retry: 0 }, async () => {
    expect(further?.url()).toBe('about:blank')
    await window()
    const page = await window({ hasTouch: true })
    expect(page === further).toBe(true)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test('what would change the page for good is refused', async () => {
    const page = await window()
    const refused = 'Open the window with freshWindow().'
    expect(() => page.clock.install()).toThrow(refused)
    expect(() => page.clock.setFixedTime(0)).toThrow(refused)
    expect(() => page.clock.pauseAt(0)).toThrow(refused)
    expect(() => page.addInitScript('')).toThrow(refused)
    expect(() => page.context().addInitScript('')).toThrow(refused)
    expect(() => page.context().setGeolocation(null)).toThrow(refused)
  })
})
