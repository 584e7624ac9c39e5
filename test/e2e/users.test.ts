import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ada, ann, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, violationsIn } from './journeys.ts'

const files = {
  '.stash': { inner: {} },
  team: { docs: { 'a.txt': 'a' }, secret: { 'key.pem': 'k' }, 'a%2Fb #?&+.txt': 'odd', '.hidden': 'h' },
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

/** Holds the requests to an address back until `release` is called. */
const holdResponses = async (page: Page, url: string) => {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue().catch(() => undefined)
  })
  return { release: held.resolve }
}

/** Returns true when the middle of an element is on screen, and nothing covers it. It runs in the page. */
const isInView = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return document.elementFromPoint(x + width / 2, y + height / 2) === element
}

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
  test('on a phone users are cards, the last administrator stays, a broken rule for all is named, and others see no user management', async () => {
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

    // A rule for all users that does not work is named where a path is tried.
    // Such a rule comes from an import. The API does not store it.
    await page.route('**/api/settings', async (route) => {
      const response = await route.fetch()
      const settings = (await response.json()) as object
      const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
      await route.fulfill({ response, json: { ...settings, rules } })
    })
    await page.goto(`${server().url}/settings/users/new`)
    const form = region(page, 'New User')
    await form.getByLabel('Try a path').fill('/team')
    await form
      .getByText('Rule 1 for all users does not work: This is not a valid regular expression.')
      .waitFor()

    await signIn(page, server(), ann, '/settings/users')
    await page.waitForURL('**/403')
  })

  // Journey: users-2
  test('the form of a new user shows its first missing field, and an administrator creates a user, changes it, and deletes it', async () => {
    const page = await openAs(ada, '/settings/users')
    await region(page, 'Users').getByRole('row', { name: /ann/ }).waitFor()
    await region(page, 'Users').getByRole('button', { name: 'New' }).click()
    await page.waitForURL('**/settings/users/new')
    const form = region(page, 'New User')

    // A form without a name and a password is not sent, and the first missing field is shown.
    await page.setViewportSize({ width: 390, height: 844 })
    await form.getByRole('button', { name: 'Save' }).click()
    const name = form.getByLabel('Username')
    await eventually(() => name.evaluate((field) => field === document.activeElement), true)
    await form.getByText('Enter a username.').waitFor()
    await eventually(() => name.evaluate(isInView), true)
    await name.fill('finn')
    await form.getByLabel('Your current password').press('Control+Enter')
    const newPassword = form.getByLabel('Password', { exact: true })
    await eventually(() => newPassword.evaluate((field) => field === document.activeElement), true)
    await eventually(() => newPassword.evaluate(isInView), true)
    await page.setViewportSize({ width: 1280, height: 800 })

    await form.getByLabel('Username').fill('ann')
    await form.getByLabel('Password', { exact: true }).fill('short')
    await form.getByLabel('Scope').fill('/.stash')
    await form.locator('option[value="/.stash/inner"]').waitFor({ state: 'attached' })
    expect(await form.getByText('This folder does not exist').count()).toBe(0)
    await form.getByLabel('Scope').fill('/team/a%2Fb #?&+.txt')
    await form.getByText('This folder does not exist').waitFor()
    await form.getByLabel('Scope').fill('/team')

    await form.getByLabel('Delete files and folders').uncheck()
    await save(page, form)
    await form.getByText('Use at least 12 characters.').waitFor()
    await form.getByLabel('Password', { exact: true }).fill('dora has a long password')
    await save(page, form)
    await form.getByText('Username already taken').waitFor()
    await form.getByLabel('Username').fill('dora')
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

    const session = await logInAs({ name: 'dora', password: 'dora has a long password' })
    await eventually(() => rootOf(session.token), [200, true])

    const saving = await holdResponses(page, `**/api/users/${id}`)
    await edit.getByLabel('Language').selectOption('English')
    await save(page, edit)
    await edit.getByLabel('Password', { exact: true }).fill('typed meanwhile')
    saving.release()
    await eventually(() => edit.getByLabel('Your current password').inputValue(), '')
    expect(await edit.getByLabel('Password', { exact: true }).inputValue()).toBe('typed meanwhile')

    await edit.getByLabel('Password', { exact: true }).fill('')

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
    await eventually(() => region(page, 'Users').getByRole('row', { name: /dora/ }).count(), 0)
  })

  test('an account is disabled and enabled again, and its fields are copied to a new user', async () => {
    await server().cli('users', 'add', 'mia', 'mia has a long password', '--scope', '/team')
    await server().cli('users', 'add', 'moe', 'moe has a long password', '--scope', '/people/moe')
    const page = await openAs(ada, '/settings/users')
    const list = region(page, 'Users')
    await list.getByRole('link', { name: 'Edit mia' }).click()
    const form = region(page, 'User mia')
    const disable = form.getByLabel('Disable the account')
    await form.getByLabel('Delete files and folders').uncheck()
    await disable.check()
    const mia = { name: 'mia', password: 'mia has a long password' }
    const before = await logInAs(mia)
    await eventually(() => rootOf(before.token), [200, true])
    await save(page, form)
    await noticeOf(page, 'User updated!').waitFor()
    expect([(await rootOf(before.token))[0], (await logInAs(mia)).status]).toEqual([401, 403])

    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('row', { name: /^mia Disabled/ }).waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
    expect(await list.getByText('Disabled', { exact: true }).count()).toBe(1)
    await list.getByRole('link', { name: 'Edit mia' }).click()
    const id = idOf(page)
    const why = region(page, 'Why can this user do that?')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('The account is disabled.').waitFor()

    await form.getByRole('button', { name: 'Duplicate' }).click()
    const copy = region(page, 'New User')
    await copy.getByText('The new user starts with the settings of mia.').waitFor()
    await eventually(
      () => copy.getByLabel('Username').evaluate((field) => field === document.activeElement),
      true,
    )
    const heading = await copy.getByRole('heading', { name: 'New User' }).boundingBox()
    const tabs = await page.getByRole('navigation', { name: 'Settings' }).boundingBox()
    expect(heading?.y).toBeGreaterThanOrEqual((tabs?.y ?? NaN) + (tabs?.height ?? NaN))
    expect([
      await copy.getByLabel('Username').inputValue(),
      await copy.getByLabel('Scope').inputValue(),
      await copy.getByLabel('Delete files and folders').isChecked(),
      await copy.getByLabel('Disable the account').isChecked(),
    ]).toEqual(['', '/team', false, false])
    await copy.getByLabel('Username').fill('mio')
    await copy.getByLabel('Password', { exact: true }).fill('mio has a long password')
    await save(page, copy)
    await noticeOf(page, 'User created!').waitFor()
    await region(page, 'User mio').waitFor()
    expect(await stored(page, idOf(page))).toMatchObject({
      scope: '/team',
      isDisabled: false,
      perm: { delete: false },
    })

    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('link', { name: 'Edit moe' }).click()
    await region(page, 'User moe').getByRole('button', { name: 'Duplicate' }).click()
    await copy.getByText('moe has a private folder, which is not shared with the new user.').waitFor()
    const scope = copy.getByLabel('Scope')
    expect(await scope.inputValue()).toBe('')
    await copy.getByLabel('Username').fill('max')
    expect(await scope.inputValue()).toBe('/people/max')
    await copy.getByText('This folder does not exist on the server yet.').waitFor()
    await copy.getByLabel('Username').fill('..')
    await copy.getByLabel('Password', { exact: true }).fill('max has a long password')
    await save(page, copy)
    await copy.getByText('Enter a folder.').waitFor()
    await copy.getByLabel('Username').fill('max')
    await save(page, copy)
    await noticeOf(page, 'User created!').waitFor()
    await region(page, 'User max').waitFor()
    expect(await stored(page, idOf(page))).toMatchObject({ scope: '/people/max' })

    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('link', { name: 'Edit mia' }).click()
    await disable.uncheck()
    await save(page, form)
    await eventually(async () => (await stored(page, id))['isDisabled'], false)
    const { token } = await logInAs(mia)
    await eventually(() => rootOf(token), [200, true])
    await page.getByRole('link', { name: 'User Management' }).click()
    await list.getByRole('link', { name: 'Edit ada' }).click()
    await region(page, 'User ada').getByLabel('Username').waitFor()
    expect(await page.getByLabel('Disable the account').count()).toBe(0)
  })

  // Journey: users-3
  test('rules are saved only with a text, moved, checked while they are typed, tried on real entries, and explained', async () => {
    await server().cli('users', 'add', 'eve', 'eve has a long password', '--scope', '/team')
    const page = await openAs(ada, '/settings/users')
    await region(page, 'Users').getByRole('link', { name: 'Edit eve' }).click()
    const form = region(page, 'User eve')
    const rule = (number: number) => form.getByRole('group', { name: `Rule ${number}` })
    await form.getByRole('button', { name: 'New' }).click()

    // A rule is saved only when it has a text, because an empty rule would allow every path.
    const empty = rule(1).getByText('Enter a text. Without one, the rule would match every path.')
    await empty.waitFor()
    await save(page, form)
    const path = rule(1).getByLabel('Insert the path')
    await eventually(() => path.evaluate((field) => field === document.activeElement), true)
    expect(await stored(page, idOf(page))).toMatchObject({ rules: [] })
    await rule(1).getByRole('checkbox', { name: 'Regex' }).check()
    await empty.waitFor()
    await rule(1).getByRole('checkbox', { name: 'Regex' }).uncheck()
    await path.fill('/secret')
    await rule(1).getByLabel('Allow').check()
    await eventually(() => empty.count(), 0)
    await save(page, form)
    await eventually(() => form.getByText('Unsaved changes').count(), 0)
    expect(await stored(page, idOf(page))).toMatchObject({ rules: [{ allow: true, path: '/secret' }] })

    await rule(1).getByLabel('Allow').uncheck()
    await rule(1).getByLabel('Insert the path').press('Enter')
    await form.getByRole('button', { name: 'New' }).click()
    await rule(2).getByLabel('Regex').check()
    await rule(2).getByLabel('Allow').check()
    await rule(2).getByLabel('Insert regex expression').fill('(')
    await rule(2).getByText('This is not a valid regular expression.').waitFor()
    await save(page, form)
    await eventually(
      () =>
        rule(2)
          .getByLabel('Insert regex expression')
          .evaluate((field) => field === document.activeElement),
      true,
    )
    const checks = await holdResponses(page, '**/api/rules/check')
    await rule(1).getByRole('button', { name: 'Move rule 1 down' }).click()
    expect(await rule(2).getByLabel('Insert the path').inputValue()).toBe('/secret')
    await eventually(() => rule(2).getByText('This is not a valid regular expression.').count(), 0)
    checks.release()
    await rule(1).getByText('This is not a valid regular expression.').waitFor()
    await rule(1).getByRole('button', { name: 'Move rule 1 down' }).click()
    await rule(2).getByLabel('Insert regex expression').fill('\\.pem$')

    await form.getByLabel('Try a path').fill('/secret/key.pem')
    await form.getByText('Allowed: rule 2').first().waitFor()
    await rule(2).getByRole('button', { name: 'Move rule 2 up' }).click()
    await form.getByText('Denied: rule 2').first().waitFor()
    await form.getByLabel('Try a path').fill('/')
    const entries = form.getByRole('region', { name: 'Entries in this folder' })
    await entries.getByRole('listitem').filter({ hasText: 'secret' }).getByText('Denied: rule 2').waitFor()
    expect(await entries.getByText('a%2Fb #?&+.txt').count()).toBeGreaterThan(0)
    // A field that the tabs cover in part counts as too small, so the page is shown from its top.
    await form.getByLabel('Username').scrollIntoViewIfNeeded()
    expect(await violationsIn(page, 'light')).toEqual([])
    await save(page, form)
    await eventually(() => form.getByText('Unsaved changes').count(), 0)
    expect(await stored(page, idOf(page))).toMatchObject({
      rules: [
        { allow: true, regex: true, regexp: { raw: '\\.pem$' } },
        { allow: false, regex: false, path: '/secret' },
      ],
    })

    const why = region(page, 'Why can this user do that?')
    await why.getByLabel('Path in the folder of the user').fill('/secret/key.pem')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('The user may not do this.').waitFor()
    await why.getByText('Rule 2 of the user (/secret) denies /secret/key.pem.').waitFor()
    const answers = await holdResponses(page, '**/explain')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByLabel('Path in the folder of the user').fill('/docs')
    answers.release()
    await eventually(() => why.getByRole('button', { name: 'Check' }).getAttribute('aria-disabled'), null)
    expect(await why.getByText('The user may not do this.').count()).toBe(0)
    await why.getByLabel('Path in the folder of the user').fill('/secret/key.pem')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('The user may not do this.').waitFor()
    expect(await violationsIn(page, 'dark')).toEqual([])
    await rule(2).getByRole('button', { name: 'Remove rule 2' }).click()
    await save(page, form)
    await why.getByText('The user may not do this.').waitFor({ state: 'detached' })
  })
})
