import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { transparentPng } from '../kit/images.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, eventually, nextFrames } from './journeys.ts'

const picture = await transparentPng()
const files = { Docs: { 'inside.txt': 'x', 'inside.png': picture }, 'a.png': picture, 'b.png': picture }

/** Matches the buttons of the page whose tooltip is drawn by the style sheet. */
const buttonsWithTooltip = 'button[aria-label]:has(> [data-text])'

/**
 * Returns what is wrong with the tooltip of a button that has the pointer or the focus: it is not shown, it covers its button, or a part of
 * it is outside of the window.
 */
const faultOf = (page: Page, index: number): Promise<string | null> =>
  page.evaluate(
    ([selector, at]) => {
      const button = document.querySelectorAll<HTMLElement>(selector)[at]
      const tip = [...(button?.children ?? [])].find(
        (part) => part.getAttribute('data-text') === button?.ariaLabel,
      )
      if (button === undefined || tip === undefined) return 'no tooltip'
      if (getComputedStyle(tip).visibility !== 'visible') return `${button.ariaLabel}: not shown`
      const [one, other] = [button.getBoundingClientRect(), tip.getBoundingClientRect()]
      const isCovered =
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
      if (isCovered) return `${button.ariaLabel}: covered by its tooltip`
      const isOutside =
        other.left < 0 || other.top < 0 || other.right > innerWidth || other.bottom > innerHeight
      return isOutside ? `${button.ariaLabel}: the tooltip is outside of the window` : null
    },
    [buttonsWithTooltip, index] as const,
  )

/** Gives the pointer and then the focus to each visible button with a tooltip. Returns their number, and what is wrong. */
async function checkTooltips(page: Page): Promise<{ readonly count: number; readonly faults: string[] }> {
  const buttons = page.locator(buttonsWithTooltip)
  const faults: string[] = []
  let count = 0
  // A key press lets the browser show the focus of elements that get it from a script.
  await page.keyboard.press('Shift')
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index)
    const box = await button.boundingBox()
    if (box === null || !(await button.isVisible()) || !(await isReachable(page, index))) continue
    count += 1
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await nextFrames(page)
    const hovered = await faultOf(page, index)
    await page.mouse.move(1, 1)
    await button.focus()
    const focused = await faultOf(page, index)
    faults.push(...new Set([hovered, focused].filter((fault) => fault !== null)))
    if ((await button.getAttribute('aria-haspopup')) === null) continue
    await button.press('Enter')
    const opened = page.locator('[role="menu"], [role="dialog"]').first()
    await opened.waitFor()
    if ((await faultOf(page, index))?.endsWith('not shown') === false)
      faults.push(`the tooltip stays when ${await button.getAttribute('aria-label')} opens something`)
    await eventually(() => opened.evaluate((part) => part.contains(document.activeElement)), true)
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  return { count, faults }
}

/** True when the pointer reaches the middle of a button. */
const isReachable = (page: Page, index: number): Promise<boolean> =>
  page.evaluate(
    ([selector, at]) => {
      const button = document.querySelectorAll(selector)[at]
      const { left = 0, top = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {}
      return button?.contains(document.elementFromPoint(left + width / 2, top + height / 2)) ?? false
    },
    [buttonsWithTooltip, index] as const,
  )

atRoot({ files, people: [ann] }, ({ server, window }) => {
  // Journey: tooltips-1
  test.each([
    ['wide', { width: 1440, height: 900 }],
    ['narrow', { width: 390, height: 844 }],
  ])(
    'in a %s window, no tooltip covers its button or leaves the window, and each goes when its button opens something',
    async (_, viewport) => {
      const page = await window({ viewport })
      await signIn(page, server(), ann, '/files/Docs/')
      await rowOf(page, 'inside.txt').waitFor()
      await page.waitForLoadState('networkidle')
      const found: Record<string, { readonly count: number; readonly faults: string[] }> = {}
      found['listing'] = await checkTooltips(page)
      await rowOf(page, 'inside.txt').click()
      found['selection'] = await checkTooltips(page)
      await page.goto(`${server().url}/files/a.png`)
      await page.getByRole('button', { name: 'Close the file' }).waitFor()
      await page.waitForLoadState('networkidle')
      found['viewer'] = await checkTooltips(page)
      const link = await page.evaluate(async () => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        const response = await fetch('/api/share/Docs/', { method: 'POST', headers, body: '{}' })
        return `/share/${((await response.json()) as { hash: string }).hash}`
      })
      await page.goto(server().url + link)
      await rowOf(page, 'inside.txt').waitFor()
      await page.waitForLoadState('networkidle')
      found['share page'] = await checkTooltips(page)
      expect(Object.values(found).flatMap(({ faults }) => faults)).toEqual([])
      for (const [screen, { count }] of Object.entries(found))
        expect([screen, count > 0]).toEqual([screen, true])
    },
  )
})
