import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Download, Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada, ann, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { eventually, atRoot, violationsIn } from './journeys.ts'

const files = { Docs: { 'a.txt': 'A', 'b.txt': 'B' } }

const events = (page: Page) => page.getByRole('table').getByRole('row')
const eventOf = (page: Page, action: string) => events(page).filter({ hasText: action })

/** Creates folders with a session of their own. */
async function createFolders(
  { url }: RunningServer,
  person: TestUser,
  names: readonly string[],
): Promise<void> {
  const credentials = JSON.stringify({ username: person.name, password: person.password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body: credentials })
  const headers = { 'X-Auth': await login.text() }
  for (const name of names)
    await fetch(`${url}/api/resources/${encodeURIComponent(name)}/`, { method: 'POST', headers })
}

async function openLog(page: Page, server: RunningServer): Promise<void> {
  await page.goto(`${server.url}/settings/audit`)
  await page.getByRole('table').waitFor()
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

const folder = mkdtempSync(path.join(tmpdir(), 'stowage-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const collected = path.join(folder, 'audit.jsonl')

atRoot({ files, flags: ['--auditLog', collected] }, ({ server, window, testAtRoot }) => {
  test('an administrator sees who did what, filters it, exports what the filter selects, and goes to the entry', async () => {
    await createFolders(server(), ann, ['one', 'two', 'exported #1'])
    const page = await window()
    await signIn(page, server(), ada, '/settings/users')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('Events are kept for 90 days.').waitFor()
    const created = eventOf(page, 'two')
    await created.getByText('Create a folder').waitFor()
    expect(await created.textContent()).toContain('127.0.0.1')
    expect(await created.locator('time').textContent()).toMatch(/^\d+\/\d+\/\d+, \d+:\d+/)
    const filters = page.getByRole('search', { name: 'Filter events' })
    expect(await filters.getByRole('option', { name: 'Change a share', exact: true }).count()).toBe(1)
    await filters.getByLabel('Search').fill('/TWO')
    await filters.getByLabel('Action').selectOption('Create a folder')
    await filters.getByLabel('Username').fill('ann')
    await filters.getByLabel('Username').press('Enter')
    await eventually(() => events(page).count(), 2)
    expect(await events(page).nth(1).textContent()).toContain('two')
    await page.reload()
    await eventually(() => events(page).count(), 2)
    expect(await filters.getByLabel('Search').inputValue()).toBe('/TWO')
    await filters.getByLabel('Outcome').selectOption('Failed')
    await filters.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('No event matches.').waitFor()
    await page.goBack()
    await eventually(() => events(page).count(), 2)
    expect(await filters.getByLabel('Outcome').inputValue()).toBe('')

    await filters.getByRole('button', { name: 'Show all' }).click()
    await eventOf(page, 'one').first().waitFor()
    await filters.getByLabel('Search').fill('exported #')
    await filters.getByLabel('Search').press('Enter')
    await eventually(() => events(page).count(), 2)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log.csv')
    const rows = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(rows).toHaveLength(2)
    expect(rows[1]).toContain('"/exported #1"')
    expect(rows[1]).toContain('create-folder')

    await filters.getByRole('button', { name: 'Show all' }).click()
    await created.getByRole('link', { name: 'two' }).click()
    await page.waitForURL(`${server().url}/files/two`)
  })

  testAtRoot(
    'the log is accessible and fits in both themes, names changed fields, filters days, and loads more events on request',
    async () => {
      const page = await window({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
      await page.evaluate(() => localStorage.setItem('theme', 'system'))
      await signIn(page, server(), ada, '/settings/audit')
      await page.getByRole('table').waitFor()
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(await isDark()).toBe(true)
      expect(await violationsIn(page, 'dark')).toEqual([])
      expect(await overflow()).toBeLessThanOrEqual(0)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 844 })
      await eventually(isDark, false)
      expect(await violationsIn(page, 'light')).toEqual([])
      expect(await overflow()).toBeLessThanOrEqual(0)

      const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
      const filters = page.getByRole('search', { name: 'Filter events' })
      await filters.getByLabel('From', { exact: true }).fill('2020-01-01')
      await filters.getByLabel('To', { exact: true }).fill('2020-01-02')
      await filters.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByText('No event matches.').waitFor()
      await filters.getByLabel('To', { exact: true }).fill(today)
      await filters.getByRole('button', { name: 'Filter', exact: true }).click()
      await eventOf(page, 'Log in').first().waitFor()

      await createFolders(
        server(),
        ada,
        Array.from({ length: 130 }, (_, n) => `many-${n}`),
      )
      await page.evaluate(async () => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
        const settings = (await (await fetch('/api/settings', { headers })).json()) as object
        const body = JSON.stringify({ ...settings, minimumPasswordLength: 13 })
        await fetch('/api/settings', { method: 'PUT', headers, body })
      })
      await openLog(page, server())
      await eventually(() => events(page).count(), 101)
      await eventOf(page, 'Change the settings').getByText('Changed: Minimum length of passwords').waitFor()
      expect(await page.getByText('minimumPasswordLength').count()).toBe(0)
      expect(await eventOf(page, 'many-0').count()).toBe(0)
      await page.getByRole('button', { name: 'Load more' }).click()
      await page.getByRole('link', { name: 'many-0', exact: true }).waitFor()
    },
  )

  testAtRoot(
    'an export after the end of the session asks for a login above all notices, and then saves the events',
    async () => {
      const page = await window()
      await signIn(page, server(), ada, '/settings/audit')
      await page.getByRole('table').waitFor()
      const saved: Download[] = []
      page.on('download', (download) => saved.push(download))
      let status: number | null = 500
      await page.route('**/api/audit/export*', (route) =>
        status !== null && route.request().method() === 'HEAD' ? route.fulfill({ status }) : route.continue(),
      )
      const notices = page.locator('[data-part="notices"]')
      await page.getByRole('button', { name: 'Export as CSV' }).click()
      await notices.getByRole('button', { name: 'Close' }).waitFor()
      const button = notices.getByRole('button').first()
      await eventually(() => button.evaluate(isReachable), true)
      status = 401
      await page.context().clearCookies()
      await page.getByRole('button', { name: 'Export as CSV' }).click()
      const question = page.getByRole('dialog', { name: 'Your session has ended. Log in to continue.' })
      await question.waitFor()
      expect(await notices.locator('button').first().evaluate(isReachable)).toBe(false)
      expect(saved).toEqual([])
      status = null
      await question.getByLabel('Password', { exact: true }).fill(ada.password)
      await question.getByRole('button', { name: 'Login' }).click()
      await eventually(() => saved.map((download) => download.suggestedFilename()), ['audit-log.csv'])
      await question.waitFor({ state: 'detached' })
      await eventually(() => button.evaluate(isReachable), true)
    },
  )

  testAtRoot(
    'a log that cannot be loaded or refreshed says so and keeps its events, and Retry loads it',
    async () => {
      const page = await window()
      await page.route('**/api/audit?*', (route) => route.abort())
      await page.route('**/api/audit', (route) => route.abort())
      await signIn(page, server(), ada, '/settings/audit')
      const alert = page.getByRole('region', { name: 'Audit log' }).getByRole('alert')
      await alert.waitFor()
      await page.unroute('**/api/audit?*')
      await page.unroute('**/api/audit')
      await alert.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('table').waitFor()
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await alert.getByText("The server can't be reached.").waitFor()
      expect(await page.getByRole('table').count()).toBe(1)
      await page.context().setOffline(false)
      await alert.getByRole('button', { name: 'Retry' }).click()
      await eventually(() => alert.count(), 0)
    },
  )

  testAtRoot(
    'other users have no permission to see the log, and the log for collectors has a line per event and no other',
    async () => {
      const page = await window()
      await signIn(page, server(), ann, '/settings/audit')
      await page.waitForURL(`${server().url}/403`)

      await createFolders(server(), ann, ['collected'])
      await server().stop()
      const lines = readFileSync(collected, 'utf8').trimEnd().split('\n')
      const parsed = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      expect(parsed.find(({ target }) => target === '/collected')).toMatchObject({
        action: 'create-folder',
        outcome: 'ok',
        user: 'ann',
        address: '127.0.0.1',
      })
      expect(server().output()).not.toContain('create-folder')
      await server().start()
    },
  )
})
