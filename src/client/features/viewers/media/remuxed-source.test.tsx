import { afterEach, beforeAll, beforeEach, expect, test, type TestContext } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { fileOf, showFile } from '../../../../../test/components/show-file.tsx'

beforeAll(async () => commands.addFiles('converted'))
beforeEach(() => localStorage.clear())
afterEach(async () => commands.mendRequests())

/** The time in milliseconds in which the server has converted what a test waits for. On a busy machine, it takes many seconds. */
const timeout = 40_000
const media = () => document.querySelector<HTMLMediaElement>('video, audio')
const sourceStart = () => media()?.src.slice(0, 5)
const play = async () => page.getByRole('button', { name: 'Play' }).click()
const expectPlayedTo = async (timeS: number) =>
  expect.poll(() => media()?.currentTime ?? 0, { timeout }).toBeGreaterThan(timeS)
const expectText = async (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible()

/** Shows a file that the server converts. Skips the test on a machine without the program for it, which has no such files. */
async function showConverted(name: string, { skip }: TestContext): Promise<void> {
  const isThere = await fileOf(`/converted/${name}`).catch(() => null)
  skip(isThere === null, 'This machine has no ffmpeg.')
  expect(isThere?.remuxAddress).toEqual(expect.any(String))
  await showFile(`/converted/${name}`)
}
const expectReady = async () => expect.poll(() => media()?.readyState ?? 0, { timeout }).toBeGreaterThan(0)

// Journey: media-3
test('a video in a container that the browser does not know is played from any time to its end', async (context) => {
  await showConverted('film.avi', context)
  await play()
  await expectPlayedTo(0)
  await userEvent.keyboard('5')
  await expectPlayedTo(30)
  await expect
    .element(page.getByRole('slider', { name: 'Position' }))
    .toHaveAttribute('aria-valuetext', expect.stringContaining('of 1 minute'))
  expect(document.querySelector('video')?.videoWidth).toBe(64)
  // At the very end, the element pauses, and a step back would not resume it. The last 6 s are played 16 times as fast.
  const element = media()
  if (element !== null) element.playbackRate = 16
  await userEvent.keyboard('9')
  await expect.poll(() => media()?.ended, { timeout }).toBe(true)
})

test('sound in a format that the browser does not know is played', async (context) => {
  await showConverted('song.wma', context)
  await expectReady()
  await play()
  await expectPlayedTo(0)
})

test('a video that the server cannot convert names its format', async (context) => {
  await showConverted('old.avi', context)
  await expectText(/This browser cannot play MPEG-4 video\./)
})

test('a video whose sound the browser does not know goes on with sound, at the same position', async (context) => {
  await showConverted('other sound.mkv', context)
  await expectReady()
  await userEvent.keyboard('5')
  await play()
  await expect.poll(sourceStart, { timeout }).toBe('blob:')
  const decoded = () =>
    Number((media() as { webkitAudioDecodedByteCount?: number } | null)?.webkitAudioDecodedByteCount)
  await expect.poll(decoded, { timeout }).toBeGreaterThan(0)
  const startS = media()?.currentTime ?? 0
  expect(startS).toBeGreaterThanOrEqual(30)
  await expectPlayedTo(startS)
  expect(media()?.paused).toBe(false)
})

test('a video without sound is not converted', async (context) => {
  await showConverted('no sound.mkv', context)
  await expectReady()
  await play()
  await expectPlayedTo(2)
  const asked = performance.getEntriesByType('resource').map(({ name }) => name)
  expect(asked.some((name) => name.endsWith('no%20sound.mkv?remux=codecs'))).toBe(true)
  expect(sourceStart()).toBe('http:')
})

test('pictures in a format that the browser does not know are named, and the sound is played', async (context) => {
  await showConverted('hevc.mp4', context)
  await expectText('This browser cannot play HEVC video. Only the sound is played.')
})

test('sound that the server cannot convert is named, and the video is played without it', async (context) => {
  await commands.breakRequests({ pattern: 'remux=0\\.000$', answer: { status: 422 } })
  await showConverted('other sound.mkv', context)
  await expectReady()
  await play()
  await expectText(/because this browser cannot play AC-3 sound/)
  await expectPlayedTo(1)
})
