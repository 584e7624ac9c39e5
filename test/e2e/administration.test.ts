import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = {
  Shared: { Treasurer: { 'accounts.txt': 'a' }, Minutes: { 'notes.txt': 'n' }, 'odd %2F#?&+ 😀': {} },
  oma: { Fotos: {} },
}
const tia = { name: 'tia', password: 'tia has a long password', flags: ['--scope', '/Shared'] }
const oma = { name: 'oma', password: 'oma has a long password', flags: ['--scope', '/oma'] }

const region = (page: Page, name: string) => page.getByRole('region', { name })
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Returns the settings as the server has stored them. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
    return (await (await fetch('/api/settings', { headers })).json()) as Record<string, unknown>
  })

atRoot({ files, people: [ada, tia, oma] }, ({ server, window }) => {
  const openGlobal = async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/global')
    const general = region(page, 'Global Settings')
    await general.getByLabel('Allow users to signup').waitFor()
    return { page, general, update: general.getByRole('button', { name: 'Update' }) }
  }

  // Journey: administration-1
  test('a new rule denies, one that matches nothing is named with a similar path, and a path is tried for everybody and for one', async () => {
    const { page, general, update } = await openGlobal()
    await general.getByText('A path begins in the folder of each user').waitFor()
    await general.getByRole('button', { name: 'New' }).click()
    const rule = general.getByRole('group', { name: 'Rule 1' })
    expect(await rule.getByLabel('Allow').isChecked()).toBe(false)
    const path = rule.getByLabel('Insert the path')
    await path.fill('/Tresurer')
    await rule.getByText('“/Tresurer” matches nothing in the folder of any user.').waitFor()
    await rule.getByRole('button', { name: 'Did you mean /Treasurer?' }).click()
    expect(await path.inputValue()).toBe('/Treasurer')
    await eventually(() => path.evaluate((field) => field === document.activeElement), true)
    await eventually(() => rule.getByText('matches nothing').count(), 0)

    await general.getByLabel('Try a path').fill('/Treasurer')
    const result = general.getByRole('region', { name: 'Result for each user' })
    await result.getByRole('listitem').filter({ hasText: 'tia' }).getByText('Denied: rule 1').waitFor()
    await result
      .getByRole('listitem')
      .filter({ hasText: 'oma' })
      .getByText('Denied: rule 1 – nothing exists there now')
      .waitFor()
    // The page is not scrolled: of a control that the tabs cover in part, axe sees a target that is too small.
    const viewport = page.viewportSize()
    await page.setViewportSize({ width: 1280, height: 6000 })
    expect(await violationsIn(page, 'light')).toEqual([])
    if (viewport !== null) await page.setViewportSize(viewport)

    await general.getByLabel('Try as').selectOption('tia')
    await general.getByText('The path begins in /Shared.').waitFor()
    await general.getByLabel('Try a path').fill('/')
    const entries = general.getByRole('region', { name: 'Entries in this folder' })
    await entries.getByRole('listitem').filter({ hasText: 'Treasurer' }).getByText('Denied').waitFor()
    await entries.getByRole('listitem').filter({ hasText: 'Minutes' }).getByText('Allowed').waitFor()
    // The entries of the folder are offered while a path is typed.
    await general.getByLabel('Try a path').fill('/o')
    await general.locator('option[value="/odd %2F#?&+ 😀"]').waitFor({ state: 'attached' })
    await update.click()
    await noticeOf(page, 'Settings updated!').waitFor()
    expect(await stored(page)).toMatchObject({ rules: [{ allow: false, path: '/Treasurer' }] })
  })

  // Journey: administration-2
  test('rules that deny everything, no audit log and a signup with the whole server are asked about before they are saved', async () => {
    const { page, general } = await openGlobal()
    const topic = (name: string) => general.getByRole('region', { name, exact: true })
    const updateOf = (name: string) => topic(name).getByRole('button', { name: 'Update' })
    const question = page.getByRole('alertdialog', { name: 'Save these settings?' })
    await general.getByRole('button', { name: 'New' }).click()
    await general.getByLabel('Insert the path').last().fill('/')
    await general.getByLabel('Days for which the audit log is kept').fill('0')
    await general.getByLabel('Allow users to signup').check()
    // Each topic asks about its own dangers only.
    await updateOf('Audit log').click()
    await question.getByText('The audit log is switched off, and its events are deleted.').waitFor()
    expect(await question.getByText('The rules deny').count()).toBe(0)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await updateOf('Accounts and login').click()
    await question.getByText('The scope of new users is the whole server.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await updateOf('Rules').click()
    await question.getByText('The rules deny “/” to all users.').waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await stored(page)).toMatchObject({ signup: false, auditDays: 90 })
    await topic('Rules').getByText('Not saved: Rules').waitFor()

    // The other two are saved when the administrator wants them.
    await general
      .getByRole('button', { name: /^Remove rule/ })
      .last()
      .click()
    for (const name of ['Audit log', 'Accounts and login']) {
      await updateOf(name).click()
      await question.getByRole('button', { name: 'Save anyway' }).click()
      await eventually(() => topic(name).getByText('Not saved').count(), 0)
    }
    expect(await stored(page)).toMatchObject({ signup: true, auditDays: 0 })

    // A rule of the administrator alone is asked about too.
    await page.goto(`${server().url}/settings/users/1`)
    const form = region(page, 'User ada')
    await form.getByRole('button', { name: 'New' }).click()
    await form.getByLabel('Insert the path').fill('/')
    await form.getByLabel('Your current password').fill(ada.password)
    await form.getByRole('button', { name: 'Save' }).click()
    await question.getByText('The rules deny “/” to yourself.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await form.getByText('Unsaved changes').waitFor()
  })

  // Journey: administration-3
  test('a new person begins with a home, the form says what the person sees, and the list says what everybody may do', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/users/new')
    const form = region(page, 'New User')
    await form.getByLabel('Username').fill('Lena K')
    const scope = form.getByLabel('Scope')
    expect(await scope.inputValue()).toBe('/users/Lena-K')
    await form.getByText('Lena K gets the new folder /users/Lena-K, which is empty.').waitFor()
    await scope.fill('/')
    await form
      .getByText('Lena K sees the whole server, with the files of everybody: 2 folders, 0 files.')
      .waitFor()
    await scope.fill('/Shared')
    await form
      // A rule that the first journey has saved hides the third folder.
      .getByText('Lena K sees 2 folders, 0 files in /Shared. The folder also belongs to: tia.')
      .waitFor()
    await scope.fill('/nowhere')
    await form.getByText('Lena K sees nothing, because the folder /nowhere does not exist.').waitFor()
    await form.getByRole('button', { name: 'New' }).click()
    await form.getByLabel('Insert the path').fill('/')
    await scope.fill('/oma')
    await form.getByText('Lena K sees nothing, because a rule denies “/”.').waitFor()
    // A field that the tabs cover in part counts as too small, so the page is shown from its top.
    await form.getByLabel('Username').scrollIntoViewIfNeeded()
    expect(await violationsIn(page, 'light')).toEqual([])
    await form.getByRole('button', { name: 'Remove rule 1' }).click()
    await form.getByText('Lena K sees 1 folder, 0 files in /oma.').waitFor()

    await scope.fill('/users/Lena-K')
    await form.getByLabel('Password', { exact: true }).fill('lena has a long password')
    await form.getByLabel('Delete files and folders').uncheck()
    await form.getByLabel('Quota in GB').fill('5')
    await form.getByLabel('Your current password').fill(ada.password)
    await form.getByRole('button', { name: 'Save' }).click()
    await noticeOf(page, 'User created!').waitFor()
    // The folder was created with the user, although the settings do not create home folders.
    await page.getByText('Lena K sees 0 folders, 0 files in /users/Lena-K.').waitFor()

    await page.goto(`${server().url}/settings/users`)
    const row = region(page, 'Users').getByRole('row').filter({ hasText: 'Lena K' })
    for (const text of ['/users/Lena-K', 'All except: Delete', '5 GB']) await row.getByText(text).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await row.getByText('All except: Delete').waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])
  })

  // Journey: administration-4
  test('an administrator ends the sessions of another user, whose links keep working, and the own session is marked', async () => {
    const page = await window()
    const { url } = server()
    const logIn = async () => {
      const body = JSON.stringify({ username: tia.name, password: tia.password })
      return (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
    }
    const tokens = [await logIn(), await logIn(), await logIn()]
    const statuses = () =>
      Promise.all(
        tokens.map(
          async (token) => (await fetch(`${url}/api/resources/`, { headers: { 'X-Auth': token } })).status,
        ),
      )
    const headers = { 'X-Auth': tokens[0] ?? '' }
    const made = await fetch(`${url}/api/share/Minutes/notes.txt`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(made.status).toBe(200)
    const { hash } = (await made.json()) as { hash: string }
    await signIn(page, server(), ada, '/settings/users/2')
    const sessions = region(page, 'Sessions')
    await sessions.getByText('Links of the user keep working').waitFor()
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    const question = page.getByRole('alertdialog')
    const end = question.getByRole('button', { name: 'End 3 sessions' })
    await end.click()
    await question.getByText('Enter your current password.').waitFor()
    await question.getByLabel('Your current password').fill('wrong')
    await end.click()
    await question.getByText('This is not your current password.').waitFor()
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await violationsIn(page, 'light')).toEqual([])
    await question.getByLabel('Your current password').fill(ada.password)
    await end.click()
    await noticeOf(page, 'Sessions ended!').waitFor()
    await sessions.getByText('Nobody is logged in as this user.').waitFor()
    expect(await statuses()).toEqual([401, 401, 401])
    expect((await fetch(`${url}/api/public/dl/${hash}`)).status).toBe(200)

    await page.goto(`${url}/settings/users/1`)
    await sessions.getByText('This session').waitFor()
    expect(await sessions.getByRole('button', { name: /^End session/ }).count()).toBe(0)
  })
})
