import { Pause, Play, RotateCw } from 'lucide'
import { useState } from 'react'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../../test/components/show-file.tsx'
import { keyPressed, startKeyScopes } from '../../../ui/keyboard/key-scopes.ts'
import { ViewerFrame } from './viewer-frame.tsx'

beforeAll(() => startKeyScopes(document))

type PagesProps = { readonly isQuick?: boolean; readonly onEnd?: () => void }

/** A viewer of three pages, with a rare tool. */
function Pages({ isQuick = false, onEnd = () => undefined }: PagesProps) {
  const [position, setPosition] = useState(1)
  return (
    <ViewerFrame
      look="document"
      isQuick={isQuick}
      keys={{ End: onEnd, Home: () => false }}
      toolbar={{
        label: 'Tools',
        tools: [
          { kind: 'position', unit: 'page', position, total: 3, onGo: setPosition, hasKeys: true },
          { icon: RotateCw, label: 'Rotate', isRare: true, run: () => undefined },
        ],
      }}
    >
      <p>Page {position}</p>
    </ViewerFrame>
  )
}

const isShown = async (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible()

test('a tool runs at its key, and a tool that is blocked does nothing', async () => {
  await render(<Pages />)
  await isShown('Page 1')
  await userEvent.keyboard('{PageDown}{PageDown}')
  await isShown('Page 3')
  await userEvent.keyboard('{PageDown}')
  await expect.element(page.getByRole('status')).toHaveTextContent('3 of 3')
})

test('a key that no tool has runs a function of the viewer, which may leave the key to the page', async () => {
  let ends = 0
  await render(<Pages onEnd={() => (ends += 1)} />)
  await isShown('Page 1')
  const used: boolean[] = []
  onTestFinished(keyPressed.subscribe((event) => used.push(event.defaultPrevented)))
  await userEvent.keyboard('{End}{Home}')
  expect([ends, used]).toEqual([1, [true, false]])
})

test('the keys are those of the listing in the quick look', async () => {
  await render(<Pages isQuick />)
  await isShown('Page 1')
  await userEvent.keyboard('{PageDown}')
  await expect.element(page.getByRole('status')).toHaveTextContent('1 of 3')
})

test('a rare tool is in a menu in a narrow window', async () => {
  await page.viewport(390, 800)
  await render(<Pages />)
  await expect.element(page.getByRole('button', { name: 'More' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Rotate' }).elements()).toEqual([])
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Rotate' })).toBeVisible()
  await page.viewport(1280, 800)
  await expect.element(page.getByRole('button', { name: 'Rotate' })).toBeVisible()
})

function Player() {
  const [isPlaying, setPlaying] = useState(false)
  return (
    <ViewerFrame
      look="stage"
      toolbar={{
        label: 'Player',
        tools: [
          isPlaying && { icon: RotateCw, label: 'Start over', run: () => undefined },
          {
            icon: isPlaying ? Pause : Play,
            label: isPlaying ? 'Pause' : 'Play',
            run: () => setPlaying(!isPlaying),
          },
        ],
      }}
    >
      <p>Film</p>
    </ViewerFrame>
  )
}

test('a button keeps the focus when its label changes and another tool appears before it', async () => {
  await render(<Player />)
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.element(page.getByRole('button', { name: 'Start over' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toHaveFocus()
})
