import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '../../../../../test/components/show-file.tsx'
import { FilmStrip } from './film-strip.tsx'
import type { PictureSequence } from './siblings.ts'

const total = 10_000

/** Pictures without content, which have no thumbnail. */
const pictures = (openIndex: number): PictureSequence => ({
  total,
  openIndex,
  entryAt: (index) => ({
    name: `${index}.jpg`,
    isFolder: false,
    isLink: false,
    isBroken: false,
    sizeBytes: 0,
    modifiedMs: 0,
    type: 'image',
  }),
})

function Strip() {
  const [open, setOpen] = useState(5000)
  return (
    <>
      <button type="button" onClick={() => setOpen(open + 1)}>
        Next
      </button>
      <div style={{ position: 'fixed', inset: 0, insetBlockStart: '50vh' }}>
        <FilmStrip
          pictures={pictures(open)}
          thumbnailOf={() => ''}
          onOpen={({ name }) => setOpen(Number.parseInt(name, 10))}
        />
      </div>
    </>
  )
}

const strip = page.getByRole('navigation', { name: 'Film strip' })
const item = (index: number) => page.getByRole('button', { name: `${index}.jpg`, exact: true })

test('of 10,000 pictures only those near the visible part are in the document, with the open one in the middle', async () => {
  await render(<Strip />)
  await expect.element(item(5000)).toBeVisible()
  expect(strip.getByRole('button').elements().length).toBeLessThan(50)
  const { left, width } = item(5000).element().getBoundingClientRect()
  expect(Math.abs(left + width / 2 - innerWidth / 2)).toBeLessThan(40)

  strip.element().scrollLeft = 0
  await expect.element(item(0)).toBeVisible()
  expect(strip.getByRole('button').elements().length).toBeLessThan(50)
  // The open picture stays the stop of Tab.
  expect(item(5000).element().tabIndex).toBe(0)
  await item(2).click()
  await expect.element(item(2)).toHaveAttribute('aria-current', 'true')
})

test('the focus follows the open picture', async () => {
  await render(<Strip />)
  await expect.element(item(5000)).toBeVisible()
  item(5000).element().focus()
  page
    .getByRole('button', { name: 'Next' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(item(5001)).toHaveFocus()
  expect(item(5000).element().tabIndex).toBe(-1)
})

test('the wheel of a mouse scrolls the strip', async () => {
  await render(<Strip />)
  await expect.element(item(5000)).toBeVisible()
  const before = strip.element().scrollLeft
  await userEvent.wheel(strip, { delta: { y: 300 } })
  await expect.poll(() => strip.element().scrollLeft).toBeGreaterThan(before)
})
