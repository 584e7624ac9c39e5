import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mediaFiles } from '../components/media-files.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, withMotion } from './journeys.ts'

const files = await mediaFiles()

const player = (page: Page) => page.locator('[data-part="player"]')
const button = (page: Page, name: string | RegExp) => player(page).getByRole('button', { name })
const cues = (page: Page) => player(page).locator('[data-part="cues"]')
const media = (page: Page) => player(page).locator('video, audio')
const isPaused = (page: Page) => media(page).evaluate((element) => (element as HTMLMediaElement).paused)
const timeOf = (page: Page) =>
  media(page).evaluate((element) => Math.floor((element as HTMLMediaElement).currentTime))
const soundOf = (page: Page) =>
  media(page).evaluate((element) => {
    const { volume, muted } = element as HTMLMediaElement
    return { volume, muted }
  })
const choose = async (page: Page, menu: string | RegExp, item: string) => {
  await button(page, menu).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** What the players do is in the component tests of their folder. Here is what they need the whole program for. */
atRoot({ files, people: [ann] }, ({ server, window }) => {
  test('a video fills the screen and leaves it without being closed, and its subtitles, sound and position are remembered', async () => {
    const page = await window(withMotion)
    await signIn(page, server(), ann)
    await rowOf(page, 'clip.webm').dblclick()
    await button(page, 'Play').click()
    await eventually(() => isPaused(page), false)
    await page.locator('#content').focus()
    await page.keyboard.press('Space')
    await eventually(() => isPaused(page), true)
    await page.keyboard.press('f')
    await button(page, 'Exit full screen').waitFor()
    expect(await player(page).boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() })
    expect(await page.getByRole('button', { name: 'Close the file' }).count()).toBe(0)
    await choose(page, 'Speed: 1×', '1.5×')
    await page.keyboard.press('Escape')
    await button(page, 'Full screen').waitFor()
    expect(page.url()).toContain('clip.webm')

    await choose(page, 'Subtitles', 'clip.is.vtt')
    await player(page).getByRole('slider', { name: 'Volume' }).focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('m')
    await page.keyboard.press('5')
    await eventually(() => timeOf(page), 30)
    await page.reload()
    await cues(page).getByText('Góðan daginn').waitFor()
    await player(page).getByText('Continues at 0:30.').waitFor()
    await eventually(() => soundOf(page), { volume: 0.4, muted: true })
    await button(page, 'Unmute').click()
    await eventually(() => soundOf(page), { volume: 0.4, muted: false })
    expect(await media(page).evaluate((element) => (element as HTMLMediaElement).playbackRate)).toBe(1)
    await page.keyboard.press('c')
    await cues(page).getByText('Góðan daginn').waitFor({ state: 'detached' })
    await page.reload()
    await button(page, 'Play').waitFor()
    await eventually(() => timeOf(page), 30)
    expect(await cues(page).getByText('Góðan daginn').count()).toBe(0)
  })

  test('the next song of a folder plays when one ends, and the order is remembered', async () => {
    const page = await window(withMotion)
    await signIn(page, server(), ann)
    await rowOf(page, '1 first.mp3').dblclick()
    await button(page, 'Play').click()
    await player(page).getByRole('heading', { name: '2 second' }).waitFor()
    await eventually(() => isPaused(page), false)
    expect(decodeURIComponent(page.url())).toContain('2 second.mp3')
    await button(page, 'Repeat: off').click()
    await button(page, 'Random order').click()
    await page.reload()
    await button(page, 'Repeat: all files').waitFor()
    await eventually(() => button(page, 'Random order').getAttribute('aria-pressed'), 'true')
  })

  test('the keys of the list stay with it while the quick look plays a video', async () => {
    const page = await window(withMotion)
    await signIn(page, server(), ann)
    await rowOf(page, 'clip.webm').click()
    await page.keyboard.press('Space')
    await button(page, 'Play').click()
    await eventually(() => isPaused(page), false)
    await rowOf(page, 'clip.webm').focus()
    await page.keyboard.press('Space')
    await player(page).waitFor({ state: 'detached' })
  })
})
