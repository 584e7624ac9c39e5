import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { pageProblems, rowOf } from '../kit/browser.ts'
import { ann, bea, type RunningServer } from '../kit/run-server.ts'
import { atRoot, violationsIn } from './journeys.ts'

/** Ends the session of a page on the server, which has the same effect as an expired session. */
async function endSession(page: Page, { url }: RunningServer): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  const response = await fetch(`${url}/api/logout`, { method: 'POST', headers: { 'X-Auth': token } })
  expect(response.status).toBe(200)
}

/** Returns the id of the user to whom a token belongs. */
const idIn = (token: string | null): unknown =>
  (JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as { user: { id: number } })
    .user.id

atRoot(
  { files: { Docs: { 'letter.txt': 'letter' }, 'report.txt': 'quarterly' }, init: ['--auth.method=noauth'] },
  ({ server, window }) => {
    // Journey: no-login-1
    test('without authentication the first visit shows the files without a logout, and an ended session is continued without a dialog', async () => {
      const page = await window()
      await page.goto(server().url)
      await rowOf(page, /report\.txt/).waitFor()
      expect(page.url()).toBe(`${server().url}/files/`)
      expect(await page.getByRole('button', { name: 'Logout' }).count()).toBe(0)
      await page.goto(`${server().url}/settings/profile`)
      await page.getByRole('heading', { name: 'Sessions' }).waitFor()
      expect(await page.getByText('Change Password').count()).toBe(0)
      await page.goto(server().url)
      await rowOf(page, /report\.txt/).waitFor()
      const logins = page.waitForRequest('**/api/login')
      await endSession(page, server())
      await logins
      await rowOf(page, /Docs/).dblclick()
      await rowOf(page, /letter\.txt/).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  },
)

atRoot(
  {
    files: { ann: { 'ann.txt': 'of Ann' }, bea: { 'bea.txt': 'of Bea' } },
    people: [
      { ...ann, flags: ['--scope', '/ann'] },
      { ...bea, flags: ['--scope', '/bea'] },
    ],
    init: ['--auth.method=proxy', '--auth.header=X-Person', '--signup'],
  },
  ({ server, window, freshWindow }) => {
    test('behind a proxy an ended session is continued for the user whom it names, and without a name a dialog offers to try again', async () => {
      const page = await freshWindow({ extraHTTPHeaders: { 'X-Person': ann.name } })
      /** Opens the page anew, because a page does not log in automatically twice within ten seconds. */
      const openAsAnn = async () => {
        await page.setExtraHTTPHeaders({ 'X-Person': ann.name })
        await page.goto(server().url)
        await rowOf(page, /ann\.txt/).waitFor()
      }
      await openAsAnn()
      const login = page.waitForRequest('**/api/login')
      await endSession(page, server())
      await login
      await rowOf(page, /ann\.txt/).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)

      // The proxy names no user for a while.
      await openAsAnn()
      await page.setExtraHTTPHeaders({ 'X-Person': '' })
      await endSession(page, server())
      const dialog = page.getByRole('dialog', { name: 'Your session has ended. Log in to continue.' })
      await dialog.waitFor()
      expect(await dialog.getByRole('textbox').count()).toBe(0)
      await page.setExtraHTTPHeaders({ 'X-Person': ann.name })
      await dialog.getByRole('button', { name: 'Login' }).click()
      await dialog.waitFor({ state: 'detached' })
      await rowOf(page, /ann\.txt/).waitFor()

      // The proxy names another user, who starts without pending work.
      await openAsAnn()
      await page.setExtraHTTPHeaders({ 'X-Person': bea.name })
      await endSession(page, server())
      await rowOf(page, /bea\.txt/).waitFor()
      expect(await page.getByText(/ann/).count()).toBe(0)
    })

    test('when the proxy names another person, the same browser shows nothing of the person before, after a reload and in the open page', async () => {
      const page = await freshWindow({ extraHTTPHeaders: { 'X-Person': ann.name } })
      const token = () => page.evaluate(() => localStorage.getItem('jwt'))
      await page.goto(server().url)
      await rowOf(page, /ann\.txt/).waitFor()
      const tokenOfAnn = await token()
      await page.setExtraHTTPHeaders({ 'X-Person': bea.name })
      await page.reload()
      await rowOf(page, /bea\.txt/).waitFor()
      expect([await page.getByText(/ann/).count(), (await token()) === tokenOfAnn]).toEqual([0, false])

      // The page is open while the person changes. Any of its requests can be the first that tells, also one before the click.
      await page.setExtraHTTPHeaders({ 'X-Person': ann.name })
      await page.reload()
      await rowOf(page, /ann\.txt/).waitFor()
      await page.setExtraHTTPHeaders({ 'X-Person': bea.name })
      await page.getByRole('link', { name: 'Settings' }).click()
      await expect.poll(async () => idIn(await token())).not.toBe(idIn(tokenOfAnn))
      await page.goBack()
      await rowOf(page, /bea\.txt/).waitFor()
      expect([await page.getByText(/ann/).count(), await page.getByRole('dialog').count()]).toEqual([0, 0])
    })

    test('behind a proxy no page offers a signup, because an account could not log in', async () => {
      const page = await window()
      await page.goto(`${server().url}/404`)
      await page.getByRole('navigation', { name: 'Main' }).getByText('Login').waitFor()
      expect(await page.getByRole('link', { name: 'Signup' }).count()).toBe(0)
    })
  },
)

atRoot({ people: [], init: ['--auth.method=noauth'] }, ({ server, window }) => {
  test('without authentication and without a user, the page and the log say what is missing, and the page works once there is a user', async () => {
    expect(server().output()).toContain(
      'it needs no login, and everybody acts as the user with the id 1, but there is no user; create one with: stowage users add',
    )
    const page = await window()
    await page.goto(server().url)
    await page.getByText('the user with the id 1, as whom everybody acts, does not exist').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await violationsIn(page, 'light')).toEqual([])
    await server().cli('users', 'add', ann.name, ann.password)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
    pageProblems.get(page)?.splice(0)
  })
})
