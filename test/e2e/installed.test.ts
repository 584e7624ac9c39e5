import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { newPage, rowOf, signIn } from '../kit/browser.ts'
import { ann, bea, type RunningServer } from '../kit/run-server.ts'
import { eventually, everywhere, type JourneyContext } from './journeys.ts'

/** Opens the files of Ann in a window that may have a service worker, and waits until the worker has all files of the page. */
async function openInstalled({ server, freshWindow }: JourneyContext, person = ann): Promise<Page> {
  const page = await freshWindow({ serviceWorkers: 'allow' })
  await signIn(page, server(), person)
  await page.getByRole('grid').waitFor()
  await eventually(() => page.evaluate(missingFiles), [])
  return page
}

/** Returns the loaded files of the client build that the worker has not kept yet; all of them before it is active. */
async function missingFiles(): Promise<readonly string[]> {
  const { active } = (await navigator.serviceWorker.getRegistration()) ?? {}
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.includes('/static/assets/'))
  const kept = await Promise.all(loaded.map((name) => caches.match(name, { ignoreVary: true })))
  return active?.state === 'activated' ? loaded.filter((_, index) => kept[index] === undefined) : ['worker']
}

/** The number of offers whose files are still on the device. */
const keptOffers = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('stowage-offer')).length)

/** Opens a page of another site, and lets it send files to the address that phones use for files of other apps. */
async function offer(
  page: Page,
  server: RunningServer,
  files: Readonly<Record<string, string>>,
): Promise<Page> {
  const other = await newPage(page.context())
  await other.setContent(
    `<form method="post" enctype="multipart/form-data" action="${server.url}/offer-files"><input type="file" name="files" multiple><button>Send</button></form>`,
  )
  await other.locator('input').setInputFiles(
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  )
  await other.getByRole('button', { name: 'Send' }).click()
  await other.waitForURL(`${server.url}/files/`)
  return other
}

const files = { 'old.txt': 'old', Inbox: { 'kept.txt': 'kept' } }
everywhere({ files, people: [ann, bea] }, (context) => {
  const { server, testAtRoot } = context

  // Journey: installed-1
  test('without the server the page starts, says what it cannot do, and continues by itself; responses of the API are not kept', async () => {
    const page = await openInstalled(context)
    await rowOf(page, /^Inbox/).dblclick()
    await rowOf(page, /^kept\.txt/).waitFor()
    await server().stop()
    await page.reload()
    await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
    await page.getByText("Until then, your files can't be listed, opened or uploaded").waitFor()
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })
    const { pathname } = new URL(server().url)
    const base = pathname.replace(/\/$/, '')
    expect(kept).toContain(`${base}/`)
    expect(kept.filter((one) => one !== `${base}/` && !one.startsWith(`${base}/static/assets/`))).toEqual([])
    await server().start()
    await rowOf(page, /^kept\.txt/).waitFor()
  })

  // Journey: installed-2
  test('files of another app are uploaded after the user has chosen a folder, and are forgotten when the prompt is closed', async () => {
    const page = await openInstalled(context)
    const names = { 'a%2Fb #?&+.txt': 'odd', 'Grüße 🌍.txt': 'greetings' }
    const other = await offer(page, server(), names)
    const prompt = other.getByRole('dialog', { name: 'Upload files from another app' })
    await prompt.getByText('Choose the folder for these 2 files.').waitFor()
    await prompt.getByRole('button', { name: 'Cancel' }).click()
    await eventually(() => keptOffers(other), 0)
    expect(readdirSync(server().folder).toSorted()).toEqual(['Inbox', 'old.txt'])

    const again = await offer(page, server(), names)
    await prompt.waitFor({ state: 'detached' })
    const second = again.getByRole('dialog', { name: 'Upload files from another app' })
    await second.getByText('Inbox', { exact: true }).click()
    await second.getByRole('button', { name: 'Upload' }).click()
    await again.waitForURL(`${server().url}/files/Inbox/`)
    await rowOf(again, /^Grüße/).waitFor()
    const inbox = path.join(server().folder, 'Inbox')
    await eventually(() => readdirSync(inbox).toSorted(), ['Grüße 🌍.txt', 'a%2Fb #?&+.txt', 'kept.txt'])
    await eventually(() => readFileSync(path.join(inbox, 'a%2Fb #?&+.txt'), 'utf8'), 'odd')
    await eventually(() => keptOffers(again), 0)
  })

  // Journey: installed-3
  testAtRoot(
    'a user who may not create files is asked nothing, and the device forgets the files',
    async () => {
      const page = await openInstalled(context, bea)
      const other = await offer(page, server(), { 'a.txt': 'a' })
      await eventually(() => keptOffers(other), 0)
      expect(await other.getByRole('dialog').count()).toBe(0)
    },
  )
})
