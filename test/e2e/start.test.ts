import { expect, test } from 'vitest'
import type { Page, Request } from 'playwright-core'
import { logIn, rowOf, signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { everywhere } from './journeys.ts'

const files = { Docs: { 'a.txt': 'first' }, 'report.txt': 'quarterly' }

/** Records the renewals of the session and the listings of the folder "Docs" that a page requests. */
function recordRequests(page: Page): () => string[] {
  const requests: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    const at = pathname.indexOf('/api/')
    if (at >= 0) requests.push(`${request.method()} ${pathname.slice(at)}${search}`)
  })
  // The tree looks for subfolders with a query. The listing has none.
  return () => requests.filter((line) => /resources\/Docs\/?$|renew/.test(line)).toSorted()
}

everywhere({ files }, ({ server, window, freshWindow, testAtRoot }) => {
  const signedIn = async (openWindow = window): Promise<Page> => {
    const page = await openWindow()
    await signIn(page, server(), ann)
    await rowOf(page, /^report\.txt/).waitFor()
    return page
  }

  // Journey: start-1
  test('the first listing is requested once, while the session is being renewed', async () => {
    const page = await signedIn()
    const requests = recordRequests(page)
    const { promise: isListed, resolve: listed } = Promise.withResolvers<void>()
    await page.route('**/api/resources/Docs/', async (route) => {
      listed()
      await route.continue()
    })
    // The renewal is answered only after the listing has been requested.
    await page.route('**/api/renew', async (route) => {
      await isListed
      await route.continue()
    })
    await page.goto(`${server().url}/files/Docs/`)
    await rowOf(page, /^a\.txt/).waitFor()
    expect(requests()).toEqual(['GET /api/resources/Docs/', 'POST /api/renew'])
  })

  testAtRoot(
    'when the saved token is refused, the listing is requested again after the renewal',
    async () => {
      const page = await signedIn()
      const requests = recordRequests(page)
      await page.route('**/api/resources/Docs/', (route) => route.fulfill({ status: 401, body: '401\n' }), {
        times: 1,
      })
      await page.goto(`${server().url}/files/Docs/`)
      await rowOf(page, /^a\.txt/).waitFor()
      expect(requests()).toEqual(['GET /api/resources/Docs/', 'GET /api/resources/Docs/', 'POST /api/renew'])
    },
  )

  // Journey: start-2
  testAtRoot('a saved token that does not have three parts is refused, and a login follows', async () => {
    const page = await signedIn()
    for (const token of ['only.two', 'one.two.three.four', 'a.b.c']) {
      await page.evaluate((jwt) => localStorage.setItem('jwt', jwt), token)
      await page.context().clearCookies()
      await page.goto(`${server().url}/files/Docs/`)
      await page.waitForURL(/\/login\?redirect=/)
      await page.getByLabel('Username').waitFor()
    }
  })

  // Journey: start-3
  testAtRoot('a login keeps its token in the storage, and its session in a cookie', async () => {
    const page = await window()
    await logIn(page, server(), ann)
    await rowOf(page, /^report\.txt/).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
    expect(token.split('.')).toHaveLength(3)
    const cookies = await page.context().cookies()
    expect(cookies.find(({ name }) => name === 'auth')).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  })

  testAtRoot('without a session, nothing is requested before the login', async () => {
    const page = await window()
    const requests = recordRequests(page)
    await page.goto(`${server().url}/files/Docs/`)
    await page.getByLabel('Username').waitFor()
    expect(requests()).toEqual([])
  })

  testAtRoot(
    'a page that could not reach the server at its start goes on when the server is back',
    async () => {
      const page = await signedIn(freshWindow)
      await page.route('**/api/renew', (route) => route.abort())
      await page.goto(server().url)
      await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
      await page.unroute('**/api/renew')
      await rowOf(page, /^report\.txt/).waitFor()
    },
  )

  // Journey: start-4
  testAtRoot(
    'a screen whose code has not come after 120 seconds says so, and Retry loads it again',
    async () => {
      const page = await signedIn(freshWindow)
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/assets/listing-*.js', async (route) => {
        await isReleased
        await route.continue().catch(() => {})
      })
      await page.clock.install()
      await page.goto(server().url, { waitUntil: 'commit' })
      await page.waitForRequest('**/api/renew')
      await page.clock.fastForward(121_000)
      await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
      release()
      await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
      await rowOf(page, /^report\.txt/).waitFor()
    },
  )

  // Journey: start-5
  testAtRoot(
    'when the code that follows the rows cannot be loaded, the page says so, and Retry loads it again',
    async () => {
      const page = await signedIn(freshWindow)
      await page.route(/\/later-[^/]*\.js/, (route) => route.abort())
      await page.goto(server().url)
      await page.getByRole('heading', { name: "The server can't be reached." }).waitFor()
      await page.unroute(/\/later-[^/]*\.js/)
      await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
      await rowOf(page, /^report\.txt/).waitFor()
      await page.getByRole('treeitem').first().waitFor()

      // The settings share other modules with it. They stay on screen, with a line above them.
      const code = /\/later-[\w-]{8}\.js/
      await page.route(code, (route) => route.abort())
      await page.goto(`${server().url}/settings/profile`)
      const message = page.getByRole('alert').filter({ hasText: "The server can't be reached." })
      await message.waitFor()
      await page.getByLabel('Language').waitFor()
      await page.unroute(code)
      await message.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('treeitem').first().waitFor()
      expect(await message.count()).toBe(0)
    },
  )

  testAtRoot('on the settings, the code that follows the rows does not wait for rows', async () => {
    const page = await signedIn(freshWindow)
    // The longest delay does not end, so that only the first frame can start the load.
    await page.addInitScript(() => {
      const { setTimeout } = globalThis
      globalThis.setTimeout = ((run: () => void, ms: number) =>
        ms === 1500 ? 0 : setTimeout(run, ms)) as typeof globalThis.setTimeout
    })
    await page.goto(`${server().url}/settings/profile`)
    await page.getByRole('treeitem').first().waitFor()
  })

  testAtRoot(
    'before the code that follows the rows has come, a dropped file does not replace the page, and Back closes a waiting prompt',
    async () => {
      const page = await signedIn(freshWindow)
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      await page.route(/\/later-[^/]*\.js/, async (route) => {
        await isReleased
        await route.continue()
      })
      await page.goto(server().url)
      await rowOf(page, /^Docs/).waitFor()
      const refused = await page.locator('[role="grid"]').evaluate((grid) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['text'], 'dropped.txt'))
        return ['dragover', 'drop'].map(
          (type) =>
            !grid.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
        )
      })
      expect(refused).toEqual([true, true])

      await rowOf(page, /^Docs/).dblclick()
      await rowOf(page, /^a\.txt/).click()
      await page.keyboard.press('F2')
      await page.keyboard.type('early')
      // Keys of the browser do not belong to the prompt.
      const kept = await page.evaluate(() =>
        ['F5', 'Tab', 'x'].map(
          (key) =>
            !document.body.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            ),
        ),
      )
      expect(kept).toEqual([false, false, true])
      await page.goBack()
      await rowOf(page, /^report\.txt/).click()
      release()
      await page.getByRole('treeitem').first().waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await page.getByRole('textbox', { name: /txt/ }).count()).toBe(0)
      // The text that was typed for the closed prompt is not typed into the next one.
      await page.keyboard.press('F2')
      expect(await page.getByRole('textbox', { name: /report\.txt/ }).inputValue()).toBe('report.txt')
    },
  )
})
