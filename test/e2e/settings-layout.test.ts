import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada, ann, type RunningServer } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = {
  team: { docs: { 'a.txt': 'a' }, secret: { 'key.pem': 'k' } },
  'a folder with a long name': { inner: {} },
}

/** The pages of the settings, with the heading that names each of them. */
const pages = [
  ['profile', 'Profile Settings'],
  ['shares', 'Share Management'],
  ['global', 'Global Settings'],
  ['users', 'Users'],
  ['users/new', 'New User'],
  ['users/2', 'User ann'],
  ['audit', 'Audit log'],
  ['takeover', 'Moved from File Browser'],
] as const

/**
 * Returns the words of at most 12 letters that are broken into several lines, and the parts of the page that are wider than
 * the window. Longer words do not fit into a line of the largest text. It runs in the page.
 */
const layoutFaults = (): readonly string[] => {
  const main = document.querySelector('main')!
  const range = document.createRange()
  const faults: string[] = []
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    // The headings of tables are only for screen readers here, and the options of the server have long names.
    if (node.parentElement!.closest('thead, nav, .visually-hidden, code') !== null) continue
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(
      /(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,12}(?![\p{L}\p{N}])/gu,
    )) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)))
      if (lines.size > 1) faults.push(`${word} has ${lines.size} lines`)
    }
  }
  for (const element of main.querySelectorAll('*')) {
    const { width, right } = element.getBoundingClientRect()
    if (width > 1 && right > innerWidth + 1 && element.closest('nav, svg') === null)
      faults.push(`${element.tagName} ${element.textContent.slice(0, 30)} ends at ${Math.round(right)}`)
  }
  return faults
}

/** Returns true when an element takes the focus, or when a press on its middle reaches it. It runs in the page. */
const isReachable = (element: HTMLElement | SVGElement): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect()
  element.focus()
  return (
    document.activeElement === element ||
    element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  )
}

/** Shows a page of the settings with its content. */
async function show(page: Page, server: RunningServer, [address, heading]: (typeof pages)[number]) {
  await page.goto(`${server.url}/settings/${address}`)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

atRoot({ files, people: [ada, ann] }, ({ server, freshWindow }) => {
  test.each([
    [390, 100],
    [320, 100],
    [390, 200],
    [1280, 200],
  ])(
    'no page of the settings scrolls sideways or breaks words at %i pixels with text of %i percent',
    async (width, percent) => {
      const page = await freshWindow({ viewport: { width, height: 844 } })
      await signIn(page, server(), ada)
      await page.evaluate(async () => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        for (const at of ['team/docs/', 'a%20folder%20with%20a%20long%20name/inner/']) {
          const body = JSON.stringify({ password: 'abc', expires: '5', unit: 'days' })
          await fetch(`/api/share/${at}`, { method: 'POST', headers, body })
        }
        const user = { id: 2, rules: [{ allow: false, regex: false, path: '/docs', regexp: { raw: '' } }] }
        const data = {
          what: 'user',
          which: ['rules'],
          data: user,
          current_password: 'ada has a long password',
        }
        await fetch('/api/users/2', { method: 'PUT', headers, body: JSON.stringify(data) })
      })
      await page.addInitScript(
        (size) =>
          document.addEventListener(
            'DOMContentLoaded',
            () => (document.documentElement.style.fontSize = size),
          ),
        `${percent}%`,
      )
      const faults: string[] = []
      for (const one of pages) {
        await show(page, server(), one)
        const headings = await page.getByRole('heading', { level: 1 }).count()
        if (headings !== 1) faults.push(`${one[0]}: ${headings} headings`)
        if (one[0] === 'users/2') {
          await page.getByLabel('Try a path').fill('/team')
          await page.getByRole('region', { name: 'Entries in this folder' }).waitFor()
        }
        faults.push(...(await page.evaluate(layoutFaults)).map((fault) => `${one[0]}: ${fault}`))
      }
      expect(faults).toEqual([])
    },
  )

  test('on a phone, each user is a card that names administrators in words', async () => {
    const page = await freshWindow({ viewport: { width: 390, height: 844 } })
    await signIn(page, server(), ada, '/settings/users')
    const rows = page.getByRole('region', { name: 'Users' }).locator('tbody tr')
    await rows.filter({ hasText: 'ann' }).waitFor()
    expect(await rows.filter({ hasText: 'ada' }).getByText('Administrator').isVisible()).toBe(true)
    expect(await rows.filter({ hasText: 'ann' }).getByText('Administrator').count()).toBe(0)
    expect(await rows.evaluateAll((all) => all.map((row) => getComputedStyle(row).display))).toEqual([
      'grid',
      'grid',
    ])
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  test('a notice stays below the dialog that asks for a login after the session has ended', async () => {
    const page = await freshWindow()
    await signIn(page, server(), ada, '/settings/audit')
    let status = 500
    await page.route('**/api/audit/export*', (route) => route.fulfill({ status }))
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const close = page.locator('[data-part="notices"]').getByRole('button', { name: 'Close' })
    await close.waitFor()
    status = 401
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const question = page.getByRole('dialog', { name: 'Your session has ended. Log in to continue.' })
    await question.waitFor()
    const button = page.locator('[data-part="notices"] button').first()
    expect(await button.evaluate(isReachable)).toBe(false)
    status = 500
    await question.getByLabel('Password', { exact: true }).fill(ada.password)
    await question.getByRole('button', { name: 'Login' }).click()
    await question.waitFor({ state: 'detached' })
    await eventually(() => button.evaluate(isReachable), true)
  })
})
