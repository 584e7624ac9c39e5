import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { makeTree } from '../kit/tree.ts'
import { atRoot, eventually, expectFocusInside, focusOf } from './journeys.ts'

const files = {
  Docs: { Letters: {}, 'inside.txt': '1' },
  'a.txt': 'a',
  'b.txt': 'b',
  'c.txt': 'c',
}

/** Runs the steps of a journey. After each step, the focus has to be on an element of the page. */
async function walk(page: Page, steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  for (const [name, step] of Object.entries(steps)) {
    await step()
    await expectFocusInside(page).catch((error: unknown) => {
      throw new Error(`the focus is on the body after: ${name}`, { cause: error })
    })
  }
}

atRoot({ files }, ({ server, window }) => {
  const names = (...folder: string[]) => readdirSync(path.join(server().folder, ...folder)).toSorted()

  // Journey: focus-1
  test('the focus is always on an element: from the login over all verbs and prompts to the logout', async () => {
    // An earlier attempt has changed the files.
    for (const name of readdirSync(server().folder))
      await rm(path.join(server().folder, name), { recursive: true, force: true })
    await makeTree(server().folder, files)
    const page = await window()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    // On a busy machine more than 800 ms can pass between two letters, so the name is typed again. Home ends the typing.
    const jumpTo = (name: string) =>
      eventually(async () => {
        await press('Home')
        await page.keyboard.type(name)
        return (await focusOf(page)).toLowerCase().startsWith(`main ${name}`)
      }, true)
    const dialog = page.getByRole('dialog')
    // A dialog and the field of a row take the focus a moment after they appear. Earlier keys would miss them.
    const takesFocus = (selector: string) =>
      eventually(() => page.evaluate((inside) => document.activeElement?.matches(inside), selector), true)
    const opens = () => takesFocus('[role="dialog"], [role="dialog"] *')
    const closes = async (open: () => Promise<unknown>) => {
      await open()
      await opens()
      await press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    const byMenu =
      (...names: readonly string[]) =>
      async () => {
        await press('Shift+F10')
        for (const name of names) await page.getByRole('menuitem', { name }).press('Enter')
      }
    await page.goto(`${server().url}/files/`)
    await walk(page, {
      login: async () => {
        await page.getByLabel('Username').fill(ann.name)
        await page.getByLabel('Password', { exact: true }).fill(ann.password)
        await press('Enter')
        await rowOf(page, /Docs/).waitFor()
      },
      'opening a folder': async () => {
        await jumpTo('docs')
        await press('Enter')
        await rowOf(page, /inside\.txt/).waitFor()
      },
      'going up': async () => {
        await press('Backspace')
        await eventually(() => focusOf(page), 'MAIN Docs')
      },
      'creating a folder': async () => {
        await press('Alt+n')
        await opens()
        await page.keyboard.type('New')
        await press('Enter')
        await page.waitForURL('**/files/New/')
        await page.getByText('It feels lonely here...').waitFor()
      },
      'creating a file': async () => {
        await press('Alt+Shift+n')
        await opens()
        await page.keyboard.type('new.txt')
        await press('Enter')
        await page.waitForURL('**/files/New/new.txt?edit')
      },
      'leaving the file': async () => {
        await page.goBack()
        await rowOf(page, /new\.txt/).waitFor()
      },
      renaming: async () => {
        await jumpTo('new')
        await press('F2')
        await takesFocus('[role="row"] input')
        await page.keyboard.type('renamed')
        await press('Enter')
        await rowOf(page, /renamed\.txt/).waitFor()
        await eventually(() => focusOf(page), 'MAIN renamed.txt')
      },
      'deleting the only row': async () => {
        await press('Delete')
        await opens()
        await press('Enter')
        await page.getByText('It feels lonely here...').waitFor()
        await dialog.waitFor({ state: 'detached' })
      },
    })
    // The row leaves before the server has answered.
    await eventually(() => names('New'), [])
    await walk(page, {
      'going up from an empty folder': async () => {
        await press('Backspace')
        await eventually(() => focusOf(page), 'MAIN New')
      },
      'deleting one of several': async () => {
        await jumpTo('b')
        await press('Delete')
        await opens()
        await press('Enter')
        await rowOf(page, /^b\.txt/).waitFor({ state: 'detached' })
        await eventually(() => focusOf(page), 'MAIN c.txt')
      },
      moving: async () => {
        await jumpTo('c')
        await press('Control+x')
        await jumpTo('docs')
        await press('Enter')
        await rowOf(page, /inside\.txt/).waitFor()
        await press('Control+v')
        await rowOf(page, /^c\.txt/).waitFor()
      },
    })
    expect(names('Docs')).toEqual(['Letters', 'c.txt', 'inside.txt'])
    await walk(page, {
      'selecting a row': () => rowOf(page, /inside\.txt/).click(),
      help: () => closes(() => press('F1')),
      palette: () => closes(() => press('Control+k')),
      'go to file': () => closes(() => press('Control+p')),
      'delete prompt': () => closes(() => press('Delete')),
      info: () => closes(byMenu('More', 'Info')),
      'copy prompt': () => closes(byMenu('Copy to…')),
      'move prompt': () => closes(byMenu('Move to…')),
      'new folder prompt': () => closes(() => press('Alt+n')),
      'new file prompt': () => closes(() => press('Alt+Shift+n')),
      'upload prompt': () => closes(() => press('Control+u')),
      'download prompt': () =>
        closes(async () => {
          await press('Control+a')
          await press('Control+Shift+s')
        }),
      search: async () => {
        await press('Control+f')
        await page.keyboard.type('ins')
        await rowOf(page, /Letters/).waitFor({ state: 'detached' })
        await press('Escape', 'Escape')
        await rowOf(page, /Letters/).waitFor()
      },
      'deleting all': async () => {
        await jumpTo('inside')
        await press('Control+a', 'Delete')
        await opens()
        await press('Enter')
        await page.getByText('It feels lonely here...').waitFor()
        await dialog.waitFor({ state: 'detached' })
        // The rows leave before the server has answered, and a logout would abort the remaining requests.
        await eventually(() => names('Docs').length, 0)
      },
      logout: async () => {
        // Enter does nothing for half a second after it has confirmed a deletion.
        await page.getByRole('button', { name: 'Logout' }).press('Space')
        await page.getByLabel('Username').waitFor()
      },
    })
    expect(names('Docs')).toEqual([])
  })
})
