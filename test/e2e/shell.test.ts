import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { sandbox } from '../kit/command-socket.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, violationsIn } from './journeys.ts'

const dana: TestUser = {
  name: 'dana',
  password: 'dana has a long password',
  flags: ['--commands', 'echo,ls,sleep,printf,false'],
}
const emil: TestUser = { name: 'emil', password: 'emil has a long password', flags: ['--locale', 'de'] }
const files = { docs: { 'inside.txt': '1' } }
const flags = ['--disableExec=false']

const panel = (page: Page) => page.getByRole('region', { name: 'Shell' })
const input = (page: Page) => page.getByRole('textbox', { name: /^Command in/ })
const output = (page: Page) => page.getByRole('log', { name: 'Output of the commands' })

/** Types a command line and runs it. */
const run = async (page: Page, line: string) => {
  await input(page).fill(line)
  await page.keyboard.press('Enter')
}

atRoot({ files, people: [ada, ann, bea, dana, emil], flags }, ({ server, window }) => {
  const openAs = async (person: TestUser, options = {}) => {
    const page = await window(options)
    await signIn(page, server(), person)
    await rowOf(page, /docs/).waitFor()
    return page
  }
  test('an administrator asks which commands a user may run, and why not', async () => {
    const page = await openAs(ada)
    await page.goto(`${server().url}/settings/users`)
    await page.getByRole('link', { name: 'Edit dana' }).click()
    const why = page.getByRole('region', { name: 'Why can this user do that?' })
    await why.getByLabel('Operation').selectOption('Run a command')
    await why.getByRole('button', { name: 'Check' }).click()
    const command = why.getByLabel('Command', { exact: true })
    await eventually(() => command.evaluate((field) => field === document.activeElement), true)
    await command.fill('rm -r /docs')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('The user may not do this.').waitFor()
    await why.getByText('The program rm is not in the list of the user.').waitFor()
    await command.fill('ls -l')
    await why.getByLabel('Folder of the command').fill('/docs')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('The program ls is in the list of the user.').waitFor()
    const verdict = sandbox.isUsable ? 'The user may do this.' : 'This server runs no commands.'
    await why.getByText(verdict).waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  test('the form of a new user warns while it gives the permission to run commands', async () => {
    const page = await openAs(ada)
    await page.goto(`${server().url}/settings/users/new`)
    await page.getByLabel('Username').fill('kim')
    const warning = page.getByText('kim can run commands on the server.')
    const permission = page.getByLabel('Execute commands')
    await permission.uncheck()
    await eventually(() => warning.count(), 0)
    await permission.check()
    await warning.waitFor()
    await permission.uncheck()
    await eventually(() => warning.count(), 0)
  })

  describe.skipIf(!sandbox.isUsable)(
    `commands${sandbox.isUsable ? '' : ` (SKIPPED: ${sandbox.reason})`}`,
    () => {
      // Journey: shell-1
      test('commands run in the open folder, one at a time, leave the focus where the user works, and go on while the shell is hidden or narrow', async () => {
        const page = await openAs(dana)
        await page.getByRole('button', { name: 'Toggle shell' }).click()
        await panel(page).waitFor()
        await run(page, 'echo hi <b>bold</b>')
        await output(page).getByText('hi <b>bold</b>', { exact: true }).waitFor()
        await output(page).getByText('Exit code 0').waitFor()
        await run(page, '   ')
        await run(page, 'false')
        await output(page).getByText('Exit code 1').waitFor()
        await run(page, String.raw`printf '\033[31mred\033[0m\a\342\200\256txt'`)
        await output(page).getByText('red\ufffdtxt').waitFor()

        await run(page, 'sleep 600')
        await eventually(() => input(page).isDisabled(), true)
        const elapsed = panel(page).getByRole('timer', { name: 'Running time' })
        await elapsed.getByText(/^\d+:(?!00)\d\d$/).waitFor()
        await page.getByRole('button', { name: 'Stop' }).click()
        await output(page).getByText('You stopped the command.').waitFor()
        await eventually(() => input(page).evaluate((field) => field === document.activeElement), true)
        await page.keyboard.press('ArrowUp')
        expect(await input(page).inputValue()).toBe('sleep 600')
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('ArrowUp')
        expect(await input(page).inputValue()).toBe('false')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        expect(await input(page).inputValue()).toBe('')
        expect(await violationsIn(page, 'light')).toEqual([])

        await run(page, 'clear')
        await eventually(() => output(page).textContent(), '')
        await rowOf(page, /docs/).dblclick()
        await rowOf(page, /inside\.txt/).waitFor()
        await run(page, 'ls')
        await output(page).getByText('inside.txt').waitFor()
        await run(page, 'exit')
        await panel(page).waitFor({ state: 'detached' })
        await page.keyboard.press('Control+`')
        await panel(page).waitFor()

        await run(page, 'sleep 2')
        await eventually(() => input(page).isDisabled(), true)
        await rowOf(page, /inside\.txt/).click()
        const focused = await focusOf(page)
        await output(page).getByText('Exit code 0').last().waitFor()
        await eventually(() => input(page).isEnabled(), true)
        expect(await focusOf(page)).toBe(focused)
        await page.keyboard.press('F2')
        await page.getByRole('textbox', { name: 'inside.txt' }).or(page.getByRole('dialog')).first().waitFor()
        await page.keyboard.press('Escape')

        await run(page, 'sleep 600')
        await eventually(() => input(page).isDisabled(), true)
        await panel(page).getByRole('button', { name: 'Hide the shell' }).click()
        await panel(page).waitFor({ state: 'detached' })
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Toggle shell' }).click()
        await panel(page).getByText('sleep 600').waitFor()
        expect(await input(page).isDisabled()).toBe(true)
        await page.setViewportSize({ width: 390, height: 800 })
        const dialog = page.getByRole('dialog', { name: 'Shell' })
        await dialog.getByRole('button', { name: 'Stop' }).click()
        await output(page).getByText('You stopped the command.').waitFor()
      })

      test('when the code of the shell cannot be loaded, the page says so, and its keys go on', async () => {
        const page = await openAs(dana)
        await page.getByRole('treeitem').first().waitFor()
        const code = /\/shell-[^/]*\.js/
        await page.route(code, (route) => route.abort())
        await page.getByRole('button', { name: 'Toggle shell' }).click()
        const message = page.getByRole('alert').filter({ hasText: "The server can't be reached." })
        await message.waitFor()
        await rowOf(page, /docs/).click()
        await page.keyboard.press('F2')
        await page.getByRole('textbox', { name: 'docs' }).or(page.getByRole('dialog')).first().waitFor()
        await page.keyboard.press('Escape')
        await page.unroute(code)
        await message.getByRole('button', { name: 'Retry' }).click()
        await panel(page).waitFor()
        expect(await message.count()).toBe(0)
      })
    },
  )

  test('an administrator tries a line of a hook, learns which program is missing, and sees what has failed', async () => {
    const page = await openAs(ada)
    await page.goto(`${server().url}/settings/global`)
    const eventOf = (name: string) => page.locator('details').filter({ hasText: name })
    const fill = async (name: string, lines: string) => {
      await eventOf(name).locator('summary').click()
      await eventOf(name).getByRole('textbox').fill(lines)
    }
    const refusing = `sh -c 'echo "Not $FILE, please" >&2; exit 3'`
    await fill('Before Save', refusing)
    await eventOf('Before Save')
      .getByRole('button', { name: /^Try sh/ })
      .click()
    await eventOf('Before Save').getByText('Exit code 3.').waitFor()
    await eventOf('Before Save')
      .getByText(/^Users see: Refused by a program of the server: Not .*sample\.txt/)
      .waitFor()
    await fill('After Rename', `no-such-program $FILE\nsh -c 'echo oh no; exit 4'`)
    await page
      .locator('form')
      .filter({ has: page.locator('details') })
      .getByRole('button', { name: 'Update' })
      .click()
    await page
      .locator('[data-part="notices"]')
      .getByText('The commands are saved, but the server cannot run these programs: no-such-program')
      .waitFor()
    await eventOf('After Rename')
      .getByText('The server has no program no-such-program, or may not run it.')
      .waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])

    const statusOf = (method: string, path: string, body?: string) =>
      page.evaluate(
        async ({ method, path, body }) => {
          const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' }
          return (await fetch(path, { method, headers, ...(body === undefined ? {} : { body }) })).status
        },
        { method, path, body },
      )
    expect(await statusOf('PUT', '/api/resources/docs/inside.txt', 'new')).toBe(500)
    await page.goto(`${server().url}/files/docs/inside.txt`)
    await page.locator('.cm-content').click()
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    const refusal = /^inside\.txt was not saved\. Refused by a program of the server: Not .*inside\.txt/
    await page.locator('[data-part="notices"]').getByText(refusal).waitFor()
    await page.goto(`${server().url}/settings/global`)
    await eventOf('Before Save').getByText('Warnings: 1').waitFor()
    await eventOf('Before Save').locator('summary').click()
    await eventOf('Before Save')
      .getByText(/^Last failure: .*Exit code 3\./)
      .waitFor()
    await page.goto(`${server().url}/settings/audit?action=hook&outcome=failed`)
    await page.getByText('A program of the server refused this.').first().waitFor()
    await server().cli('cmds', 'rm', 'before_save', '0')
  })

  test('cd goes through the folders of the user, help names what works, and the shell follows the page', async () => {
    const page = await openAs(dana)
    await page.keyboard.press('Control+`')
    const prompt = async () => (await page.locator('label[for=shell-line]').textContent()) ?? ''
    const answered = async (line: string) => {
      await run(page, line)
      await eventually(() => input(page).isEnabled(), true)
    }
    await answered('help')
    await output(page).getByText('You can run: echo, ls, sleep, printf, false').waitFor()
    await answered('cd docs')
    await eventually(prompt, '/docs')
    await answered('pwd')
    await output(page).getByText('/docs', { exact: true }).last().waitFor()
    await answered('cd nowhere')
    await output(page).getByText('nowhere: There is no such folder.').waitFor()
    await answered('cd inside.txt')
    await output(page).getByText('inside.txt: This is a file, not a folder.').waitFor()
    await answered('cd "a')
    await output(page)
      .getByText(/closing quotation mark is missing/)
      .waitFor()
    await answered('cd a b')
    await output(page)
      .getByText(/^Name one folder\./)
      .waitFor()
    expect(await prompt()).toBe('/docs')
    await answered('cd ../../..')
    await eventually(prompt, '/')
    await answered('cd -')
    await eventually(prompt, '/docs')
    await answered('cd')
    await eventually(prompt, '/')
    expect(await violationsIn(page, 'light')).toEqual([])
    await answered('cd docs')
    await rowOf(page, /docs/).dblclick()
    await rowOf(page, /inside\.txt/).waitFor()
    await eventually(prompt, '/docs')
    await page.goBack()
    await eventually(prompt, '/')
  })

  test('a refused command says so in the language of the user, without the English text for other programs', async () => {
    const page = await openAs(emil)
    await page.keyboard.press('Control+`')
    const log = page.getByRole('log', { name: 'Ausgabe der Befehle' })
    await page.locator('#shell-line').fill('cat /etc/passwd')
    await page.keyboard.press('Enter')
    await log
      .getByText(/^cat steht nicht in Ihrer Liste, und die Liste ist leer\./)
      .or(log.getByText('Dieser Server führt zurzeit keine Befehle aus.'))
      .waitFor()
    expect(await log.textContent()).not.toContain('Command not allowed.')
  })

  // Journey: shell-2
  test('a refused command says so, an unreachable server too, and on phones the shell is a dialog', async () => {
    const page = await openAs(dana, { viewport: { width: 390, height: 800 } })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Toggle shell' }).click()
    await page.getByRole('dialog', { name: 'Shell' }).waitFor()
    await run(page, 'cat /etc/passwd')
    const refusal = sandbox.isUsable
      ? 'cat is not in your list. You can run: echo, ls, sleep, printf, false'
      : 'This server runs no commands at the moment.'
    await output(page).getByText(refusal).waitFor()
    await eventually(() => input(page).isEnabled(), true)
    await page.route('**/api/ticket', (route) => route.abort())
    await run(page, 'ls')
    await output(page).getByText("The server can't be reached. The command did not run.").waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await violationsIn(page, 'dark')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Shell' }).waitFor({ state: 'detached' })
  })
})
