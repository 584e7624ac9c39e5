import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { draftsIn } from './drafts-in.ts'
import { eventually, everywhere } from './journeys.ts'
import { copyProgram, replaceClient } from './second-build.ts'

const program = await copyProgram()
afterAll(() => rm(program, { recursive: true, force: true }))

const updated = (page: Page) => page.getByRole('heading', { name: 'Stowage was updated.' })
const unreachable = (page: Page) => page.getByRole('heading', { name: "The server can't be reached." })
const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true }).click()

everywhere(
  {
    files: { 'plan.txt': 'old', Shared: { 'notes.txt': 'for guests' } },
    program: [process.execPath, path.join(program, 'dist/server/main.js')],
  },
  ({ server, freshWindow, testAtRoot }) => {
    const update = async (): Promise<void> => {
      await server().stop()
      await replaceClient(program)
      await server().start()
    }

    // Journey: update-1
    test('an open page says that the server was updated when a screen is missing, and Reload shows the screen', async () => {
      const page = await freshWindow()
      await signIn(page, server(), ann)
      await rowOf(page, /^plan\.txt/).waitFor()
      await page.getByRole('treeitem').first().waitFor()
      await update()
      await page.getByRole('link', { name: 'Settings' }).first().click()
      await updated(page).waitFor()
      await page.getByText('Reload the page to continue.').waitFor()
      await reload(page)
      await page.getByLabel('Language').waitFor()
    })

    // Journey: update-2
    test('an update during unsaved changes keeps the text, and the page asks before Reload leaves it', async () => {
      const page = await freshWindow()
      await signIn(page, server(), ann)
      await rowOf(page, /^plan\.txt/).dblclick()
      const text = page.locator('[data-part="editor"]').getByRole('textbox')
      const firstLine = () => page.locator('[data-part="editor"] .cm-line').first().innerText()
      await text.focus()
      await page.keyboard.type('new ')
      await eventually(() => draftsIn(page), 1)
      await writeFile(path.join(server().folder, 'plan.txt'), 'of others')
      await update()
      await text.focus()
      await page.keyboard.press('Control+s')
      const prompt = page.getByRole('alertdialog', { name: 'The file has changed' })
      await prompt.getByRole('button', { name: 'Compare' }).click()
      await prompt.getByRole('alert').getByText('Stowage was updated.').waitFor()
      expect(await firstLine()).toBe('new old')

      const questions: string[] = []
      page.once('dialog', (question) => {
        questions.push(question.type())
        void question.accept()
      })
      await reload(page)
      await page.getByRole('button', { name: 'Restore' }).click()
      await eventually(firstLine, 'new old')
      expect(questions).toEqual(['beforeunload'])
    })

    // Journey: update-3
    test('a guest of a link is told about an update, too, and Reload shows the file', async () => {
      const page = await freshWindow()
      await signIn(page, server(), ann)
      const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
      const response = await fetch(`${server().url}/api/share/Shared/`, {
        method: 'POST',
        headers: { 'x-auth': token, 'content-type': 'application/json' },
        body: '{}',
      })
      const { hash } = (await response.json()) as { readonly hash: string }
      const guest = await freshWindow()
      await guest.goto(`${server().url}/share/${hash}`)
      await guest.getByText('notes.txt').first().waitFor()
      // A part that follows the rows would be missing, too, and the whole page would say so at once.
      await guest.waitForLoadState('networkidle')
      await update()
      await guest.getByText('notes.txt').first().dblclick()
      await updated(guest).waitFor()
      await reload(guest)
      await guest.getByText('for guests').waitFor()
    })

    testAtRoot(
      'a server that cannot be reached, and a proxy that says 404 in its place, are no update',
      async () => {
        const page = await freshWindow()
        await signIn(page, server(), ann)
        await page.getByRole('treeitem').first().waitFor()
        const assets = '**/static/assets/*'
        await page.route(assets, (route) => route.fulfill({ status: 404, body: 'no backend' }))
        await page.getByRole('link', { name: 'Settings' }).first().click()
        await unreachable(page).waitFor()
        await page.unroute(assets)

        await page.goto(server().url)
        await page.getByRole('treeitem').first().waitFor()
        await server().stop()
        await page.getByRole('link', { name: 'Settings' }).first().click()
        await unreachable(page).waitFor()
        expect(await updated(page).count()).toBe(0)
        await server().start()
        await page.getByRole('button', { name: 'Retry' }).click()
        await page.getByLabel('Language').waitFor()
      },
    )
  },
)
