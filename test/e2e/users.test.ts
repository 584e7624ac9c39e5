import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada, ann, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = {
  team: { docs: { 'a.txt': 'a' } },
}

const region = (page: Page, name: string) => page.getByRole('region', { name })
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Returns a user as the server has stored it. */
const stored = (page: Page, id: string) =>
  page.evaluate(async (wanted) => {
    const response = await fetch(`/api/users/${wanted}`, {
      headers: { 'X-Auth': localStorage.getItem('jwt') ?? '' },
    })
    return (await response.json()) as Record<string, unknown>
  }, id)

const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Types the password of the administrator and saves the form. */
const save = async (page: Page, form: ReturnType<typeof region>) => {
  await form.getByLabel('Your current password').fill(ada.password)
  await form.getByRole('button', { name: 'Save' }).click()
  return page
}

atRoot({ files, people: [ada, ann] }, ({ server, window }) => {
  const openAs = async (person: TestUser, address: string, options = {}) => {
    const page = await window(options)
    await signIn(page, server(), person, address)
    return page
  }
  /** Logs a person in without a browser. Returns the status of the login and the token of the session. */
  const logInAs = async ({ name, password }: TestUser) => {
    const body = JSON.stringify({ username: name, password })
    const response = await fetch(`${server().url}/api/login`, { method: 'POST', body })
    return { status: response.status, token: await response.text() }
  }
  /** Returns the status of a request for the root folder, and whether the response contains the folder `docs`. */
  const rootOf = async (token: string): Promise<readonly [status: number, hasDocs: boolean]> => {
    const response = await fetch(`${server().url}/api/resources/`, { headers: { 'X-Auth': token } })
    return [response.status, (await response.text()).includes('"docs"')]
  }

  // Journey: users-1
  test('on a phone users are cards, the last administrator stays, and others see no user management', async () => {
    const page = await openAs(ada, '/settings/users', { viewport: { width: 390, height: 844 } })
    const rows = region(page, 'Users').locator('tbody tr')
    await rows.filter({ hasText: 'ann' }).waitFor()
    // Each card names administrators in words.
    expect(await rows.filter({ hasText: 'ada' }).getByText('Administrator').isVisible()).toBe(true)
    expect(await rows.filter({ hasText: 'ann' }).getByText('Administrator').count()).toBe(0)
    expect(await rows.evaluateAll((all) => all.map((row) => getComputedStyle(row).display))).toEqual([
      'grid',
      'grid',
    ])
    expect(await violationsIn(page, 'light')).toEqual([])

    await region(page, 'Users').getByRole('link', { name: 'Edit ada' }).click()
    await region(page, 'User ada').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Your current password').fill(ada.password)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText("You don't have permissions to access this.").waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await signIn(page, server(), ann, '/settings/users')
    await page.waitForURL('**/403')
  })

  // Journey: users-2
  test('an administrator creates a user, changes its fields and rules, disables it, duplicates it and deletes it', async () => {
    await server().cli('users', 'add', 'moe', 'moe has a long password', '--scope', '/people/moe')
    const page = await openAs(ada, '/settings/users')
    const list = region(page, 'Users')
    await list.getByRole('row', { name: /ann/ }).waitFor()
    await list.getByRole('button', { name: 'New' }).click()
    await page.waitForURL('**/settings/users/new')
    const form = region(page, 'New User')
    await form.getByLabel('Username').fill('dora')
    await form.getByLabel('Password', { exact: true }).fill('dora has a long password')
    await form.getByLabel('Scope').fill('/team')
    await form.getByLabel('Delete files and folders').uncheck()
    await save(page, form)
    await noticeOf(page, 'User created!').waitFor()
    await page.waitForURL(/\/settings\/users\/\d+$/)

    const edit = region(page, 'User dora')
    await edit.waitFor()
    const id = idOf(page)
    expect(await stored(page, id)).toMatchObject({
      scope: '/team',
      rules: [],
      perm: { delete: false, share: true },
    })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postData() ?? ''))
    await edit.getByLabel('Language').selectOption('')
    await save(page, edit)
    await noticeOf(page, 'User updated!').waitFor()
    expect(sent.map((body) => (JSON.parse(body) as { which: string[] }).which)).toEqual([['locale']])

    // The password stays as it is, and rules act at once.
    const dora = { name: 'dora', password: 'dora has a long password' }
    const before = await logInAs(dora)
    await eventually(() => rootOf(before.token), [200, true])
    await edit.getByRole('button', { name: 'New' }).click()
    await edit.getByLabel('Insert the path').fill('/docs')
    await edit.getByLabel('Try a path').fill('/')
    const entries = edit.getByRole('region', { name: 'Entries in this folder' })
    await entries.getByRole('listitem').filter({ hasText: 'docs' }).getByText('Denied: rule 1').waitFor()
    // A field that the tabs cover in part counts as too small, so the page is shown from its top.
    await edit.getByLabel('Username').scrollIntoViewIfNeeded()
    expect(await violationsIn(page, 'light')).toEqual([])
    await save(page, edit)
    await eventually(() => edit.getByText('Unsaved changes').count(), 0)
    await eventually(() => rootOf(before.token), [200, false])
    const why = region(page, 'Why can this user do that?')
    await why.getByLabel('Path in the folder of the user').fill('/docs')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('Rule 1 of the user (/docs) denies /docs.').waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])

    await edit.getByLabel('Disable the account').check()
    await save(page, edit)
    await why.getByText('The user may not do this.').waitFor({ state: 'detached' })
    await eventually(async () => (await rootOf(before.token))[0], 401)
    expect((await logInAs(dora)).status).toBe(403)
    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('row', { name: /^dora Disabled/ }).waitFor()
    expect(await list.getByText('Disabled', { exact: true }).count()).toBe(1)
    expect(await violationsIn(page, 'light')).toEqual([])
    await list.getByRole('link', { name: 'Edit dora' }).click()
    await edit.getByLabel('Disable the account').uncheck()
    await save(page, edit)
    await eventually(async () => (await stored(page, id))['isDisabled'], false)
    const after = await logInAs(dora)
    await eventually(() => rootOf(after.token), [200, false])

    await edit.getByRole('button', { name: 'Duplicate' }).click()
    await form.getByText('The new user starts with the settings of dora.').waitFor()
    const name = form.getByLabel('Username')
    await eventually(() => name.evaluate((field) => field === document.activeElement), true)
    const heading = await form.getByRole('heading', { name: 'New User' }).boundingBox()
    const tabs = await page.getByRole('navigation', { name: 'Settings' }).boundingBox()
    expect(heading?.y).toBeGreaterThanOrEqual((tabs?.y ?? NaN) + (tabs?.height ?? NaN))
    await name.fill('mio')
    await form.getByLabel('Password', { exact: true }).fill('mio has a long password')
    await save(page, form)
    await region(page, 'User mio').waitFor()
    expect(await stored(page, idOf(page))).toMatchObject({
      scope: '/team',
      isDisabled: false,
      perm: { delete: false },
    })

    // The copy of a user with a private folder gets its own.
    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('link', { name: 'Edit moe' }).click()
    await region(page, 'User moe').getByRole('button', { name: 'Duplicate' }).click()
    await form.getByText('moe has a private folder, which is not shared with the new user.').waitFor()
    await name.fill('max')
    await form.getByLabel('Password', { exact: true }).fill('max has a long password')
    await save(page, form)
    await region(page, 'User max').waitFor()
    expect(await stored(page, idOf(page))).toMatchObject({ scope: '/people/max' })

    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('link', { name: 'Edit dora' }).click()
    await edit.getByLabel('Scope').fill('/unsaved')
    await edit.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete user “dora”', exact: true })
    await dialog.getByText('Are you sure you want to delete this user?').waitFor()
    const password = dialog.getByLabel('Your current password')
    await eventually(() => password.evaluate((field) => field === document.activeElement), true)
    await password.fill(ada.password)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await noticeOf(page, 'User deleted!').waitFor()
    await page.waitForURL('**/settings/users')
    await eventually(() => list.getByRole('row', { name: /dora/ }).count(), 0)
  })
})
