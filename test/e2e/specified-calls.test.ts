import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn, rowOf } from '../kit/browser.ts'
import { ada } from '../kit/run-server.ts'
import { atRoot, eventually, selectionBar } from './journeys.ts'

/** The calls of the specification (chapter 7). All other calls are additions of this server. */
const specifiedCalls = [
  'POST /api/(login|renew|signup)',
  '(GET|DELETE|PUT|POST|PATCH) /api/resources(?!/recursive/)/.*',
  'GET /api/raw/.*',
  'GET /api/preview/(big|thumb)/.*',
  'GET /api/shares',
  '(GET|DELETE|POST) /api/share/.*',
  '(GET|POST) /api/users',
  '(GET|PUT|DELETE) /api/users/\\d+',
  '(GET|PUT) /api/settings',
  'GET /api/public/(share|dl)/.*',
  'GET /api/search/.*',
].map((call) => new RegExp(`^${call}$`))

/** Refuses all calls that the specification does not name, and lets the server answer with a listing in JSON. */
async function allowSpecifiedCalls(page: Page): Promise<readonly string[]> {
  const refused: string[] = []
  await page.routeWebSocket(/\/api\/events/, (socket) => socket.close())
  await page.route('**/api/**', (route: Route) => {
    const request = route.request()
    const call = `${request.method()} ${new URL(request.url()).pathname}`
    if (specifiedCalls.some((pattern) => pattern.test(call)))
      return route.continue({ headers: { ...request.headers(), accept: '*/*' } })
    refused.push(call)
    return route.fulfill({ status: 404, body: '404 Not Found\n' })
  })
  return refused
}

atRoot(
  { files: { Docs: { 'deep.txt': '' }, 'report.txt': 'quarterly' }, people: [ada] },
  ({ server, freshWindow }) => {
    const openRoot = async () => {
      await server().cli('users', 'update', ada.name, '--viewMode', 'list')
      const page = await freshWindow()
      const refused = await allowSpecifiedCalls(page)
      await logIn(page, server(), ada)
      await rowOf(page, /report\.txt/).waitFor()
      return { page, refused }
    }
    const onDisk = async (folder = ''): Promise<string[]> =>
      (await readdir(path.join(server().folder, folder))).toSorted()

    // Journey: specified-calls-1
    test('with the calls of the specification alone, files are made, read, changed, found, shared and deleted', async () => {
      const { page, refused } = await openRoot()
      await page.getByRole('button', { name: 'New folder' }).first().click()
      await page.getByRole('dialog').getByRole('textbox').fill('plans')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${server().url}/files/plans/`)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page
          .getByRole('button', { name: 'New', exact: true })
          .click()
          .then(() => page.getByRole('menuitem', { name: 'Upload files' }).click()),
      ])
      await chooser.setFiles({ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('sent') })
      // A file that is still being sent cannot be renamed.
      await eventually(() => onDisk('plans'), ['sent.txt'])
      await rowOf(page, /sent\.txt/).click()
      await page.keyboard.press('F2')
      await page.getByRole('grid').getByRole('textbox').fill('named.txt')
      await page.keyboard.press('Enter')
      await eventually(() => onDisk('plans'), ['named.txt'])
      await rowOf(page, /named\.txt/).dblclick()
      const text = page.locator('[data-part="editor"]').getByRole('textbox')
      await text.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' twice')
      await page.keyboard.press('Control+s')
      await eventually(() => readFile(path.join(server().folder, 'plans/named.txt'), 'utf8'), 'sent twice')
      await page.goto(`${server().url}/files/`)
      await page.getByRole('searchbox', { name: 'Search' }).fill('deep')
      await page
        .getByRole('region', { name: 'Search results' })
        .getByRole('row', { name: 'deep.txt' })
        .waitFor()
      await page.keyboard.press('Escape')
      await rowOf(page, /report\.txt/).click()
      await selectionBar(page).getByRole('button', { name: 'Share', exact: true }).click()
      const sharing = page.getByRole('dialog', { name: /^Share “/ })
      await sharing.getByRole('button', { name: 'Create link' }).click()
      await sharing.getByRole('listitem').getByText('Permanent').waitFor()
      await page.keyboard.press('Escape')
      await sharing.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+d')
      await rowOf(page, /report\(1\)\.txt/).click()
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await eventually(() => onDisk(), ['Docs', 'plans', 'report.txt'])
      expect(refused.filter((call) => /resources|search/.test(call))).toEqual([])
    })

    // Journey: specified-calls-2
    test('with the calls of the specification alone, users and settings are shown and changed', async () => {
      const { page } = await openRoot()
      await page.goto(`${server().url}/settings/users`)
      await page.getByText(ada.name, { exact: true }).first().waitFor()
      await page.goto(`${server().url}/settings/global`)
      await page.getByRole('checkbox').first().waitFor()
      await page.goto(`${server().url}/settings/profile`)
      const preferences = page.getByRole('region', { name: 'Preferences' })
      await preferences.getByLabel('Hide dotfiles').check()
      await preferences.getByRole('button', { name: 'Update' }).click()
      await page.getByRole('region', { name: 'Notifications' }).getByText('Settings updated!').waitFor()
    })
  },
)
