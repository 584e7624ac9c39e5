import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { startForwardingProxy, type HeaderRewrite } from '../kit/forwarding-proxy.ts'
import { signIn } from '../kit/browser.ts'
import { ada, ann } from '../kit/run-server.ts'
import { atRoot, violationsInBothThemes } from './journeys.ts'

const stateOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Checks' }).getByRole('listitem').filter({ hasText: name })

/** Runs the checks until only the one that waits for more than a minute is left. */
async function runChecks(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await page.getByText('The last check waits for 75 seconds.').waitFor()
}

const codes = (page: Page) => page.locator('h3 > code').allTextContents()

atRoot({ people: [ada, ann] }, ({ server, window, freshWindow }) => {
  const openThrough = async (rewrite: HeaderRewrite): Promise<Page> => {
    const port = await startForwardingProxy(server().url, rewrite)
    const page = await freshWindow()
    await signIn(page, { ...server(), url: `http://127.0.0.1:${port}` }, ada, '/settings/doctor')
    return page
  }

  // Journey: doctor-1
  test('an administrator measures the way to the server, and nothing is wrong without a proxy', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/global')
    await page.getByRole('link', { name: 'Diagnosis' }).click()
    await page.getByText('stowage doctor').waitFor()
    await runChecks(page)
    expect(await codes(page)).toEqual([])
    expect(await stateOf(page, 'In order').count()).toBe(14)
    await stateOf(page, 'Long operations').getByText('Running').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  // Journey: doctor-2
  test('what a proxy changes is found, with lines for three proxies', async () => {
    const page = await openThrough(({ range: _range, ...headers }) => ({
      ...headers,
      host: 'upstream:8080',
      'x-forwarded-proto': 'https',
    }))
    await runChecks(page)
    // Node, of which this proxy is made, takes no head of a request that is larger than 16 KiB.
    expect(await codes(page)).toEqual(['proxy-host', 'proxy-scheme', 'proxy-header-size', 'proxy-ranges'])
    await page.getByText('4 problems').waitFor()
    const lines = page.getByRole('listitem').filter({ hasText: 'proxy-host' }).locator('pre')
    expect(await lines.textContent()).toBe('proxy_set_header Host $http_host;')
    // The choice of the proxy is one for all findings, and works with the keyboard.
    await page.getByRole('radio', { name: 'nginx' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await lines.textContent()).toContain('header_up Host')
    await page.keyboard.press('ArrowRight')
    expect(await lines.textContent()).toContain('passHostHeader: true')
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  // Journey: doctor-3
  test('a user who is no administrator does not reach the page', async () => {
    const page = await window()
    await signIn(page, server(), ann, '/settings/doctor')
    await page.waitForURL(`${server().url}/403`)
  })
})
