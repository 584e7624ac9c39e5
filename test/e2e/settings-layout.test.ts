import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada, ann, type RunningServer } from '../kit/run-server.ts'
import { atRoot, eventually, isUncovered } from './journeys.ts'

const files = {
  team: { docs: { 'a.txt': 'a' }, secret: { 'key.pem': 'k' } },
  'a folder with a long name': { inner: {} },
}

/** The pages of the settings, with the heading that names each of them. */
const pages = [
  ['profile', 'Profile Settings'],
  ['shares', 'Share Management'],
  ['server', 'Server status'],
  ['global', 'Global Settings'],
  ['users', 'Users'],
  ['users/new', 'New User'],
  ['users/2', 'User ann'],
  ['audit', 'Audit log'],
  ['doctor', 'Diagnosis'],
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

/** Shows a page of the settings with its content. */
async function show(page: Page, server: RunningServer, [address, heading]: (typeof pages)[number]) {
  await page.goto(`${server.url}/settings/${address}`)
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

/** The widths of the window in pixels, with the size of texts in percent. */
const layouts = [
  [390, 100],
  [320, 100],
  [390, 200],
  [1280, 200],
] as const

/** Gives texts another size, and waits until the page has been laid out with it. It runs in the page. */
const setTextSize = async (percent: number): Promise<void> => {
  document.documentElement.style.fontSize = `${percent}%`
  for (let frame = 0; frame < 2; frame += 1)
    await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
}

/** Gives the pages of the settings something to show: two links, and a rule for Ann. It runs in the page. */
const addContent = async (password: string): Promise<void> => {
  const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
  for (const at of ['team/docs/', 'a%20folder%20with%20a%20long%20name/inner/']) {
    const body = JSON.stringify({ password: 'abc', expires: '5', unit: 'days' })
    await fetch(`/api/share/${at}`, { method: 'POST', headers, body })
  }
  const data = { id: 2, rules: [{ allow: false, regex: false, path: '/docs', regexp: { raw: '' } }] }
  const body = JSON.stringify({ what: 'user', which: ['rules'], data, current_password: password })
  await fetch('/api/users/2', { method: 'PUT', headers, body })
}

atRoot({ files, people: [ada, ann] }, ({ server, window }) => {
  test('no page of the settings scrolls sideways or breaks words in narrow windows or with large text', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/profile')
    await page.evaluate(addContent, ada.password)
    const faults: string[] = []
    for (const one of pages) {
      await page.setViewportSize({ width: layouts[0][0], height: 844 })
      await show(page, server(), one)
      const headings = await page.getByRole('heading', { level: 1 }).count()
      if (headings !== 1) faults.push(`${one[0]}: ${headings} headings`)
      if (one[0] === 'users/2') {
        await page.getByLabel('Try a path').fill('/team')
        await page.getByRole('region', { name: 'Entries in this folder' }).waitFor()
      }
      for (const [width, percent] of layouts) {
        await page.setViewportSize({ width, height: 844 })
        await page.evaluate(setTextSize, percent)
        const found = await page.evaluate(layoutFaults)
        faults.push(...found.map((fault) => `${one[0]} at ${width} px and ${percent} %: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  })

  test('the bar that saves a topic covers neither the field that was refused nor its error', async () => {
    const page = await window({ viewport: { width: 390, height: 844 } })
    await signIn(page, server(), ada, '/settings/global')
    const field = page.getByLabel("Colour of the browser's frame", { exact: true })
    await field.fill('reddish')
    const save = page.getByRole('button', { name: 'Update' })
    // The field ends where the window ends, which is behind the bar.
    await field.evaluate((element) => {
      element.blur()
      element.style.scrollMargin = '0'
      element.scrollIntoView({ block: 'end' })
      element.style.scrollMargin = ''
    })
    expect(await isUncovered(field)).toBe(false)
    await save.click()
    await eventually(() => field.evaluate((element) => element === document.activeElement), true)
    await eventually(() => isUncovered(field), true)
    await eventually(() => isUncovered(page.getByText('Enter a colour, such as #1f5fdb or teal.')), true)
  })

  test('the topics stay on their line while a search leaves some of them, and on phones they scroll on one line', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/global')
    const search = page.getByRole('searchbox', { name: 'Search settings' })
    const topics = page.getByRole('navigation', { name: 'Topics' })
    const place = async () => {
      const { y = 0, height = 0 } = (await topics.boundingBox()) ?? {}
      return [y, height]
    }
    const all = await place()
    await search.fill('logo')
    await eventually(() => topics.getByRole('button').count(), 1)
    expect(await place()).toEqual(all)
    await search.fill('')
    await page.setViewportSize({ width: 390, height: 844 })
    const tops = () =>
      topics
        .getByRole('button')
        .evaluateAll((buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().top)).size)
    await eventually(tops, 1)
  })
})
