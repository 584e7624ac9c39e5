import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { NewShare } from '../../src/shared/contract/shares.ts'
import { rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea, type RunningServer } from '../kit/run-server.ts'
import { atRoot, eventually, focusOf, selectionBar, violationsIn } from './journeys.ts'

const odd = 'b%2F #?&+ 🎉.txt'
const files = {
  Letters: { 'old.txt': 'old' },
  Inbox: { 'a.txt': 'mine' },
  Other: { 'a.txt': 'mine' },
  'report.txt': 'quarterly',
}

type DropLink = {
  readonly url: string
  readonly hash: string
  readonly call: (path: string, init?: RequestInit) => Promise<Response>
}

/** Shares a folder as upload-only as Ann. */
async function linkOf({ url }: RunningServer, folder: string, terms: NewShare = {}): Promise<DropLink> {
  const credentials = JSON.stringify({ username: ann.name, password: ann.password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body: credentials })
  const headers = { 'X-Auth': await login.text() }
  const call = (at: string, init: RequestInit = {}) => fetch(`${url}/api${at}`, { ...init, headers })
  const body = JSON.stringify({ mode: 'upload-only', ...terms })
  const { hash } = (await (await call(`/share/${folder}/`, { method: 'POST', body })).json()) as {
    hash: string
  }
  return { url: `${url}/share/${hash}`, hash, call }
}

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
const choose = (page: Page, ...chosen: ReturnType<typeof fileOf>[]) =>
  page.locator('input[type=file]').setInputFiles(chosen)
const sent = (page: Page) => page.getByRole('list', { name: 'Your files' }).getByRole('listitem')
const send = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click()
/** Waits for a message on the card. Screen readers get some of them in another place, too. */
const waitForText = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).waitFor()
const sidewaysPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

atRoot({ files, people: [ada, ann, bea] }, ({ server, window, freshWindow, testAtRoot }) => {
  const textOf = (...names: readonly string[]) => readFile(path.join(server().folder, ...names), 'utf8')

  // Journey: drop-1
  test('a guest sends files with a name and a note, and sees nothing of the folder', async () => {
    const page = await window()
    const link = await linkOf(server(), 'Inbox', { maxFiles: 5, maxBytes: 5 * 1024 * 1024 })
    await page.goto(link.url)
    await page.getByRole('heading', { level: 1, name: 'Send files to “Inbox”', exact: true }).waitFor()
    await page.getByText('At most 5 files in total', { exact: true }).waitFor()
    await page.getByText('At most 5 MB in total', { exact: true }).waitFor()
    expect(await page.title()).toBe('Inbox - Share')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    expect(await page.getByText('a.txt').count()).toBe(0)
    await choose(page, fileOf('a.txt', 'from the guest'), fileOf(odd, 'odd'), fileOf('wrong.txt', 'x'))
    await page.getByRole('button', { name: 'Remove wrong.txt', exact: true }).click()
    await eventually(() => sent(page).count(), 2)
    // The button that was pressed is gone. The focus goes to the row before, as there is no row after it.
    await eventually(() => focusOf(page), `Remove ${odd}`)
    await page.getByLabel('Your name (optional)', { exact: true }).fill('Zoë 🦊')
    await page.getByLabel('Note (optional)', { exact: true }).fill('first\nsecond')
    await send(page, 'Send 2 files')
    await eventually(() => focusOf(page), 'Choose files')
    await waitForText(page, 'You sent 2 files, 17 B.')
    expect(await textOf('Inbox', 'a.txt')).toBe('mine')
    expect(await textOf('Inbox', 'a (2).txt')).toBe('from the guest')
    expect(await textOf('Inbox', odd)).toBe('odd')
    expect(await page.getByText('a (2).txt').count()).toBe(0)
    const received = await (await link.call(`/received/${link.hash}`)).json()
    expect(received).toMatchObject({ total: 2, files: [{ guest: 'Zoë 🦊', note: 'first\nsecond' }, {}] })
    await page.goto(`${link.url}/a.txt`)
    await page.getByText('Ask the person who sent the link.').waitFor()
    await page.getByRole('link', { name: 'Open the shared folder' }).click()
    await page.getByRole('heading', { level: 1, name: 'Send files to “Inbox”', exact: true }).waitFor()
  })

  testAtRoot(
    'a password is asked for once, dropped files are sent, a file in flight is cancelled, and a lost connection sends it again once',
    async () => {
      const page = await window()
      const link = await linkOf(server(), 'Other', { password: 'a shared password' })
      await page.goto(link.url)
      await page.getByLabel('Password', { exact: true }).fill('a shared password')
      await page.getByRole('button', { name: 'Submit', exact: true }).click()
      await page.getByRole('button', { name: 'Choose files', exact: true }).waitFor()
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['dropped'], 'dropped.txt'))
        return transfer
      })
      await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
      await send(page, 'Send 1 file')
      await waitForText(page, 'You sent 1 file, 7 B.')
      expect(await textOf('Other', 'dropped.txt')).toBe('dropped')
      await page.reload()
      await page.getByRole('button', { name: 'Choose files', exact: true }).waitFor()
      expect(await sent(page).count()).toBe(0)

      // A file that is being sent shows its progress and can be cancelled.
      await page.route('**/api/public/drop/**', () => undefined)
      await choose(page, fileOf('slow.txt', 'slow'))
      await send(page, 'Send 1 file')
      await page.getByRole('progressbar', { name: 'slow.txt', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel slow.txt', exact: true }).click()
      await eventually(() => sent(page).count(), 0)
      await page.unroute('**/api/public/drop/**')

      // The first request arrives, but its response is lost.
      let isAway = true
      await page.route('**/api/public/drop/**', async (route) => {
        if (!isAway) return route.continue()
        await route.fetch()
        return route.abort('connectionreset')
      })
      await choose(page, fileOf('lost.txt', 'lost'))
      await send(page, 'Send 1 file')
      await page.getByText('The connection was lost. Trying again…').waitFor()
      isAway = false
      await waitForText(page, 'You sent 1 file, 4 B.')
      const names = await readdir(path.join(server().folder, 'Other'))
      expect(names.filter((name) => name.startsWith('lost'))).toEqual(['lost.txt'])
    },
  )

  testAtRoot('each refused file says why, and the others are sent', async () => {
    const page = await window()
    const link = await linkOf(server(), 'Other', { maxFiles: 1, maxBytes: 20_000_000 })
    await page.goto(link.url)
    await page.getByRole('button', { name: 'Choose files', exact: true }).waitFor()
    await choose(page, fileOf('huge.bin', 'x'.repeat(20_000_001)), fileOf('one.txt', 'one'))
    await waitForText(page, 'This link accepts only 1 more file. Remove some of your files.')
    await send(page, 'Send 2 files')
    await page.getByText('This file is larger than this link accepts.').waitFor()
    await waitForText(page, 'You sent 1 file, 3 B.')
    await waitForText(page, 'This link accepts no more files.')
    await choose(page, fileOf('two.bin', 'x'.repeat(15_000_000)))
    await send(page, 'Send 1 file')
    await sent(page).getByText('This link accepts no more files.').waitFor()
    const later = await page.context().newPage()
    await later.goto(link.url)
    await waitForText(later, '1 of 1 file received')
    await waitForText(later, 'This link accepts no more files.')
    await link.call(`/share/${link.hash}`, { method: 'PATCH', body: JSON.stringify({ maxFiles: 9 }) })
    await page.getByRole('button', { name: 'Send two.bin again', exact: true }).click()
    await waitForText(page, 'You sent 2 files, 14.3 MB.')
    await link.call(`/share/${link.hash}`, { method: 'DELETE' })
    await choose(page, fileOf('three.txt', 'three'))
    await send(page, 'Send 1 file')
    await page.getByText('This link has ended. Ask the person who sent it.').waitFor()
    expect((await readdir(path.join(server().folder, 'Other'))).includes('three.txt')).toBe(false)
  })

  testAtRoot(
    'the page is accessible in both themes, and works on a phone and with the keyboard',
    async () => {
      const page = await window()
      const link = await linkOf(server(), 'Other', { expires: 2, unit: 'days', maxFiles: 100 })
      await page.goto(link.url)
      await page.getByRole('button', { name: 'Choose files', exact: true }).waitFor()
      expect(await violationsIn(page, 'light')).toEqual([])
      await choose(page, fileOf(`${'long name '.repeat(20)}.txt`, 'x'), fileOf('b.txt', 'y'))
      await eventually(() => sent(page).count(), 2)
      expect(await violationsIn(page, 'light')).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await eventually(() => sidewaysPx(page), 0)
      expect(await violationsIn(page, 'dark')).toEqual([])
      await page.getByLabel('Your name (optional)', { exact: true }).focus()
      await page.keyboard.type('Bob')
      await page.keyboard.press('Enter')
      await waitForText(page, 'You sent 2 files, 2 B.')
      expect(await sidewaysPx(page)).toBe(0)
      expect(await violationsIn(page, 'dark')).toEqual([])
    },
  )

  testAtRoot('the page fits a narrow screen from right to left, also with refused files', async () => {
    const page = await window({ viewport: { width: 320, height: 700 }, locale: 'ar-XB' })
    const link = await linkOf(server(), 'Other', { maxBytes: 5 })
    await page.goto(link.url)
    await page.locator('form[data-part="drop"]').waitFor()
    await choose(page, fileOf(`${'W'.repeat(200)}.txt`, '123456'), fileOf('b.txt', '1'))
    await eventually(() => page.locator('form[data-part="drop"] li[data-state]').count(), 2)
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await page.locator('form[data-part="drop"] button[type="submit"]').click()
    await page.locator('li[data-state="failed"]').waitFor()
    await page.locator('li[data-state="done"]').waitFor()
    expect(await sidewaysPx(page)).toBe(0)
    expect(await violationsIn(page, 'light')).toEqual([])
  })

  // Journey: drop-2
  testAtRoot('the owner makes a drop box, sees files arrive, and reads the names and notes', async () => {
    const page = await window()
    await signIn(page, server(), ann)
    const dialog = page.getByRole('dialog', { name: /^Share “/ })
    const openShare = async (name: string) => {
      await rowOf(page, name).click()
      await selectionBar(page).getByRole('button', { name: 'Share', exact: true }).click()
      await dialog.waitFor()
    }
    const modesOffered = () =>
      dialog.getByLabel('Guests may', { exact: true }).getByRole('option').allTextContents()
    await openShare('report.txt')
    expect(await modesOffered()).toEqual(['View and download', 'View only'])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await openShare('Letters')
    await dialog.getByText('Options', { exact: true }).click()
    await dialog.getByLabel('Guests may', { exact: true }).selectOption('Upload only')
    await dialog.getByText('Anyone with the link can add files to “Letters”').waitFor()
    await dialog.getByLabel('Maximum number of files', { exact: true }).fill('many')
    await dialog.getByText('Enter a whole number up to 10,000, or nothing.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create link' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Maximum number of files', { exact: true }).fill('3')
    await dialog.getByLabel('Maximum total size in MB', { exact: true }).fill('1.5')
    expect(await violationsIn(page, 'light')).toEqual([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const row = dialog.getByRole('listitem').first()
    await row.getByText('Upload only, no files received').waitFor()
    const url = await row.getByLabel('Address of the link').inputValue()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.goto(`${server().url}/files/Letters/`)
    await rowOf(page, 'old.txt').waitFor()
    const guest = await freshWindow()
    await guest.goto(url)
    await guest.getByText('At most 1.5 MB in total', { exact: true }).waitFor()
    await choose(guest, fileOf('<b>new.txt', 'new'))
    await guest.getByLabel('Your name (optional)', { exact: true }).fill('Zoë')
    await guest.getByLabel('Note (optional)', { exact: true }).fill('<i>a note</i>')
    await send(guest, 'Send 1 file')
    await waitForText(guest, 'You sent 1 file, 3 B.')
    await rowOf(page, '<b>new.txt').waitFor()

    await page.goto(`${server().url}/settings/shares`)
    const shared = page.getByRole('row').filter({ hasText: 'Letters' })
    await shared.getByText('Upload only, 1 file received').waitFor()
    await shared.getByRole('button', { name: 'Edit the link', exact: true }).click()
    expect(await dialog.getByLabel('Maximum number of files', { exact: true }).inputValue()).toBe('3')
    expect(await dialog.getByLabel('Maximum total size in MB', { exact: true }).inputValue()).toBe('1.5')
    await dialog.getByText('Received files (1)', { exact: true }).click()
    await dialog.getByText('<b>new.txt', { exact: true }).waitFor()
    await dialog.getByText('from Zoë', { exact: true }).waitFor()
    await dialog.getByText('<i>a note</i>', { exact: true }).waitFor()
    const hash = url.slice(url.lastIndexOf('/') + 1)
    const slow = request(`${server().url}/api/public/drop/${hash}/slow.bin`, {
      method: 'POST',
      headers: { 'content-length': '1048576', 'x-guest-name': 'Mia' },
    })
    const answered = once(slow, 'response')
    slow.write(Buffer.alloc(524_288))
    await dialog.getByText('512 KB of 1 MB', { exact: true }).waitFor()
    await dialog.getByText('from Mia', { exact: true }).waitFor()
    expect(await violationsIn(page, 'light')).toEqual([])
    await dialog.getByRole('button', { name: 'End the upload of “slow.bin”', exact: true }).click()
    await dialog.getByText('slow.bin', { exact: true }).waitFor({ state: 'detached' })
    expect(((await answered) as [IncomingMessage])[0].statusCode).toBe(403)
    await dialog.getByLabel('Maximum number of files', { exact: true }).fill('')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await guest.reload()
    await guest.getByText('At most 1.5 MB in total', { exact: true }).waitFor()
    expect(await guest.getByText('At most 3 files in total').count()).toBe(0)
  })
})
