import { useState } from 'react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import { fileOf, render, showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'
import type { ViewedFile } from '../viewer.ts'
import { AudioViewer } from './audio-viewer.tsx'
import { repeatMode, shuffle } from './play-order.ts'

beforeAll(async () => commands.addFiles('media'))
beforeEach(() => {
  repeatMode.set('off')
  shuffle.set('off')
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
/** Presses a line of the list. A long name is in two parts, of which the second can take the place of the first. */
async function press(name: string): Promise<void> {
  const lines = [...document.querySelectorAll('ol button')]
  await userEvent.click(lines.find(({ textContent }) => textContent.includes(name)) ?? document.body)
}
const audio = () => document.querySelector('audio')
const expectPaused = async (paused: boolean) => expect.poll(() => audio()?.paused).toBe(paused)
const expectCurrent = async (name: string) =>
  expect.poll(() => document.querySelector('[aria-current="true"]')?.textContent).toBe(name)
const expectTitle = async (name: string) => expect.element(page.getByRole('heading', { name })).toBeVisible()

/** A folder of songs, of which one is open. */
function Songs({ files }: { readonly files: readonly ViewedFile[] }) {
  const [open, setOpen] = useState(0)
  const file = files[open]
  if (file === undefined) return null
  return (
    <AudioViewer
      key={file.name}
      file={file}
      isQuick={false}
      neighboursOf={() =>
        files.map(({ name, type }, at) => ({ name, type, isOpen: at === open, open: () => setOpen(at) }))
      }
      onBroken={() => undefined}
    />
  )
}

async function showSongs(): Promise<void> {
  const names = ['1 first.mp3', '2 second.mp3', '3 third.mp3']
  const files = await Promise.all(names.map(async (name) => fileOf(`/media/${name}`)))
  await render(<Songs files={files} />)
  await expectTitle('Sól & máni')
}

test('a song shows its title, its artist and its cover, and waits', async () => {
  await showFile('/media/1 first.mp3')
  await expectTitle('Sól & máni')
  await expect.element(page.getByText('Ásgerður')).toBeVisible()
  await expect.poll(() => document.querySelector('img')?.naturalWidth).toBe(40)
  await expectPaused(true)
})

test('a song without tags has its name as its title, also in the controls of the system', async () => {
  await showFile('/media/3 third.mp3')
  await expectTitle('3 third')
  await expect.poll(() => navigator.mediaSession.metadata?.title).toBe('3 third')
})

test('the next song plays when one ends, and the last one has no next', async () => {
  await showSongs()
  await expectCurrent('1 first.mp3')
  await button('Play').click()
  await expectTitle('2 second')
  await expectCurrent('2 second.mp3')
  await expectPaused(false)
  await button('Next audio file').click()
  await expectCurrent('3 third.mp3')
  await expect.element(button('Next audio file')).toHaveAttribute('aria-disabled', 'true')
  await expectPaused(true)
})

test('a song is chosen in the list', async () => {
  await showSongs()
  await press('2 second')
  await expectTitle('2 second')
  await press('1 first')
  await expectTitle('Sól & máni')
})

test('all songs are repeated, or one, or none', async () => {
  await showSongs()
  await press('3 third')
  await expectCurrent('3 third.mp3')
  await button('Repeat: off').click()
  await expect.element(button('Repeat: all files')).toBeVisible()
  await button('Next audio file').click()
  await expectCurrent('1 first.mp3')
  await button('Repeat: all files').click()
  await button('Repeat: this file').click()
  await expect.element(button('Repeat: off')).toBeVisible()
})

test('the random order is switched on', async () => {
  await showSongs()
  await button('Random order').click()
  await expect.element(button('Random order')).toHaveAttribute('aria-pressed', 'true')
})

const boxOf = (name: string) => button(name).query()?.getBoundingClientRect()

test.each([1280, 390, 320])(
  'at %i pixels the controls are in one row inside the window, and axe reports no violation',
  async (width) => {
    await page.viewport(width, 800)
    await showSongs()
    await expect.poll(() => boxOf('Repeat: off')?.right ?? Infinity).toBeLessThanOrEqual(width)
    await expect.poll(() => boxOf('Repeat: off')?.y === boxOf('Play')?.y).toBe(true)
    expect(await violations('light')).toEqual([])
    expect(await violations('dark')).toEqual([])
    await page.viewport(1280, 800)
  },
)
