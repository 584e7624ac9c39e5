import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'
import { muted, playbackSpeed, soundVolume, subtitleChoice } from './player-preferences.ts'

beforeAll(async () => commands.addFiles('media'))
beforeEach(() => {
  // The positions in videos are kept in the storage.
  localStorage.clear()
  playbackSpeed.set(1)
  soundVolume.set('1')
  muted.set('off')
  subtitleChoice.set('first')
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const position = page.getByRole('slider', { name: 'Position' })
const video = () => {
  const element = document.querySelector('video')
  if (element === null) throw new Error('No video is shown.')
  return element
}
const press = async (keys: string) => userEvent.keyboard(keys)
const time = () => Math.floor(video().currentTime)
const expectTime = async (timeS: number) => expect.poll(time).toBe(timeS)
const expectPaused = async (paused: boolean) => expect.poll(() => video().paused).toBe(paused)
const cues = () => [...document.querySelectorAll('[data-part="cues"]')]
const cueText = () =>
  cues()
    .map(({ textContent }) => textContent)
    .join('')
const expectCue = async (text: string) => expect.poll(cueText).toContain(text)

/** Shows the video, and waits until its length is known, before which no key can change the position. */
async function showClip(options = {}) {
  const rendering = await showFile('/media/clip.webm', options)
  await expect.poll(() => video().readyState).toBeGreaterThan(0)
  return rendering
}

async function choose(menu: string, item: string | RegExp): Promise<void> {
  await button(menu).click()
  await page.getByRole('menuitem', { name: item }).click()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
}

// Journey: media-1
test('a video is played by its button, by Space, by K and by a click', async () => {
  await showClip()
  await button('Play').click()
  await expectPaused(false)
  await expect.poll(time).toBeGreaterThan(0)
  await press('k')
  await expectPaused(true)
  await userEvent.click(video(), { position: { x: 100, y: 100 } })
  await expectPaused(false)
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await press(' ')
  await expectPaused(true)
})

test('a digit goes to a part of the video, and L and J 10 seconds on and back', async () => {
  await showClip()
  await press('5')
  await expectTime(30)
  await press('l')
  await expectTime(40)
  await press('j')
  await expectTime(30)
})

test('the keys of the slider change the position, which it says', async () => {
  await showClip()
  await press('5')
  await expectTime(30)
  position.element().focus()
  await press('{ArrowRight}{PageUp}')
  await expectTime(41)
  await expect.element(position).toHaveAttribute('aria-valuetext', '41 seconds of 1 minute')
  await press('{Home}')
  await expectTime(0)
})

const opacity = () => getComputedStyle(page.getByRole('toolbar').element()).opacity

const moveTo = async (x: number) => userEvent.hover(video(), { position: { x, y: 300 } })

test('the controls hide while nothing moves, and come back with the mouse and with a key', async () => {
  await showClip()
  await button('Play').click()
  await expectPaused(false)
  await moveTo(500)
  await expect.poll(opacity).toBe('0')
  await moveTo(520)
  await expect.poll(opacity).toBe('1')
  await expect.poll(opacity).toBe('0')
  position.element().focus()
  await press('{ArrowRight}')
  await expect.poll(opacity).toBe('1')
})

test('a video is shown in a small window and back', async () => {
  // A browser without a screen has no small windows, so the test answers the calls as one with a screen does.
  let shown: Element | null = null
  const change = (element: Element, to: Element | null): void => {
    shown = to
    element.dispatchEvent(new Event(to === null ? 'leavepictureinpicture' : 'enterpictureinpicture'))
  }
  const request = Object.getOwnPropertyDescriptor(HTMLVideoElement.prototype, 'requestPictureInPicture') ?? {}
  const exitPictureInPicture = async (): Promise<void> => {
    if (shown !== null) change(shown, null)
  }
  Object.defineProperty(document, 'pictureInPictureEnabled', { get: () => true, configurable: true })
  Object.defineProperty(document, 'pictureInPictureElement', { get: () => shown, configurable: true })
  Object.defineProperty(document, 'exitPictureInPicture', { value: exitPictureInPicture, configurable: true })
  HTMLVideoElement.prototype.requestPictureInPicture = async function answer(this: HTMLVideoElement) {
    change(this, this)
    return null as unknown as PictureInPictureWindow
  }
  onTestFinished(() => {
    for (const name of ['pictureInPictureEnabled', 'pictureInPictureElement', 'exitPictureInPicture'])
      Reflect.deleteProperty(document, name)
    Object.defineProperty(HTMLVideoElement.prototype, 'requestPictureInPicture', request)
  })
  await showClip()
  const small = button('Picture in picture')
  await small.click()
  await expect.poll(() => shown).toBe(video())
  await expect.element(small).toHaveAttribute('aria-pressed', 'true')
  await small.click()
  await expect.poll(() => shown).toBeNull()
  await expect.element(small).toHaveAttribute('aria-pressed', 'false')
})

// Journey: media-2
test('the subtitles of the first language are shown with their emphasis and without their markup', async () => {
  await showClip()
  await press('5')
  await expectCue('Good morning')
  expect(document.querySelector('[data-part="cues"] i')?.textContent).toBe('morning')
  expect('hacked' in globalThis).toBe(false)
})

test('the subtitles are chosen from a menu, and hidden by C', async () => {
  await showClip()
  await press('5')
  await choose('Subtitles', 'clip.is.vtt')
  await expectCue('Góðan daginn')
  await choose('Subtitles', 'clip.fr.ass')
  await expectCue('Bonjour à tous')
  await press('c')
  await expect.poll(cueText).toBe('')
  await choose('Subtitles', 'clip.en.srt')
  await expectCue('Good morning')
})

test('subtitles that cannot be loaded are named until they are hidden', async () => {
  await showFile('/media/broken subtitle.webm')
  await expect.element(page.getByText('The subtitles could not be loaded.')).toBeVisible()
  await choose('Subtitles', /^Off/)
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('the speed is chosen from a menu, and changed by keys', async () => {
  await showClip()
  await choose('Speed: 1×', '2×')
  await expect.element(button('Speed: 2×')).toBeVisible()
  await expect.poll(() => video().playbackRate).toBe(2)
  await press('<')
  await expect.poll(() => video().playbackRate).toBe(1.75)
})

const sound = () => ({ volume: video().volume, muted: video().muted })

test('the volume is changed by keys, and the sound is switched off and on', async () => {
  await showClip()
  page.getByRole('slider', { name: 'Volume' }).element().focus()
  await press(`{Home}${'{ArrowRight}'.repeat(8)}`)
  await expect.poll(sound).toEqual({ volume: 0.4, muted: false })
  await press('m')
  await expect.poll(sound).toEqual({ volume: 0.4, muted: true })
  await button('Unmute').click()
  await expect.poll(sound).toEqual({ volume: 0.4, muted: false })
})

test('a video continues at its position, and starts over when the user wants', async () => {
  const first = await showClip()
  await press('5')
  await expectTime(30)
  first.end()
  const second = await showClip()
  await expect.element(page.getByText(/Continues at 0:30\./)).toBeVisible()
  await expectTime(30)
  await button('Start over').click()
  await expectTime(0)
  await expect.element(page.getByText(/Continues at 0:30\./)).not.toBeInTheDocument()
  second.end()
  await showClip()
  expect(time()).toBe(0)
})

test('a video without pictures plays its sound', async () => {
  await showFile('/media/only sound.mp4')
  await expect.element(page.getByText('This browser can only play the sound of this video.')).toBeVisible()
  await button('Play').click()
  await expectPaused(false)
})

test('the quick look has a small player', async () => {
  await showClip({ isQuick: true })
  await button('Play').click()
  await expectPaused(false)
  expect(button(/^Speed/).elements()).toEqual([])
  await expectCue('Good morning')
})

test.each([1280, 390, 320])(
  'at %i pixels no control is cut off, and axe reports no violation',
  async (width) => {
    await page.viewport(width, 800)
    await showClip()
    for (const name of ['Play', 'Subtitles', 'Full screen'])
      await expect
        .poll(() => button(name).query()?.getBoundingClientRect().right ?? Infinity)
        .toBeLessThanOrEqual(width)
    expect(await violations()).toEqual([])
    await page.viewport(1280, 800)
  },
)
