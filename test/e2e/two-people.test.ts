import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Page, Request, Route } from 'playwright-core'
import { openMore, rowOf, signIn } from '../kit/browser.ts'
import { ann as annOfEveryTest, bea as beaOfEveryTest, type TestUser } from '../kit/run-server.ts'
import { atRoot, eventually, selectionBar } from './journeys.ts'

/** Both users have all permissions, and each user has a scope of their own. */
const ann: TestUser = { ...annOfEveryTest, flags: ['--scope', '/ann'] }
const bea: TestUser = {
  name: beaOfEveryTest.name,
  password: beaOfEveryTest.password,
  flags: ['--scope', '/bea'],
}

const files = {
  ann: { Docs: { 'letter.txt': 'letter' }, 'ann.txt': 'of Ann' },
  bea: { 'bea.txt': 'of Bea' },
}

type TestUpload = { readonly name: string; readonly bytes: Buffer }

const textUploads = (prefix: string, count: number): TestUpload[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${prefix}-${n}.txt`, bytes: Buffer.from(`text ${n}`) }))

/** A file of 3 MiB whose content does not repeat, so that bytes in the wrong order are detected. */
const film: TestUpload = {
  name: 'film.bin',
  bytes: Buffer.from(
    Uint32Array.from({ length: 3 * 256 * 1024 }, (_, index) => Math.imul(index, 2_654_435_761)).buffer,
  ),
}

const upload = async (page: Page, uploads: readonly TestUpload[]): Promise<void> => {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
  ])
  await chooser.setFiles(
    uploads.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })),
  )
}

/** Records the requests of a page that change files, with their tokens. New requests are added to the returned list. */
const changesOf = (page: Page): { readonly line: string; readonly token: string | undefined }[] => {
  const changes: { line: string; token: string | undefined }[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'GET' || !request.url().includes('/api/resources/')) return
    const line = `${request.method()} ${new URL(request.url()).pathname}`
    changes.push({ line, token: request.headers()['x-auth'] })
  })
  return changes
}

/** Delays all requests with a matching address and method until the test releases them. */
const holdRequests = async (page: Page, pattern: string, method: string) => {
  const waiting: Route[] = []
  let isHolding = true
  await page.route(pattern, (route) => {
    if (!isHolding || route.request().method() !== method) return route.fallback()
    waiting.push(route)
    return undefined
  })
  return {
    count: () => waiting.length,
    release: async () => {
      isHolding = false
      await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)))
    },
  }
}

const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()

/** Fills in the open login page without reloading it, so that the tab keeps its state. */
const logInHere = async (page: Page, { name, password }: TestUser): Promise<void> => {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

const endedDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Your session has ended. Log in to continue.' })

const logInAgain = async (page: Page, { name, password }: TestUser): Promise<void> => {
  const dialog = endedDialog(page)
  await dialog.getByLabel('Username').fill(name)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  // If the dialog stays open, the failure shows its text, which contains the reason.
  await eventually(() => dialog.allInnerTexts(), [])
}

const tokenIn = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('jwt') ?? '')

const tray = (page: Page) => page.locator('[data-part="uploads"]')

// Two processes serve, so that requests and sockets of one page reach both.
atRoot(
  { files, people: [ann, bea], flags: ['--processes', '2'] },
  ({ server, window, freshWindow, testAtRoot }) => {
    const inFolder = async (person: TestUser): Promise<string[]> =>
      (await readdir(path.join(server().folder, person.name))).filter((name) => name.startsWith('up-'))
    const bytesOf = (person: TestUser, name: string): Promise<Buffer> =>
      readFile(path.join(server().folder, person.name, name)).catch(() => Buffer.alloc(0))
    const open = async (person = ann, path = '/files/', openWindow = window): Promise<Page> => {
      const page = await openWindow()
      await signIn(page, server(), person, path)
      if (path === '/files/') await rowOf(page, new RegExp(`${person.name}\\.txt`)).waitFor()
      return page
    }
    /** Ends a session on the server without notifying the tab, as an administrator or another device would do. */
    const endSession = async (token: string): Promise<void> => {
      const response = await fetch(`${server().url}/api/logout`, {
        method: 'POST',
        headers: { 'X-Auth': token },
      })
      expect(response.status).toBe(200)
    }

    /**
     * Uploads a file as Bea, and expects that this is the only change that the page has requested since `before`. Work that was
     * left by the user before would have been sent earlier.
     */
    const expectNoEarlierWork = async (
      page: Page,
      changes: ReturnType<typeof changesOf>,
      before = 0,
    ): Promise<void> => {
      expect(await tray(page).count()).toBe(0)
      await upload(page, textUploads('own', 1))
      await tray(page).getByText('1 file uploaded').waitFor()
      expect(new Set(changes.slice(before).map(({ line }) => line))).toEqual(
        new Set(['POST /api/resources/own-0.txt']),
      )
      await rm(path.join(server().folder, bea.name, 'own-0.txt'))
    }

    beforeEach(async () => {
      for (const { name } of [ann, bea]) await mkdir(path.join(server().folder, name), { recursive: true })
    })

    testAtRoot('permissions that an administrator takes away or gives appear without a request', async () => {
      const page = await open()
      await rowOf(page, /Docs/).click()
      const remove = selectionBar(page).getByRole('button', { name: 'Delete', exact: true })
      await remove.waitFor()
      await server().cli('users', 'update', ann.name, '--perm.delete=false')
      await remove.waitFor({ state: 'detached' })
      await server().cli('users', 'update', ann.name, '--perm.delete=true')
      await remove.waitFor()
    })

    testAtRoot(
      'logging out during uploads needs a confirmation, and the next user gets none of the uploads and no page of the user before',
      async () => {
        const page = await open()
        const uploading = await holdRequests(page, '**/api/resources/up-*', 'POST')
        await upload(page, textUploads('up', 8))
        await eventually(uploading.count, 5)
        await logOut(page)
        const question = page.getByRole('dialog', { name: 'Log out' })
        await question.getByText('8 files').waitFor()
        await question.getByRole('button', { name: 'Stay' }).click()
        await eventually(() => question.count(), 0)
        await uploading.release()
        await eventually(async () => (await inFolder(ann)).length, 8)
        await eventually(() => tray(page).getByText('8 files uploaded').count(), 1)
        await logOut(page)
        await page.waitForURL(/\/login/)
        expect(await question.count()).toBe(0)

        await logInHere(page, ann)
        await rowOf(page, /Docs/).dblclick()
        await rowOf(page, /letter\.txt/).waitFor()
        const changes = changesOf(page)
        const heldRequests = await holdRequests(page, '**/api/resources/Docs/late-*', 'POST')
        await upload(page, textUploads('late', 12))
        await eventually(heldRequests.count, 5)
        await logOut(page)
        await question.getByRole('button', { name: 'Log out' }).click()
        await page.waitForURL(/\/login/)
        const before = changes.length
        await heldRequests.release()
        await logInHere(page, bea)
        await rowOf(page, /bea\.txt/).waitFor()
        expect(page.url()).toBe(`${server().url}/files/`)
        await page.goBack()
        await expectNoEarlierWork(page, changes, before)
        expect(await page.getByText('late-').count()).toBe(0)
        expect(await page.getByText('ann.txt').count()).toBe(0)
        expect(page.url()).toBe(`${server().url}/files/`)
        for (const folder of ['ann', 'ann/Docs', 'bea']) {
          const names = await readdir(path.join(server().folder, folder))
          expect(names.filter((name) => name.startsWith('late-'))).toEqual([])
        }
        await rowOf(page, /bea\.txt/).waitFor()
        expect((await page.title()).includes('Docs')).toBe(false)
      },
    )

    // Journey: two-people-1
    testAtRoot(
      'an upload is completed, and a refused request is repeated, after the session has ended and the user has logged in again',
      async () => {
        const page = await open(ann, '/files/', freshWindow)
        const devtools = await page.context().newCDPSession(page)
        const speed = { offline: false, latency: 0, downloadThroughput: -1 }
        await devtools.send('Network.enable')
        await devtools.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: 600_000 })
        await upload(page, [film, ...textUploads('small', 2)])
        await eventually(async () => /[1-9]\d?%/.test(await tray(page).innerText()), true)
        await endSession(await tokenIn(page))
        await endedDialog(page).waitFor()
        expect(await endedDialog(page).getByLabel('Username').inputValue()).toBe(ann.name)
        await devtools.send('Network.emulateNetworkConditions', { ...speed, uploadThroughput: -1 })
        // Without the limit, the film would have arrived before the responses of so many later requests.
        for (let asked = 0; asked < 20; asked += 1)
          await page.evaluate(async () => (await fetch('/health')).text())
        expect((await bytesOf(ann, film.name)).length).toBe(0)
        await logInAgain(page, ann)
        await eventually(async () => (await bytesOf(ann, film.name)).equals(film.bytes), true)
        await rowOf(page, /film\.bin/).waitFor()
        expect(await tray(page).getByRole('button', { name: 'Retry' }).count()).toBe(0)
        expect(await readdir(path.join(server().folder, ann.name))).toContain('small-1.txt')

        // The page is notified of the end of its session through the events socket, which is blocked from here on.
        await page.routeWebSocket('**/api/events', () => undefined)
        await page.reload()
        await rowOf(page, /ann\.txt/).waitFor()
        // The sidebar loads after the rows, and its requests would notice the end of the session first.
        await page.waitForLoadState('networkidle')
        await endSession(await tokenIn(page))
        await page.getByRole('button', { name: 'New folder' }).first().click()
        await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('Plans')
        await page.keyboard.press('Enter')
        await endedDialog(page).waitFor()
        await logInAgain(page, ann)
        await page.waitForURL(`${server().url}/files/Plans/`)
        expect(await readdir(path.join(server().folder, ann.name))).toContain('Plans')
      },
    )

    testAtRoot(
      'after a session has ended, a prompt keeps its input, a login in one tab continues another, another user starts at the root, and leaving discards pending work',
      async () => {
        const page = await open(ann, '/files/Docs/')
        await rowOf(page, /letter\.txt/).click()
        await page.getByRole('button', { name: 'Rename' }).first().click()
        const name = page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox')
        await name.fill('to the bank.txt')
        await endSession(await tokenIn(page))
        await endedDialog(page).waitFor()
        // The dialog is above the open prompt, and its password field has the focus.
        const password = endedDialog(page).getByLabel('Password', { exact: true })
        await eventually(() => password.evaluate((field) => field === document.activeElement), true)
        await page.keyboard.type('not her password')
        await page.keyboard.press('Enter')
        await endedDialog(page).getByRole('alert').getByText('Wrong credentials').waitFor()
        await logInAgain(page, ann)
        expect(page.url()).toBe(`${server().url}/files/Docs/`)
        expect(await name.inputValue()).toBe('to the bank.txt')
        await page.getByRole('dialog', { name: 'Rename' }).getByRole('button', { name: 'Rename' }).click()
        await rowOf(page, /to the bank\.txt/).waitFor()
        await eventually(() => readdir(path.join(server().folder, 'ann/Docs')), ['to the bank.txt'])

        const other = await page.context().newPage()
        await other.goto(`${server().url}/files/`)
        await rowOf(other, /ann\.txt/).waitFor()
        await endSession(await tokenIn(page))
        await endedDialog(page).waitFor()
        await endedDialog(other).waitFor()
        await logInAgain(page, ann)
        await eventually(() => endedDialog(other).count(), 0)
        expect(page.url()).toBe(`${server().url}/files/Docs/`)
        await rowOf(other, /Docs/).dblclick()
        await rowOf(other, /to the bank\.txt/).waitFor()
        await other.close()

        // The page of an ended session is restored for the same user, and not for another user.
        await endSession(await tokenIn(page))
        await page.reload()
        await page.waitForURL(/\/login\?redirect/)
        await logInHere(page, bea)
        await rowOf(page, /bea\.txt/).waitFor()
        expect(page.url()).toBe(`${server().url}/files/`)

        // Leaving instead of logging in again shows the login page.
        await endSession(await tokenIn(page))
        await endedDialog(page).waitFor()
        await page.keyboard.press('Escape')
        await endedDialog(page).getByRole('button', { name: 'Log out' }).click()
        await page.waitForURL(/\/login/)
        await logInHere(page, ann)
        await rowOf(page, /ann\.txt/).waitFor()
        expect(await page.getByText('bea.txt').count()).toBe(0)
        const docs = path.join(server().folder, 'ann/Docs')
        await rename(path.join(docs, 'to the bank.txt'), path.join(docs, 'letter.txt'))
      },
    )

    // Journey: two-people-2
    test('another user who logs in after a session has ended starts in their own root folder, without pending work', async () => {
      const page = await open(ann, '/files/Docs/')
      const heldRequests = await holdRequests(page, '**/api/resources/Docs/late-*', 'POST')
      await rowOf(page, /letter\.txt/).waitFor()
      await upload(page, textUploads('late', 2))
      await eventually(heldRequests.count, 2)
      await rowOf(page, /letter\.txt/).click()
      await page.getByRole('button', { name: 'Rename' }).first().click()
      await page.getByRole('dialog', { name: 'Rename' }).waitFor()
      await endSession(await tokenIn(page))
      await endedDialog(page).waitFor()
      const changes = changesOf(page)
      await logInAgain(page, bea)
      await rowOf(page, /bea\.txt/).waitFor()
      await heldRequests.release()
      await expectNoEarlierWork(page, changes)
      expect(page.url()).toBe(`${server().url}/files/`)
      expect(await page.getByRole('dialog').count()).toBe(0)
      for (const trace of ['letter.txt', 'late-', 'Docs', ann.name])
        expect([trace, (await page.evaluate(() => document.body.textContent)).includes(trace)]).toEqual([
          trace,
          false,
        ])
      expect(await readdir(path.join(server().folder, 'bea'))).toEqual(['bea.txt'])
    })

    testAtRoot(
      'deletions of many entries and duplicates in several folders do not continue as the next user',
      async () => {
        const many = Array.from({ length: 12 }, (_, n) => `old-${String(n).padStart(2, '0')}`)
        const folders = ['one', 'two', 'three']
        for (const { name } of [ann, bea]) {
          for (const old of many) await mkdir(path.join(server().folder, name, old), { recursive: true })
          for (const folder of folders) {
            await mkdir(path.join(server().folder, name, 'Mix', folder), { recursive: true })
            await writeFile(path.join(server().folder, name, 'Mix', folder, `blend ${folder}.txt`), folder)
          }
        }
        const page = await open()
        const duplicates = await holdRequests(page, '**/api/resources/Mix/**', 'PATCH')
        const deletions = await holdRequests(page, '**/api/resources/old-*/', 'DELETE')
        await rowOf(page, /old-00/).click()
        await rowOf(page, /old-11/).click({ modifiers: ['Shift'] })
        await page.keyboard.press('Delete')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
        await eventually(deletions.count, 5)
        await page.getByRole('searchbox', { name: 'Search' }).fill('blend')
        for (const folder of folders)
          await rowOf(page, `blend ${folder}.txt`).click({ modifiers: ['Control'] })
        await rowOf(page, 'blend one.txt').click({ button: 'right' })
        await openMore(page)
        await page.getByRole('menuitem', { name: 'Duplicate' }).click()
        // One request for each folder is in flight, and all of them were sent as Ann.
        await eventually(duplicates.count, folders.length)
        const changes = changesOf(page)
        await logOut(page)
        await page.waitForURL(/\/login/)
        await logInHere(page, bea)
        await rowOf(page, /bea\.txt/).waitFor()
        await Promise.all([deletions.release(), duplicates.release()])
        await expectNoEarlierWork(page, changes)
        const names = await readdir(path.join(server().folder, 'bea'))
        expect(names.filter((name) => name.startsWith('old-'))).toEqual(many)
        for (const folder of folders)
          expect(await readdir(path.join(server().folder, 'bea/Mix', folder))).toEqual([
            `blend ${folder}.txt`,
          ])
        expect(await page.locator('[data-part="notices"]').textContent()).toBe('')
      },
    )

    testAtRoot(
      'a logout in one tab pauses the uploads of another tab, where the next user starts without them and without the files that were being chosen',
      async () => {
        const page = await open()
        const changes = changesOf(page)
        const heldRequests = await holdRequests(page, '**/api/resources/tab-*', 'POST')
        await upload(page, textUploads('tab', 8))
        await eventually(heldRequests.count, 5)
        await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click(),
        ])
        const other = await page.context().newPage()
        await other.goto(`${server().url}/files/`)
        await rowOf(other, /ann\.txt/).waitFor()
        await logOut(other)
        await other.waitForURL(/\/login/)
        await endedDialog(page).waitFor()
        const before = changes.length
        await logInHere(other, bea)
        await rowOf(other, /bea\.txt/).waitFor()
        await rowOf(page, /bea\.txt/).waitFor()
        await heldRequests.release()
        await chooser
          .setFiles([{ name: 'up-chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('of Ann') }])
          .catch(() => undefined)
        await expectNoEarlierWork(page, changes, before)
        expect(await endedDialog(page).count()).toBe(0)
        expect([await inFolder(ann), await inFolder(bea)].flat()).not.toContain('up-chosen.txt')
        const names = await readdir(path.join(server().folder, 'bea'))
        expect(names.filter((name) => name.startsWith('tab-'))).toEqual([])
      },
    )
  },
)
