import { expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { logIn, rowOf } from '../kit/browser.ts'
import { ada, ann } from '../kit/run-server.ts'
import { everywhere } from './journeys.ts'

const hasFocus = (part: Locator) => part.evaluate((element) => element === document.activeElement)

const files = { Docs: { 'inside.txt': 'hello' }, 'report.txt': 'quarterly' }

everywhere({ files }, ({ server, window, testAtRoot }) => {
  test('a guest who opens a folder sees the folder after the login', async () => {
    const page = await window()
    await page.goto(`${server().url}/files/Docs/`)
    await page.waitForURL(/\/login\?redirect=/)
    expect(await page.title()).toBe('Login')
    await page.getByLabel('Username').fill(ann.name)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.keyboard.press('Enter')
    await rowOf(page, /inside\.txt/).waitFor()
    expect(page.url()).toBe(`${server().url}/files/Docs/`)
    expect(await page.title()).toBe('Docs - Files')
  })

  testAtRoot(
    'username, password and button are reached by Tab, and screen readers announce a wrong password',
    async () => {
      const page = await window()
      await page.goto(`${server().url}/login`)
      const [password, button] = [
        page.getByLabel('Password', { exact: true }),
        page.getByRole('button', { name: 'Login' }),
      ]
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
    },
  )

  test('a redirect to another site is not followed', async () => {
    const page = await window()
    for (const hostile of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      await page.evaluate(() => localStorage.clear())
      await page.context().clearCookies()
      await page.goto(`${server().url}/login?redirect=${encodeURIComponent(hostile)}`)
      await page.getByLabel('Username').fill(ann.name)
      await page.getByLabel('Password', { exact: true }).fill(ann.password)
      await page.getByRole('button', { name: 'Login' }).click()
      await page.waitForURL((address) => !address.pathname.endsWith('/login'))
      expect(new URL(page.url()).origin).toBe(new URL(server().url).origin)
    }
  })

  test('logging out deletes the token and the cookie, and the Back button shows no files', async () => {
    const page = await window()
    await logIn(page, server(), ann)
    await rowOf(page, /report\.txt/).waitFor()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
    expect((await page.context().cookies()).filter((cookie) => cookie.name === 'auth')).toEqual([])
    await page.goBack()
    await page.getByLabel('Username').waitFor()
    expect(await rowOf(page, /report\.txt/).count()).toBe(0)
  })

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

  test('after a session was revoked elsewhere, opening the page requires a login and then shows the same page', async () => {
    const page = await window()
    await logIn(page, server(), ada)
    await rowOf(page, /report\.txt/).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    const response = await fetch(`${server().url}/api/logout`, {
      method: 'POST',
      headers: { 'X-Auth': token },
    })
    expect(response.status).toBe(200)
    await page.goto(`${server().url}/files/Docs/`)
    await page.waitForURL(/\/login\?redirect=.*Docs/)
    await page.getByLabel('Username').fill(ada.name)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await rowOf(page, /inside\.txt/).waitFor()
  })

  testAtRoot('a password changed at the command line ends the open session', async () => {
    const page = await window()
    await server().cli('users', 'add', 'cyd', 'cyd has a long password')
    await logIn(page, server(), { name: 'cyd', password: 'cyd has a long password' })
    await rowOf(page, /report\.txt/).waitFor()
    await server().cli('users', 'update', 'cyd', '--password', 'another long password')
    await page.reload()
    await page.waitForURL(/\/login/)
    await server().cli('users', 'rm', 'cyd')
  })

  testAtRoot('the error pages are open to guests', async () => {
    const page = await window()
    for (const [place, sentence] of [
      ['/403', "You don't have permissions to access this."],
      ['/404', "This location can't be reached."],
      ['/500', 'Something really went wrong.'],
    ]) {
      await page.goto(server().url + place)
      await page.getByText(sentence!).waitFor()
      await page.getByRole('navigation').first().waitFor()
    }
  })
})
