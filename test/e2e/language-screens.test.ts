import { utimesSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { rowOf } from '../kit/browser.ts'
import { transparentPng } from '../kit/images.ts'
import { ada, ann, type RunningServer } from '../kit/run-server.ts'
import { atRoot } from './journeys.ts'
import { closeDialog, dialogOf, tokenOf, walkInLanguages, type Step, type Visit } from './languages.ts'

const files = {
  zeta: { 'q.png': await transparentPng(), 'w.txt': 'q' },
  'k.png': await transparentPng(),
  'j.txt': 'q\n',
  'y.zip': Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'),
}

/** Shares an entry as Ada and returns the path of the link. */
async function shareOf(server: RunningServer, entry: string, options: object): Promise<string> {
  const response = await fetch(`${server.url}/api/share/${entry}`, {
    method: 'POST',
    headers: { 'X-Auth': await tokenOf(server) },
    body: JSON.stringify(options),
  })
  return `/share/${((await response.json()) as { hash: string }).hash}`
}

const select = (page: Page, name: RegExp) => page.locator(`[role="row"][data-name="${name.source}"]`).click()
const prompt = (name: string, entry: string, action: string, isRare = false): Step => [
  name,
  async ({ page, say }) => {
    await closeDialog(page)
    await page.locator(`[role="row"][data-name="${entry}"]`).click({ button: 'right' })
    if (isRare) await page.getByRole('menuitem', { name: say('buttons.more'), exact: true }).press('Enter')
    await page.getByRole('menuitem', { name: say(action), exact: true }).click()
    await dialogOf(page).waitFor()
  },
]
const settings = (name: string, wait: (visit: Visit) => Promise<unknown>): Step => [
  `settings ${name}`,
  async (visit) => {
    await visit.page.goto(`${visit.server.url}/settings/${name}`)
    await wait(visit)
  },
]
const headingOf =
  (id: string) =>
  ({ page, say }: Visit) =>
    page
      .getByRole('heading', { name: say(id), exact: true })
      .first()
      .waitFor()

const steps: readonly Step[] = [
  ['listing', ({ page }) => rowOf(page, /j\.txt/).waitFor()],
  [
    'context menu',
    async ({ page }) => {
      await page.locator('[role="row"][data-name="j.txt"]').click({ button: 'right' })
      await page.getByRole('menu').waitFor()
    },
  ],
  [
    'delete',
    async ({ page }) => {
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
      await select(page, /zeta/)
      await page.keyboard.press('Delete')
      await dialogOf(page).waitFor()
    },
  ],
  [
    'share',
    async ({ page, say }) => {
      await closeDialog(page)
      await page.locator('[role="row"][data-name="zeta"]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: say('action.share'), exact: true }).click()
      await dialogOf(page).getByRole('button').nth(2).waitFor()
    },
  ],
  [
    'share form',
    async ({ page, say }) => {
      await dialogOf(page).getByText(say('share.options'), { exact: true }).click()
      await dialogOf(page).locator('input[type="password"]').waitFor()
    },
  ],
  [
    'information',
    async ({ page }) => {
      await closeDialog(page)
      await page.locator(`[role="row"][data-name="j.txt"]`).click()
      await page.keyboard.press('Alt+Enter')
      await dialogOf(page).waitFor()
    },
  ],
  prompt('copy', 'j.txt', 'action.copy'),
  prompt('compress', 'zeta', 'action.compress', true),
  prompt('extract', 'y.zip', 'action.extract', true),
  [
    'new folder',
    async ({ page, say }) => {
      await closeDialog(page)
      await page
        .getByRole('navigation')
        .getByRole('button', { name: say('action.new-folder'), exact: true })
        .click()
      await dialogOf(page).getByRole('textbox').waitFor()
    },
  ],
  [
    'help',
    async ({ page }) => {
      await closeDialog(page)
      await page.keyboard.press('F1')
      await dialogOf(page).waitFor()
    },
  ],
  [
    'palette',
    async ({ page }) => {
      await closeDialog(page)
      await page.keyboard.press('Control+K')
      await dialogOf(page).getByRole('listbox').waitFor()
    },
  ],
  [
    'rename several',
    async ({ page, say }) => {
      await closeDialog(page)
      await page.locator('[role="row"][data-name="j.txt"]').click()
      await page.locator('[role="row"][data-name="k.png"]').click({ modifiers: ['Control'] })
      await page.locator('[role="row"][data-name="k.png"]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: say('action.rename-several'), exact: true }).click()
      await dialogOf(page).getByRole('textbox').first().waitFor()
    },
  ],
  [
    'file',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/k.png`)
      await page.getByRole('img').first().waitFor()
    },
  ],
  [
    'editor',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/j.txt`)
      await page.locator('.cm-content').waitFor()
    },
  ],
  [
    'missing',
    async ({ page, server }) => {
      await page.goto(`${server.url}/files/missing`)
      await page.locator('main h1, main h2').first().waitFor()
    },
  ],
  settings('profile', headingOf('settings.preferences')),
  settings('shares', ({ page }) => page.locator('tbody tr').first().waitFor()),
  settings('global', headingOf('settings.branding')),
  settings('users', ({ page }) => page.getByText('ann', { exact: true }).first().waitFor()),
  settings('users/new', headingOf('settings.users.newTitle')),
  settings('doctor', headingOf('settings.tab.doctor')),
  settings('takeover', headingOf('settings.tab.takeover')),
  settings('audit', ({ page }) => page.locator('tbody tr').first().waitFor()),
]

const guestSteps = (links: readonly string[]): readonly Step[] => [
  [
    'login',
    async ({ page, server }) => {
      await page.goto(`${server.url}/login`)
      await page.locator('input[name="password"]').waitFor()
    },
  ],
  ...['album', 'drop', 'locked'].map((name, at): Step => [
    `share ${name}`,
    async ({ page, server }) => {
      await page.goto(`${server.url}${links[at]}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  ]),
]

/** Returns the screens of a guest: the login page, and shares that are an album, an upload form and locked by a password. */
async function asGuest(server: RunningServer): Promise<readonly Step[]> {
  return guestSteps(
    await Promise.all([
      shareOf(server, 'zeta/', { expires: '3', unit: 'days', senderName: 'Anna' }),
      shareOf(server, 'zeta/', { mode: 'upload-only', maxFiles: 3, senderName: 'Anna' }),
      shareOf(server, 'zeta/', { password: 'a long password' }),
    ]),
  )
}

atRoot({ files, people: [ada, ann], flags: ['--disableExec=false'] }, (journeys) => {
  beforeAll(() => {
    const threeDaysAgoS = Date.now() / 1000 - 3 * 24 * 60 * 60
    utimesSync(path.join(journeys.server().folder, 'j.txt'), threeDaysAgoS, threeDaysAgoS)
  })

  // Journey: languages-2
  walkInLanguages(journeys, {
    asGuest,
    steps,
    isCheckedInDark: true,
    onlyWide: /palette|help|context|share form|information|copy|compress|extract|new folder|rename/,
  })
})
