import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { newPage, rowOf, signIn } from '../kit/browser.ts'
import { ada, ann, bea, type RunningServer } from '../kit/run-server.ts'
import { eventually, everywhere, violationsInBothThemes, type JourneyContext } from './journeys.ts'

/** Opens the files of Ann in a window that may have a service worker, and waits until the worker has all files of the page. */
async function openInstalled({ server, freshWindow }: JourneyContext, person = ann): Promise<Page> {
  const page = await freshWindow({ serviceWorkers: 'allow' })
  await signIn(page, server(), person)
  await page.getByRole('grid').waitFor()
  await eventually(() => page.evaluate(missingFiles), [])
  return page
}

/** Returns the loaded files of the client build that the worker has not kept yet, or of which it has kept a page; all of them before it is active. */
async function missingFiles(): Promise<readonly string[]> {
  const { active } = (await navigator.serviceWorker.getRegistration()) ?? {}
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.includes('/static/assets/'))
  const kept = await Promise.all(loaded.map((name) => caches.match(name, { ignoreVary: true })))
  return active?.state === 'activated'
    ? loaded.filter((_, index) => kept[index]?.headers.get('content-type')?.includes('html') ?? true)
    : ['worker']
}

/** A page of a proxy or another app, with a configuration that is not ours. */
const foreignPage =
  '<p>Log in to the proxy</p><script type="application/json" id="config">{"BaseURL":"/x"}</script>'

/** Returns the addresses of the kept files that are pages, or that are not in the client build. */
async function foreignFiles(): Promise<readonly string[]> {
  const cache = await caches.open('stowage-assets /')
  const kept = await cache.matchAll()
  return kept
    .filter(({ url, headers }) => url.includes('foreign') || headers.get('content-type')?.includes('html'))
    .map(({ url }) => url)
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
  await other.waitForURL(({ pathname }) => /\/(?:files|login)\b/.test(pathname))
  return other
}

const files = { 'old.txt': 'old', Inbox: { 'kept.txt': 'kept' } }
everywhere({ files, people: [ada, ann, bea] }, (context) => {
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

  // Journey: installed-4
  testAtRoot('the page of a proxy is kept neither as the page nor as a file of the page', async () => {
    const page = await openInstalled(context)
    await server().stop()
    const proxy = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(foreignPage),
    ).listen(server().port, '127.0.0.1')
    await once(proxy, 'listening')
    await page.goto(`${server().url}/files/Inbox/`)
    await page.getByText('Log in to the proxy').waitFor()
    await page.evaluate(async () => {
      await fetch('/static/assets/foreign-1.js')
      await fetch('/static/assets/foreign-2.js?query')
      const { active } = (await navigator.serviceWorker.getRegistration()) ?? {}
      active?.postMessage([new URL('/static/assets/foreign-3.js', location.href).href], [])
    })
    await page.reload()
    await page.getByText('Log in to the proxy').waitFor()
    expect(await page.evaluate(foreignFiles)).toEqual([])
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
    await page.reload()
    await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await server().start()
    await rowOf(page, /^kept\.txt/).waitFor()

    // An earlier worker has kept the page of a proxy as files.
    await page.evaluate(async () => {
      const cache = await caches.open('stowage-assets /')
      for (const request of await cache.keys())
        await cache.put(request, new Response('<p>Log in</p>', { headers: { 'content-type': 'text/html' } }))
    })
    await page.reload()
    await rowOf(page, /^kept\.txt/).waitFor()
    await eventually(() => page.evaluate(missingFiles), [])
  })

  // Journey: installed-5
  testAtRoot('an offered file has no folder in its name', async () => {
    const page = await openInstalled(context)
    const other = await offer(page, server(), { 'Inbox/new.txt': 'new' })
    const prompt = other.getByRole('dialog', { name: 'Upload files from another app' })
    await prompt
      .getByRole('tree')
      .or(prompt.getByText('Inbox', { exact: true }))
      .first()
      .waitFor()
    expect(await violationsInBothThemes(other)).toEqual([])
    await prompt.getByRole('button', { name: 'Upload' }).click()
    await rowOf(other, /^new\.txt/).waitFor()
    await eventually(() => readFileSync(path.join(server().folder, 'new.txt'), 'utf8'), 'new')
  })

  // Journey: installed-6
  testAtRoot(
    'offered files are shown only to the user who was signed in when they were offered',
    async () => {
      const page = await openInstalled(context)
      // The session ends without a logout, and another user signs in.
      await page.evaluate(() => localStorage.removeItem('jwt'))
      const other = await offer(page, server(), { 'a.txt': 'a' })
      expect(await keptOffers(other)).toBe(1)
      await page.close()
      await signIn(other, server(), ada)
      await other.getByRole('grid').waitFor()
      await eventually(() => keptOffers(other), 0)
      expect(await other.getByRole('dialog').count()).toBe(0)

      await other.getByRole('button', { name: 'Logout' }).click()
      await other.waitForURL(`${server().url}/login`)
      await eventually(() => other.evaluate(() => caches.has('stowage-person /')), false)
      const guest = await offer(other, server(), { 'b.txt': 'b' })
      expect(await keptOffers(guest)).toBe(0)
    },
  )
})
