import { RotateCw, X } from 'lucide'
import { useRef } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../test/components/show-file.tsx'
import { ViewerFrame } from '../../features/viewers/frame/viewer-frame.tsx'
import { IconButton } from '../icon-button.tsx'
import { MenuButton } from '../menu-button.tsx'
import { FileFrame } from './file-frame.tsx'
import { useIdleMark } from './use-idle-mark.ts'

/** A picture that covers the whole screen. */
function Picture() {
  const frame = useRef<HTMLElement>(null)
  useIdleMark(frame, { isOn: true, wakesByKeys: false })
  return (
    <article ref={frame} data-whole-screen style={{ position: 'fixed', inset: 0 }}>
      <FileFrame
        file={{ name: 'a.jpg', type: 'image' }}
        look="whole"
        facts="1 of 2"
        start={<IconButton icon={X} label="Close" />}
        end={
          <MenuButton
            icon={X}
            label="More"
            entries={[{ id: 'rename', label: 'Rename', run: () => undefined }]}
          />
        }
      >
        <ViewerFrame
          look="stage"
          toolbar={{ label: 'Zoom', tools: [{ icon: RotateCw, label: 'Rotate', run: () => undefined }] }}
        >
          <p style={{ margin: 'auto' }}>Picture</p>
        </ViewerFrame>
      </FileFrame>
    </article>
  )
}

const opacity = (): string => {
  const bar = document.querySelector('article header')
  return bar === null ? 'none' : getComputedStyle(bar).opacity
}
const becomes = (value: '0' | '1') => expect.poll(opacity, { timeout: 4000 }).toBe(value)
const picture = page.getByText('Picture')

/** Touches the middle of the picture with a finger. */
function tap(): void {
  const { left, top, width, height } = picture.element().getBoundingClientRect()
  for (const type of ['pointerdown', 'pointerup'])
    picture.element().dispatchEvent(
      new PointerEvent(type, {
        pointerType: 'touch',
        pointerId: 7,
        bubbles: true,
        clientX: left + width / 2,
        clientY: top + height / 2,
      }),
    )
}

test('the bar fades while the mouse rests for 1.5 s, and a movement brings it back', async () => {
  await render(<Picture />)
  await userEvent.hover(picture)
  await becomes('1')
  const startMs = performance.now()
  await becomes('0')
  expect(performance.now() - startMs).toBeGreaterThan(1000)
  await userEvent.hover(picture, { position: { x: 3, y: 3 } })
  await becomes('1')
})

test('the bar stays while the keyboard has its focus in it, or a menu is open, and its buttons can be reached while it is faded', async () => {
  await render(<Picture />)
  await userEvent.hover(picture)
  await becomes('0')
  await expect.element(page.getByRole('button', { name: 'Rotate' })).toBeInTheDocument()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus()
  await becomes('1')
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(opacity()).toBe('1')

  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(opacity()).toBe('1')
  await userEvent.keyboard('{Escape}')
})

test('a tap shows and hides the bar for good, and a double tap leaves it as it is', async () => {
  await render(<Picture />)
  await userEvent.hover(picture)
  await becomes('0')
  tap()
  await becomes('1')
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(opacity()).toBe('1')
  let changes = 0
  const observer = new MutationObserver((records) => (changes += records.length))
  observer.observe(document.querySelector('[data-whole-screen]')!, { attributeFilter: ['data-idle'] })
  tap()
  tap()
  await new Promise((resolve) => setTimeout(resolve, 500))
  observer.disconnect()
  expect([opacity(), changes]).toEqual(['1', 0])
  tap()
  await becomes('0')
})

test('the tools of the viewer are in the bar, and float above the picture in a narrow window', async () => {
  await render(<Picture />)
  const tools = page.getByRole('toolbar', { name: 'Zoom' })
  await expect.element(tools).toBeInTheDocument()
  expect(tools.element().closest('header')).not.toBeNull()
  await page.viewport(390, 800)
  await expect.poll(() => tools.element().closest('header')).toBeNull()
  await page.viewport(1280, 800)
})
