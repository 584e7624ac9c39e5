import { expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { startForwardingProxy } from '../kit/forwarding-proxy.ts'
import { logIn, rowOf } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { everywhere } from './journeys.ts'

const hasFocus = (part: Locator) => part.evaluate((element) => element === document.activeElement)

const files = { Docs: { 'inside.txt': 'hello' }, 'report.txt': 'quarterly' }

everywhere({ files }, ({ server, window, testAtRoot }) => {
  // Journey: login-1
  test('a login leads to the folder that was asked for and to no other site, also after a revoked session, and Back shows no files after a logout', async () => {
    const page = await window()
    const logInHere = async () => {
      await page.waitForURL(/\/login\?redirect=.*Docs/)
      await page.getByLabel('Username').fill(ann.name)
      await page.getByLabel('Password', { exact: true }).fill(ann.password)
      await page.keyboard.press('Enter')
      await rowOf(page, /inside\.txt/).waitFor()
      expect(page.url()).toBe(`${server().url}/files/Docs/`)
    }
    await page.goto(`${server().url}/files/Docs/`)
    await page.waitForURL(/\/login\?redirect=/)
    expect(await page.title()).toBe('Login')
    await logInHere()
    expect(await page.title()).toBe('Docs - Files')

    // The session is revoked elsewhere.
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    const response = await fetch(`${server().url}/api/logout`, {
      method: 'POST',
      headers: { 'X-Auth': token },
    })
    expect(response.status).toBe(200)
    await page.goto(`${server().url}/files/Docs/`)
    await logInHere()

    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
    expect((await page.context().cookies()).filter((cookie) => cookie.name === 'auth')).toEqual([])
    await page.goBack()
    await page.getByLabel('Username').waitFor()
    expect(await rowOf(page, /inside\.txt/).count()).toBe(0)

    // A redirect to another site is not followed. The tests of the addresses contain the other forms of such sites.
    await page.goto(`${server().url}/login?redirect=${encodeURIComponent('/\\evil.example')}`)
    await page.getByLabel('Username').fill(ann.name)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL((address) => !address.pathname.endsWith('/login'))
    expect(new URL(page.url()).origin).toBe(new URL(server().url).origin)
  })

  // Journey: login-2
  testAtRoot(
    'guests reach the fields by Tab, hear of a wrong password, see the error pages, and are offered no signup that is not allowed',
    async () => {
      const page = await window()
      await page.goto(`${server().url}/login?signup`)
      const [password, button] = [
        page.getByLabel('Password', { exact: true }),
        page.getByRole('button', { name: 'Login' }),
      ]
      await button.waitFor()
      expect(await page.getByRole('button', { name: /account/ }).count()).toBe(0)
      await page.getByLabel('Username').focus()
      await page.keyboard.press('Tab')
      expect(await hasFocus(password)).toBe(true)
      await page.keyboard.press('Tab')
      for (let steps = 0; steps < 3 && !(await hasFocus(button)); steps += 1) await page.keyboard.press('Tab')
      expect(await hasFocus(button)).toBe(true)
      await page.getByLabel('Username').fill(ann.name)
      await password.fill('not her password')
      await button.click()
      await page.getByRole('alert').getByText('Wrong credentials').waitFor()
      expect(await page.getByLabel('Username').inputValue()).toBe(ann.name)
      expect(await button.isEnabled()).toBe(true)

      const sidebar = page.getByRole('navigation', { name: 'Main' })
      for (const [place, sentence] of [
        ['/403', "You don't have permissions to access this."],
        ['/404', "This location can't be reached."],
        ['/500', 'Something really went wrong.'],
      ]) {
        await page.goto(server().url + place)
        await page.getByText(sentence!).waitFor()
        await sidebar.getByRole('link', { name: 'Login' }).waitFor()
        expect(await sidebar.getByRole('link', { name: 'Signup' }).count()).toBe(0)
      }

      // A bare `proxy_pass` hides the address of the page, and browsers send no `Sec-Fetch-Site` over plain HTTP.
      const port = await startForwardingProxy(server().url, ({ 'sec-fetch-site': _site, ...headers }) => ({
        ...headers,
        host: 'upstream:8080',
      }))
      await page.goto(`http://127.0.0.1:${port}/login`)
      await page.getByLabel('Username').fill(ann.name)
      await password.fill(ann.password)
      await button.click()
      await page.getByRole('heading', { name: 'The server does not know this address' }).waitFor()
      for (const text of [`127.0.0.1:${port}`, 'upstream:8080', 'proxy_set_header Host $http_host;'])
        await page.getByText(text, { exact: true }).waitFor()
      await page.getByText(`--trustedOrigins http://127.0.0.1:${port}`).waitFor()
    },
  )

  // Journey: login-3
  testAtRoot(
    'a logged-in user who opens the login page is redirected, and a session that ends in one tab also ends in the other tab',
    async () => {
      const page = await window()
      await logIn(page, server(), ann)
      await rowOf(page, /report\.txt/).waitFor()
      const other = await page.context().newPage()
      await other.goto(`${server().url}/login`)
      await other.waitForURL(`${server().url}/files/`)
      await rowOf(other, /report\.txt/).waitFor()
      await other.getByRole('button', { name: 'Logout' }).click()
      await other.waitForURL(/\/login/)
      await page.waitForURL(/\/login/)
    },
  )
})
