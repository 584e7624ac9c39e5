import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { minuteOfVideo, silentMp3 } from '../kit/media.ts'
import { drawingPrograms, makeMedia } from '../kit/posters.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn, violationsInBothThemes, withMotion } from './journeys.ts'

const cover = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#b0396b' } })
  .png()
  .toBuffer()
const subtitle = (text: string): string => `1\n00:00:00,000 --> 00:00:50,000\n${text}\n`
const filmFiles = {
  'clip.webm': minuteOfVideo(),
  'clip.en.srt': subtitle('Good <i>morning</i> <script>top.hacked = 1</script>'),
  'clip.fr.ass': [
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    'Dialogue: 0,0:00:00.00,0:00:50.00,Default,,0,0,0,,{\\b1}Bonjour{\\b0} à tous',
  ].join('\n'),
  'clip.is.vtt': 'WEBVTT\n\n00:00.000 --> 00:50.000\nGóðan daginn\n',
}
const songFiles = {
  '1 first.mp3': silentMp3(1.5, { title: 'Sól & máni', artist: 'Ásgerður', cover }),
  '2 second.mp3': silentMp3(30),
  '3 third.mp3': silentMp3(1),
}

const film = (codecs: string) => readFileSync(makeMedia('film.mkv', codecs, { lengthS: 60 }))
const player = (page: Page) => page.locator('[data-part="player"]')
const button = (page: Page, name: string | RegExp) => player(page).getByRole('button', { name })
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position' })
const cues = (page: Page) => player(page).locator('[data-part="cues"]')
const media = (page: Page) => player(page).locator('video, audio')
const isPaused = (page: Page) => media(page).evaluate((element) => (element as HTMLMediaElement).paused)
const timeOf = (page: Page) =>
  media(page).evaluate((element) => Math.floor((element as HTMLMediaElement).currentTime))
/**
 * Waits until the file has been played beyond a second, or to its end. Where the server converts the file, this takes
 * many seconds on a busy machine.
 */
const playsUntil = async (page: Page, target: number | 'end'): Promise<void> => {
  await page.waitForFunction(
    (wanted) => {
      const element = document.querySelector<HTMLMediaElement>('[data-part="player"] :is(video, audio)')
      return element !== null && (wanted === 'end' ? element.ended : element.currentTime > wanted)
    },
    target,
    { timeout: 40_000 },
  )
}
const choose = async (page: Page, menu: string | RegExp, item: string) => {
  await button(page, menu).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** Waits until the length of the file is known, before which no key can change the position. */
const whenReady = (page: Page) =>
  eventually(() => media(page).evaluate((element) => (element as HTMLMediaElement).readyState > 0), true)

atRoot({ files: {} }, ({ server, window }) => {
  let visits = 0
  /** Fills a new folder, and opens the file with the given name. */
  const open = async (
    files: Readonly<Record<string, string | Uint8Array>>,
    name: string,
    options: Parameters<typeof window>[0] = {},
  ) => {
    const folder = `media ${(visits += 1)}`
    await mkdir(path.join(server().folder, folder))
    for (const [file, content] of Object.entries(files))
      await writeFile(path.join(server().folder, folder, file), content)
    const page = await window({ ...withMotion, ...options })
    await signIn(page, server(), ann, `/files/${encodeURIComponent(folder)}/`)
    await rowOf(page, name).dblclick()
    return page
  }

  // Journey: media-1
  test('a video is played by its button, by Space and by keys, its controls hide while nothing moves, and it fills the screen or a small window', async () => {
    const page = await open(filmFiles, 'clip.webm')
    await button(page, 'Play').click()
    await eventually(() => isPaused(page), false)
    await eventually(async () => (await timeOf(page)) > 0, true)
    await page.locator('#content').focus()
    await page.keyboard.press('Space')
    await eventually(() => isPaused(page), true)
    await page.keyboard.press('5')
    await eventually(() => timeOf(page), 30)
    await page.keyboard.press('l')
    await eventually(() => timeOf(page), 40)
    await page.keyboard.press('j')
    await position(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('PageUp')
    await eventually(() => timeOf(page), 41)
    expect(await position(page).getAttribute('aria-valuetext')).toBe('41 seconds of 1 minute')
    await page.keyboard.press('Home')
    await eventually(() => timeOf(page), 0)
    await page.keyboard.press('Space')
    await eventually(() => isPaused(page), false)
    await page.keyboard.press('k')
    await eventually(() => isPaused(page), true)
    await player(page)
      .locator('video')
      .click({ position: { x: 100, y: 100 } })
    await eventually(() => isPaused(page), false)

    await page.mouse.move(500, 300)
    const opacity = () =>
      player(page)
        .getByRole('toolbar')
        .evaluate((bar) => getComputedStyle(bar).opacity)
    await eventually(opacity, '0')
    await page.mouse.move(520, 300)
    await eventually(opacity, '1')
    await eventually(opacity, '0')
    await position(page).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(opacity, '1')
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

    // A browser without a screen has no small windows, so the test answers the calls as one with a screen does.
    await page.evaluate(() => {
      let shown: Element | null = null
      const change = (video: Element, to: Element | null): void => {
        shown = to
        video.dispatchEvent(new Event(to === null ? 'leavepictureinpicture' : 'enterpictureinpicture'))
      }
      Object.defineProperty(document, 'pictureInPictureEnabled', { get: () => true })
      Object.defineProperty(document, 'pictureInPictureElement', { get: () => shown })
      Object.assign(HTMLVideoElement.prototype, {
        async requestPictureInPicture(this: HTMLVideoElement) {
          change(this, this)
        },
      })
      Object.assign(document, {
        async exitPictureInPicture() {
          if (shown !== null) change(shown, null)
        },
      })
    })
    const isSmall = () => page.evaluate(() => document.pictureInPictureElement?.tagName ?? null)
    // The button appears with the next change of the player.
    await page.keyboard.press('m')
    const small = button(page, 'Picture in picture')
    await small.click()
    await eventually(isSmall, 'VIDEO')
    await eventually(() => small.getAttribute('aria-pressed'), 'true')
    await small.click()
    await eventually(isSmall, null)
    await eventually(() => small.getAttribute('aria-pressed'), 'false')
  })

  // Journey: media-2
  test('the subtitles, the sound, the volume and the position of a video are remembered, and the speed is chosen from a menu and by keys', async () => {
    const page = await open(filmFiles, 'clip.webm')
    await whenReady(page)
    await page.keyboard.press('5')
    await cues(page).getByText('Good morning').waitFor()
    expect(await cues(page).locator('i').innerText()).toBe('morning')
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    await choose(page, 'Subtitles', 'clip.is.vtt')
    await cues(page).getByText('Góðan daginn').waitFor()
    await choose(page, 'Subtitles', 'clip.fr.ass')
    await cues(page).getByText('Bonjour à tous').waitFor()
    await choose(page, 'Subtitles', 'clip.is.vtt')
    await cues(page).getByText('Góðan daginn').waitFor()
    await page.reload()
    await cues(page).getByText('Góðan daginn').waitFor()
    await page.keyboard.press('c')
    await cues(page).getByText('Góðan daginn').waitFor({ state: 'detached' })

    const speed = () => media(page).evaluate((element) => (element as HTMLMediaElement).playbackRate)
    const sound = () =>
      media(page).evaluate((element) => {
        const { volume, muted } = element as HTMLMediaElement
        return { volume, muted }
      })
    await choose(page, 'Speed: 1×', '2×')
    await button(page, 'Speed: 2×').waitFor()
    await eventually(speed, 2)
    await page.keyboard.press('<')
    await eventually(speed, 1.75)
    await player(page).getByRole('slider', { name: 'Volume' }).focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight')
    await eventually(sound, { volume: 0.4, muted: false })
    await page.keyboard.press('m')
    await eventually(sound, { volume: 0.4, muted: true })
    await page.reload()
    await button(page, 'Unmute').click()
    await eventually(sound, { volume: 0.4, muted: false })
    expect(await speed()).toBe(1)

    expect(await cues(page).getByText('Góðan daginn').count()).toBe(0)
    await choose(page, 'Subtitles', 'clip.en.srt')
    await cues(page).getByText('Good morning').waitFor()

    await page.keyboard.press('5')
    await eventually(() => timeOf(page), 30)
    await page.keyboard.press('Escape')
    await rowOf(page, 'clip.webm').dblclick()
    await player(page).getByText('Continues at 0:30.').waitFor()
    await eventually(() => timeOf(page), 30)
    await button(page, 'Start over').click()
    await eventually(() => timeOf(page), 0)
    await player(page).getByText('Continues at 0:30.').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await rowOf(page, 'clip.webm').dblclick()
    await whenReady(page)
    expect(await timeOf(page)).toBe(0)
  })

  test('a song shows its title and cover, and the next one of the folder plays when it ends', async () => {
    const page = await open(songFiles, '1 first.mp3')
    await player(page).getByRole('heading', { name: 'Sól & máni' }).waitFor()
    await player(page).getByText('Ásgerður').waitFor()
    await eventually(
      () =>
        player(page)
          .locator('img')
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      40,
    )
    const current = () => player(page).locator('[aria-current="true"]').textContent()
    await eventually(current, '1 first.mp3')
    expect(await isPaused(page)).toBe(true)
    await button(page, 'Play').click()
    await player(page).getByRole('heading', { name: '2 second' }).waitFor()
    await eventually(() => isPaused(page), false)
    await eventually(current, '2 second.mp3')
    expect(decodeURIComponent(page.url())).toContain('2 second.mp3')
    await button(page, '1 first.mp3').click()
    await player(page).getByRole('heading', { name: 'Sól & máni' }).waitFor()
    await button(page, 'Next audio file').click()
    await eventually(current, '2 second.mp3')
    await button(page, 'Next audio file').click()
    await eventually(current, '3 third.mp3')
    await eventually(() => button(page, 'Next audio file').getAttribute('aria-disabled'), 'true')
    await eventually(() => isPaused(page), true)
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('3 third')
    await button(page, 'Repeat: off').click()
    await button(page, 'Repeat: all files').waitFor()
    await button(page, 'Next audio file').click()
    await eventually(current, '1 first.mp3')
    await button(page, 'Repeat: all files').click()
    await button(page, 'Random order').click()
    await page.reload()
    await eventually(() => button(page, 'Random order').getAttribute('aria-pressed'), 'true')
    await button(page, 'Repeat: this file').click()
    await button(page, 'Repeat: off').waitFor()
  })

  test('the arrows lead to the next file, files and subtitles that cannot be loaded are named, and a video without pictures plays its sound', async () => {
    const files = {
      'a.mp3': silentMp3(5),
      'b.webm': 'no video',
      'c.mp3': 'no sound',
      'd.webm': minuteOfVideo(),
      'd.srt': 'no subtitle',
      'e.mp4': silentMp3(20),
    }
    const page = await open(files, 'a.mp3')
    await button(page, 'Play').waitFor()
    for (const name of ['b.webm', 'c.mp3']) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name }).waitFor()
      await page.getByText('Preview is not available for this file.').waitFor()
      await page.getByText('The file seems to be damaged.').waitFor()
    }
    await page.getByRole('main').getByText('Download', { exact: true }).waitFor()

    await page.keyboard.press('ArrowRight')
    await player(page).getByRole('alert').getByText('The subtitles could not be loaded.').waitFor()
    await choose(page, 'Subtitles', 'Off')
    await player(page).getByRole('alert').waitFor({ state: 'detached' })

    await page.locator('#content').focus()
    await page.keyboard.press('ArrowRight')
    await player(page).getByText('This browser can only play the sound of this video.').waitFor()
    await button(page, 'Play').click()
    await eventually(() => isPaused(page), false)
  })

  // Journey: media-3
  test.skipIf(drawingPrograms.ffmpeg === null)(
    'a video in a container that the browser does not know is played, to its end and from any time',
    async () => {
      const film = readFileSync(makeMedia('film.avi', '-c:v libx264 -c:a libmp3lame', { lengthS: 60 }))
      const old = readFileSync(makeMedia('old.avi', '-c:v mpeg4', { lengthS: 2 }))
      const page = await open(
        {
          'film.avi': film,
          'old.avi': old,
          'song.wma': readFileSync(makeMedia('song.wma', '-c:a wmav2', { lengthS: 20 })),
        },
        'film.avi',
      )
      await button(page, 'Play').click()
      await playsUntil(page, 0)
      await page.keyboard.press('5')
      await playsUntil(page, 30)
      expect(await position(page).getAttribute('aria-valuetext')).toContain('of 1 minute')
      expect(await media(page).evaluate((element) => (element as HTMLVideoElement).videoWidth)).toBe(64)
      // At the very end, the element pauses, and a step back would not resume it. The last 6 s are played 16 times as
      // fast.
      await media(page).evaluate((element) => ((element as HTMLMediaElement).playbackRate = 16))
      await page.keyboard.press('9')
      await playsUntil(page, 'end')
      await page.locator('#content').focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'old.avi' }).waitFor()
      await page.getByText('This browser cannot play MPEG-4 video.').waitFor()
      await page.keyboard.press('ArrowRight')
      await player(page).getByRole('heading', { name: 'song' }).waitFor()
      await whenReady(page)
      await button(page, 'Play').click()
      await playsUntil(page, 0)
    },
  )

  test.skipIf(drawingPrograms.ffmpeg === null)(
    'a video whose sound the browser does not know goes on with sound, at the same position',
    async () => {
      const page = await open(
        { 'a.mkv': film('-c:v libx264 -c:a ac3'), 'b.mkv': film('-c:v libx264') },
        'a.mkv',
      )
      const source = () => media(page).evaluate((element) => (element as HTMLMediaElement).src.slice(0, 5))
      const decoded = () =>
        media(page).evaluate((element) =>
          Number((element as { webkitAudioDecodedByteCount?: number }).webkitAudioDecodedByteCount),
        )
      await whenReady(page)
      await page.keyboard.press('5')
      await button(page, 'Play').click()
      await eventually(source, 'blob:')
      await eventually(async () => (await decoded()) > 0, true)
      const startS = await timeOf(page)
      expect(startS).toBeGreaterThanOrEqual(30)
      await eventually(async () => (await timeOf(page)) > startS, true)
      expect(await isPaused(page)).toBe(false)
      await page.locator('#content').focus()
      const asked = page.waitForResponse((response) => response.url().endsWith('remux=codecs'))
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'b.mkv' }).waitFor()
      await whenReady(page)
      await button(page, 'Play').click()
      expect(await (await asked).json()).toMatchObject({ video: 'h264', audio: null })
      await eventually(async () => (await timeOf(page)) > 2, true)
      expect(await source()).toBe('http:')
    },
  )

  test.skipIf(drawingPrograms.ffmpeg === null)(
    'what the browser does not know is named, for pictures and for sound that the server cannot convert',
    async () => {
      const codecs = '-c:v libx265 -tag:v hvc1 -x265-params log-level=none -c:a aac'
      const hevc = readFileSync(makeMedia('hevc.mp4', codecs, { lengthS: 20 }))
      const page = await open({ 'a.mp4': hevc, 'b.mkv': film('-c:v libx264 -c:a ac3') }, 'a.mp4')
      await player(page).getByText('This browser cannot play HEVC video. Only the sound is played.').waitFor()
      await page.route('**/*remux=0.000', (route) => route.fulfill({ status: 422 }))
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: 'b.mkv' }).waitFor()
      await whenReady(page)
      await button(page, 'Play').click()
      await player(page).getByRole('alert').getByText('because this browser cannot play AC-3 sound').waitFor()
      await eventually(async () => (await timeOf(page)) > 1, true)
    },
  )

  test('the quick look has a small player, the list keeps its keys, nothing of the player is cut off on wide screens and on phones, and axe reports no violation', async () => {
    const viewports = [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]
    const page = await open({ ...filmFiles, ...songFiles }, 'clip.webm')
    await button(page, 'Play').waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, 'clip.webm').waitFor()
    await page.keyboard.press('Space')
    await button(page, 'Play').click()
    await eventually(() => isPaused(page), false)
    expect(await button(page, /^Speed/).count()).toBe(0)
    await cues(page).getByText('Good morning').waitFor()
    await rowOf(page, 'clip.webm').focus()
    await page.keyboard.press('Space')
    await player(page).waitFor({ state: 'detached' })

    await rowOf(page, 'clip.webm').dblclick()
    const rightEdge = async (name: string) => {
      const box = await button(page, name).boundingBox()
      return (box?.x ?? NaN) + (box?.width ?? NaN)
    }
    for (const viewport of viewports) {
      await page.setViewportSize(viewport)
      for (const name of ['Play', 'Subtitles', 'Full screen'])
        await eventually(
          async () => [viewport, name, (await rightEdge(name)) <= viewport.width],
          [viewport, name, true],
        )
      expect([viewport, await violationsIn(page, 'light')]).toEqual([viewport, []])
    }
    await page.keyboard.press('Home')
    await player(page).getByRole('heading', { name: 'Sól & máni' }).waitFor()
    for (const viewport of viewports) {
      await page.setViewportSize(viewport)
      await eventually(
        async () => [viewport, (await rightEdge('Repeat: off')) <= viewport.width],
        [viewport, true],
      )
      const [repeat, play] = [button(page, 'Repeat: off'), button(page, 'Play')]
      await eventually(async () => (await repeat.boundingBox())?.y === (await play.boundingBox())?.y, true)
      expect([viewport, await violationsInBothThemes(page)]).toEqual([viewport, []])
    }
  })
})
