import { createHmac } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { logIn, rowOf, signIn } from '../kit/browser.ts'
import {
  expectationsOf,
  originalInstallation,
  originalVersions,
  type OriginalVersion,
} from '../kit/original-database.ts'
import { ada, ann, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const tab = 'Moved from File Browser'

const openPage = async (page: Page, server: RunningServer): Promise<void> => {
  await page.goto(`${server.url}/settings/takeover`)
  await page.getByRole('heading', { name: tab }).waitFor()
}

atRoot({}, ({ server, window }) => {
  test('a report that cannot be loaded says so, a server that was not taken over has no tab, and other users have no permission', async () => {
    const page = await window()
    await page.route('**/api/takeover', (route) => route.abort())
    await signIn(page, server(), ada, '/settings/takeover')
    await page.getByRole('heading', { name: tab }).waitFor()
    const alert = page.getByRole('region', { name: tab }).getByRole('alert')
    await alert.waitFor()
    await page.unroute('**/api/takeover')
    await alert.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('The state of this server was not taken over from File Browser.').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await eventually(() => page.getByRole('link', { name: tab }).count(), 0)

    // Other users are led to the page for missing permissions.
    await signIn(page, server(), ann, '/settings/takeover')
    await page.waitForURL(`${server().url}/403`)
  })
})

/** The administrator in the database of File Browser. */
const admin: TestUser = { name: 'admin', password: 'correct-horse-battery-1' }

/** Sets the language of the administrator. Empty for that of the browser. */
async function speak({ url }: RunningServer, locale: string): Promise<void> {
  const credentials = { username: admin.name, password: admin.password }
  const login = await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify(credentials) })
  const data = { id: 1, locale }
  const changed = await fetch(`${url}/api/users/1`, {
    method: 'PUT',
    headers: { 'X-Auth': await login.text() },
    body: JSON.stringify({ what: 'user', which: ['locale'], data, current_password: admin.password }),
  })
  expect(changed.status).toBe(200)
}

/** Writes the files that File Browser served, and its database, into two new folders. */
function makeInstallation(version: OriginalVersion) {
  const isContainer = true
  const { root, state, database } = originalInstallation(version, 'filebrowser.db', {
    isContainer,
    atEnd: afterAll,
  })
  mkdirSync(path.join(root, 'media/backup'), { recursive: true })
  for (const file of ['alice/docs/report.txt', 'alice/docs/Q1 2024 & plan, 100%.txt', 'alice/pics/dot.txt']) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), file)
  }
  renameSync(database, path.join(state, 'stowage.db'))
  // The base path is the one in the database.
  return { folder: root, state, isSetUpElsewhere: true, basePath: '/fb' }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the token that File Browser would have given to Alice an hour ago. */
function formerToken(version: OriginalVersion): string {
  const { tokens, signingKeyBase64 } = expectationsOf(version)
  const nowS = Math.floor(Date.now() / 1000)
  const claims = { ...tokens['alice']!.claims, iat: nowS - 3600, exp: nowS + 3600 }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  const key = Buffer.from(signingKeyBase64, 'base64')
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const hashOf = (version: OriginalVersion, what: string) =>
  expectationsOf(version).shares.find((share) => share.what.startsWith(what))?.answerToOwner.hash

describe.each(originalVersions)('after the takeover of %s,', (version) => {
  const installation = makeInstallation(version)
  atRoot(installation, ({ server, window }) => {
    test('old links open for a guest with their passwords, and a browser that was logged in stays so, with its bookmarks', async () => {
      const page = await window()
      await page.goto(`${server().url}/share/${hashOf(version, 'folder, expires in 2111')}`)
      await page.getByRole('link', { name: 'report.txt', exact: true }).waitFor()
      await page.goto(`${server().url}/share/${hashOf(version, 'folder with password')}`)
      await page.getByLabel('Password', { exact: true }).fill('sésame ouvre-toi')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'dot.txt', exact: true }).waitFor()
      await page.goto(`${server().url}/share/${hashOf(version, 'already expired')}`)
      await page.getByRole('heading', { name: 'This link no longer works.' }).waitFor()

      const token = formerToken(version)
      await page.context().addCookies([{ name: 'auth', value: token, url: server().url }])
      await page.evaluate((jwt) => localStorage.setItem('jwt', jwt), token)
      await page.goto(`${server().url}/files/docs/`)
      await rowOf(page, 'report.txt').waitFor()
      await page.goto(`${server().url}/files/docs/report.txt`)
      await page.getByRole('heading', { name: 'report.txt' }).waitFor()
      await page.reload()
      await page.locator('[data-part="editor"]').getByText('alice/docs/report.txt').waitFor()
    })

    // The reports of both versions have the same parts.
    if (version !== 'filebrowser-v2.20.1') return
    test('the report of a takeover says what came over, changed and is left to do, is accessible, and fits in both themes', async () => {
      const page = await window()
      // The state of this server is not at its usual place, so the session cannot be written into it.
      await logIn(page, server(), admin)
      await page.getByRole('button', { name: 'Getting started' }).click()
      await page.getByRole('link', { name: 'Read what has changed' }).click()
      const card = page.getByRole('region', { name: tab })
      await card.getByText(/parts? of the old database .* not taken over/).waitFor()
      const waiting = page.getByText(/waits, because|, but there is no such folder\./)
      const missing = card.getByText(/items? (?:was|were) missing at the takeover/)
      await missing.getByText('stowage takeover', { exact: true }).waitFor()
      expect(await missing.textContent()).toMatch(new RegExp(`^${await waiting.count()} item`))
      await card.getByText(path.join(installation.state, 'stowage.db')).waitFor()
      const part = (name: string) => page.getByRole('region', { name })
      await part('Taken over unchanged')
        .getByText('Users taken over with ids, passwords, permissions and rules: 12')
        .waitFor()
      await part('Not taken over').getByText('because it has expired').first().waitFor()
      await part('Taken over with a changed meaning').getByText('waits, because').first().waitFor()
      await part('Taken over with a changed meaning').getByRole('link', { name: 'alice' }).waitFor()
      const step = card.getByRole('listitem').filter({ hasText: 'frank' })
      await card.getByText('hook commands are disabled').waitFor()
      await step.getByRole('link', { name: 'frank' }).click()
      await page.waitForURL(`${server().url}/settings/users/9`)
      const form = page.getByRole('region', { name: 'User frank' })
      await form.getByLabel('Disable the account').uncheck()
      await form.getByLabel('Your current password').fill(admin.password)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('region', { name: 'Notifications' }).getByText('User updated!').waitFor()
      await openPage(page, server())
      await card.getByText('hook commands are disabled').waitFor()
      await eventually(() => step.count(), 0)

      // The notes are in the language of the administrator.
      const german = await window()
      await speak(server(), 'de')
      await logIn(german, server(), admin)
      await german.goto(`${server().url}/settings/takeover`)
      const partInGerman = (name: string) => german.getByRole('region', { name })
      await partInGerman('Unverändert übernommen').getByText('Regeln übernommene Benutzer: 12').waitFor()
      const changed = partInGerman('Mit geänderter Bedeutung übernommen')
      await changed.getByText('Für alle: Die Regel, die').first().waitFor()
      await partInGerman('Nicht übernommen').getByText('weil er abgelaufen ist.').first().waitFor()
      expect(await german.locator('#content [lang="en"]').allTextContents()).toEqual([])
      expect(await german.locator('#content').textContent()).not.toMatch(
        / is left out| is taken over|The rule /,
      )
      await speak(server(), '')

      // The report is accessible, and fits into 1280 and 390 pixels in both themes.
      await page.evaluate(() => localStorage.setItem('theme', 'system'))
      await page.emulateMedia({ colorScheme: 'light' })
      await openPage(page, server())
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      for (const [width, theme] of [
        [1280, 'light'],
        [390, 'light'],
        [390, 'dark'],
        [1280, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme: theme })
        await eventually(isDark, theme === 'dark')
        expect([width, theme, await violationsIn(page, theme)]).toEqual([width, theme, []])
        expect([width, theme, (await overflow()) <= 0]).toEqual([width, theme, true])
      }
    })
  })
})
