import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, expectFocusInside, violationsInBothThemes } from './journeys.ts'

const files = { Docs: { 'inside.txt': '1' }, '.hidden.txt': 'h', 'report.txt': 'quarterly' }

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Settings' })
const tabsShown = (page: Page) => navigation(page).getByRole('link').allTextContents()
const card = (page: Page, name: string) => page.getByRole('region', { name })
const noticeOf = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Returns the settings that the server has stored. */
const stored = async (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch('/api/settings', {
      headers: { 'X-Auth': localStorage.getItem('jwt') ?? '' },
    })
    return (await response.json()) as Record<string, unknown>
  })

atRoot({ files }, ({ server, window, testAtRoot }) => {
  const openAs = async (person: TestUser, address: string, options = {}) => {
    const page = await window(options)
    await signIn(page, server(), person, address)
    return page
  }
  /** Starts a session of a person in another program. */
  const logInElsewhere = ({ name, password }: TestUser) =>
    fetch(`${server().url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: name, password }),
    })

  // Journey: settings-1
  test('the settings open at the profile, and offer each user only their tabs', async () => {
    const page = await openAs(ann, '/files/')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.waitForURL(`${server().url}/settings/profile`)
    await card(page, 'Preferences').waitFor()
    expect(await tabsShown(page)).toEqual(['Profile Settings', 'Share Management'])
    expect(await page.title()).toBe('Profile Settings')
    await page.goto(`${server().url}/settings`)
    await page.waitForURL(`${server().url}/settings/profile`)
    await page.goto(`${server().url}/settings/nothing`)
    await page.getByText("This location can't be reached.").waitFor()
    await navigation(page).getByRole('link', { name: 'Profile Settings' }).click()
    await card(page, 'Preferences').waitFor()
    await page.goto(`${server().url}/settings/global`)
    await page.waitForURL(`${server().url}/403`)
  })

  // Journey: settings-2
  testAtRoot(
    'loading settings show a spinner, the density and updated preferences act at once, and a refused update keeps what was chosen',
    async () => {
      const page = await window()
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/shares', async (route) => {
        await isReleased
        await route.continue()
      })
      await signIn(page, server(), ann, '/settings/shares')
      await page.getByRole('main').getByText('Loading...').waitFor()
      release()
      await page.getByText('It feels lonely here...').waitFor()
      await page.unroute('**/api/shares')

      // The chosen density sets the height of rows, and stays after a reload.
      const goToFiles = () => page.getByRole('link', { name: 'My files' }).click()
      const goToSettings = () => page.getByRole('link', { name: 'Settings', exact: true }).click()
      const height = async () => (await rowOf(page, /\.hidden\.txt/).boundingBox())?.height
      await page.getByRole('link', { name: 'Profile Settings' }).click()
      for (const [density, expected] of [
        ['Comfortable', 44],
        ['Normal', 36],
        ['Compact', 28],
      ] as const) {
        await card(page, 'This device').getByLabel('Density of lists').selectOption(density)
        await goToFiles()
        await rowOf(page, /\.hidden\.txt/).waitFor()
        await eventually(height, expected)
        if (density === 'Compact') await page.reload()
        else await goToSettings()
      }
      await rowOf(page, /\.hidden\.txt/).waitFor()
      await eventually(height, 28)

      await goToSettings()
      const preferences = card(page, 'Preferences')
      await preferences.getByLabel('Hide dotfiles').check()
      await page.route('**/api/users/*', (route) => route.abort())
      await preferences.getByRole('button', { name: 'Update' }).click()
      await preferences.getByRole('alert').waitFor()
      expect(await preferences.getByLabel('Hide dotfiles').isChecked()).toBe(true)
      await page.unroute('**/api/users/*')
      await goToFiles()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
      await preferences.getByLabel('Use single clicks to open files and folders').check()
      await preferences.getByLabel('Language').selectOption('')
      await preferences.getByLabel('Language').press('Control+Enter')
      await noticeOf(page, 'Settings updated!').waitFor()
      await goToFiles()
      await rowOf(page, /report\.txt/).waitFor()
      await eventually(() => rowOf(page, /\.hidden\.txt/).count(), 0)
      await rowOf(page, /Docs/).getByText('Docs').click()
      await rowOf(page, /inside\.txt/).waitFor()
      await page.goto(`${server().url}/settings/profile`)
      await preferences.getByLabel('Hide dotfiles').waitFor()
      expect(await preferences.getByLabel('Hide dotfiles').isChecked()).toBe(true)
      expect(await preferences.getByLabel('Language').inputValue()).toBe('')
    },
  )

  // Journey: settings-4
  testAtRoot(
    'an updated language switches the open page at once, and the focus stays in the page when a session ends',
    async () => {
      const person = { name: 'dan', password: 'dan has a long password' }
      await server().cli('users', 'add', person.name, person.password, '--locale', 'ar-XB')
      const page = await openAs(person, '/settings/profile')
      const directionOf = () => page.evaluate(() => document.documentElement.dir)
      await eventually(directionOf, 'rtl')
      const language = page.getByRole('combobox').filter({ has: page.locator('option[value="en"]') })
      expect(await language.inputValue()).toBe('ar-XB')
      await language.selectOption('en')
      // The sidebar stays. Without frames and delays, its code would have to be there already.
      await page.evaluate(() => {
        const { setTimeout } = globalThis
        globalThis.requestAnimationFrame = () => 0
        globalThis.setTimeout = ((run: () => void, ms: number) =>
          ms === 1500 ? 0 : setTimeout(run, ms)) as typeof globalThis.setTimeout
      })
      await language.press('Control+Enter')
      await eventually(directionOf, 'ltr')
      await page.getByRole('treeitem').first().waitFor()

      await logInElsewhere(person)
      await page.reload()
      await card(page, 'Preferences').waitFor()
      expect(await page.getByLabel('Language').inputValue()).toBe('en')
      const rows = card(page, 'Sessions').getByRole('listitem')
      await rows.getByRole('button').click()
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: 'End session' }).click()
      await noticeOf(page, 'Session ended!').waitFor()
      await eventually(() => rows.count(), 1)
      await eventually(() => question.count(), 0)
      await expectFocusInside(page)
    },
  )

  // Journey: settings-5
  testAtRoot(
    'without execution the global settings have no shell and no command runner, a refusal shows its status, and axe reports nothing',
    async () => {
      const page = await window()
      await page.route('**/api/settings', (route) => route.fulfill({ status: 403, body: '403 Forbidden' }))
      await signIn(page, server(), ada, '/settings/global')
      await page.getByText("You don't have permissions to access this.").waitFor()
      await page.unroute('**/api/settings')
      await page.getByRole('button', { name: 'Retry' }).click()
      await card(page, 'User default settings').waitFor()
      for (const name of ['Shell', 'Commands', 'Execute commands'])
        expect(await page.getByLabel(name).count()).toBe(0)
      expect(await card(page, 'Command runner').count()).toBe(0)

      await page.getByRole('link', { name: 'Profile Settings' }).click()
      await card(page, 'Preferences').waitFor()
      await card(page, 'Sessions').getByText('This session').waitFor()
      expect(await violationsInBothThemes(page)).toEqual([])
    },
  )

  testAtRoot(
    'a page that could not be loaded without the network or the server is loaded when either is back',
    async () => {
      const page = await openAs(ada, '/settings/profile')
      const failure = page.getByRole('heading', { name: "The server can't be reached." })
      await page.getByRole('link', { name: 'User Management' }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'User Management' }).click()
      await failure.waitFor()
      await page.context().setOffline(false)
      await card(page, 'Users').getByRole('row', { name: /ada/ }).waitFor()
      const table = card(page, 'Users').getByRole('table')
      await eventually(
        () => table.evaluate((element) => getComputedStyle(element).borderCollapse),
        'collapse',
      )

      await server().stop()
      await page.getByRole('link', { name: 'Global Settings' }).click()
      await failure.waitFor()
      await server().start()
      await card(page, 'User default settings').waitFor()
    },
  )
})

const emil: TestUser = {
  name: 'emil',
  password: 'emil has a long password',
  flags: ['--perm.admin', '--locale', 'de'],
}

atRoot({ files: {}, people: [ada, emil], flags: ['--disableExec=false'] }, ({ server, window }) => {
  test('the options of the server are explained in the language of the administrator', async () => {
    const page = await window()
    await signIn(page, server(), emil, '/settings/global')
    const option = page.getByRole('row', { name: 'disableExec' })
    await option.getByText('Deaktiviert Befehle und automatische Befehle.').waitFor()
    await option.getByRole('cell', { name: 'Befehlszeile' }).waitFor()
  })

  // Journey: settings-6
  test('administrators change the shell, signup, rules, defaults, commands and branding, unsaved ones are not left silently, all act after a reload, and axe reports nothing', async () => {
    const page = await window()
    await signIn(page, server(), ada, '/settings/global')
    const general = card(page, 'Global Settings')
    await general.waitFor()
    expect(await tabsShown(page)).toContain('Global Settings')
    await general.getByLabel('Allow users to signup').check()
    await general.getByLabel('Shell', { exact: true }).fill('  bash   -c ')
    await general.getByLabel('Instance name').fill('Our <b>files</b>')
    await general.getByLabel('Theme').selectOption('Dark')
    await general.getByRole('button', { name: 'New' }).click()
    await general.getByRole('group', { name: 'Rule 1' }).getByLabel('Regex').check()
    await general.getByLabel('Insert regex expression').fill('secret$')
    for (const topic of ['Execute on shell', 'Rules', 'Branding']) {
      await card(page, topic).getByRole('button', { name: 'Update' }).click()
      await eventually(() => card(page, topic).getByText('Not saved').count(), 0)
    }
    // A signup is asked about, because the scope of new users is the whole server.
    await card(page, 'Accounts and login').getByRole('button', { name: 'Update' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save anyway' }).click()
    await eventually(() => general.getByText('Not saved').count(), 0)

    const defaults = card(page, 'User default settings')
    await defaults.getByLabel('Share files').uncheck()
    await defaults.getByLabel('Commands', { exact: true }).fill('git  svn ')
    await defaults.getByRole('button', { name: 'Update' }).click()
    await eventually(() => defaults.getByText('Not saved').count(), 0)

    const runner = card(page, 'Command runner')
    const titles = await runner.locator('summary').allTextContents()
    expect(
      titles.map((title) => title.match(/^(?:Before|After) (?:Copy|Delete|Rename|Save|Upload)/)?.[0]),
    ).toEqual(
      ['Copy', 'Delete', 'Rename', 'Save', 'Upload'].flatMap((change) => [
        `Before ${change}`,
        `After ${change}`,
      ]),
    )
    await runner.getByText('Before Upload', { exact: true }).click()
    await runner.getByLabel('Commands for Before Upload').fill('echo $FILE\n\n  \necho done\n')
    await page.getByRole('link', { name: 'Profile Settings' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
    await runner.getByRole('button', { name: 'Update' }).click()
    await noticeOf(page, 'Commands updated!').waitFor()
    expect(await stored(page)).toMatchObject({
      signup: true,
      shell: ['bash', '-c'],
      rules: [{ regex: true, allow: false, regexp: { raw: 'secret$' } }],
      branding: { name: 'Our <b>files</b>', theme: 'dark' },
      defaults: { perm: { share: false, create: true }, commands: ['git', 'svn'] },
      commands: { before_upload: ['echo $FILE', 'echo done'] },
    })
    // The page is opened again within the second for which the query cache keeps what nobody shows.
    await page.evaluate(
      async (names) => {
        for (const name of names) {
          const links = [...document.querySelectorAll<HTMLElement>('[aria-label="Settings"] a')]
          links.find(({ textContent }) => textContent === name)?.click()
          while (
            document.querySelector('[aria-label="Settings"] [aria-current="page"]')?.textContent !== name
          )
            await new Promise((resolve) => requestAnimationFrame(() => resolve(null)))
        }
      },
      ['Profile Settings', 'Global Settings'],
    )
    await runner.getByText(/^Before Upload/).click()
    expect(await runner.getByLabel('Commands for Before Upload').inputValue()).toBe('echo $FILE\necho done')

    await page.reload()
    await page.getByRole('link', { name: 'Our <b>files</b>' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
    await runner.getByText('After Copy', { exact: true }).click()
    await general.getByRole('button', { name: 'New', exact: true }).click()
    // A field that the tabs cover in part counts as too small, so the page is shown from its top.
    await page.getByLabel('Allow users to signup').scrollIntoViewIfNeeded()
    expect(await violationsInBothThemes(page)).toEqual([])
  })
})
