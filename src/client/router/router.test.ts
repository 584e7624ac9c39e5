import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entryMemory } from './entry-memory.ts'
import { block, filesUrl, location, navigate, startRouter } from './router.ts'
import type { TokenUser } from '../../shared/contract/users.ts'
import type { Path } from '../../shared/domain/path.ts'
import { dropPersonal } from '../state/personal.ts'
import { session } from '../state/session.ts'

/**
 * Imitates the part of a browser's session history that the router uses. Moves fire `popstate` asynchronously, as in
 * browsers.
 */
function openBrowser(address: string) {
  const target = new EventTarget()
  const entries: { state: unknown; address: string }[] = [{ state: null, address }]
  let at = 0
  const history = {
    get state() {
      return entries[at]?.state
    },
    pushState: (state: unknown, _title: string, to: string) => {
      entries.splice(at + 1, Infinity, { state, address: to })
      at += 1
    },
    replaceState: (state: unknown, _title: string, to = entries[at]?.address ?? '') => {
      entries[at] = { state, address: to }
    },
    go: (delta: number) => {
      setTimeout(() => {
        at += delta
        target.dispatchEvent(new Event('popstate'))
      })
    },
  }
  const window = {
    get location() {
      return new URL(entries[at]?.address ?? '', 'http://nas')
    },
  }
  vi.stubGlobal('history', history)
  vi.stubGlobal('window', window)
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  return { history, addresses: () => entries.map((entry) => entry.address), at: () => at }
}

let browser: ReturnType<typeof openBrowser>
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

beforeEach(() => {
  browser = openBrowser('/fm/files/Docs/')
  startRouter({ base: '/fm', guardOf: ({ screen }) => (screen === 'settings' ? '/403' : null) })
})
afterEach(() => vi.unstubAllGlobals())

test('navigating changes the address, and Back changes the location', async () => {
  expect(location.get()).toMatchObject({ screen: 'files', path: '/Docs', isFolder: true })
  navigate(filesUrl('/Docs/a%2Fb ü' as Path, false))
  await settled()
  expect(browser.addresses()).toEqual(['/fm/files/Docs/', '/fm/files/Docs/a%252Fb%20%C3%BC'])
  expect(location.get()).toMatchObject({ path: '/Docs/a%2Fb ü', isFolder: false })
  browser.history.go(-1)
  await settled()
  expect(location.get()).toMatchObject({ path: '/Docs' })
})

test('an address that the guard refuses is replaced and leaves no history entry', async () => {
  navigate('/settings/users')
  await settled()
  expect(location.get().screen).toBe('403')
  expect(browser.addresses()).toEqual(['/fm/files/Docs/', '/fm/403'])
})

test('an unknown address is redirected below the files', async () => {
  navigate('/anything/x')
  await settled()
  expect(browser.addresses().at(-1)).toBe('/fm/files/anything/x')
})

test('the memory of a history entry is there again after Back', async () => {
  const { key } = location.get()
  entryMemory.set(key, { scrollPx: 400 })
  entryMemory.set(key, { focus: 'b.txt' })
  navigate('/files/Docs/b.txt')
  await settled()
  expect(entryMemory.get(location.get().key)).toEqual({})
  browser.history.go(-1)
  await settled()
  expect(location.get().key).toBe(key)
  expect(entryMemory.get(key)).toEqual({ scrollPx: 400, focus: 'b.txt' })
})

test('a memory that is stored late does not end up in the next history entry', async () => {
  const { key } = location.get()
  navigate('/files/other/')
  await settled()
  entryMemory.set(key, { scrollPx: 7 })
  expect(browser.history.state).not.toMatchObject({ memory: { scrollPx: 7 } })
})

test('a blocker keeps the address, for links and for the back button, until it agrees', async () => {
  navigate('/files/a.txt')
  await settled()
  let mayLeave = false
  const free = block(() => mayLeave)
  navigate('/files/b.txt')
  await settled()
  expect(location.get().path).toBe('/a.txt')
  browser.history.go(-1)
  await settled()
  expect([location.get().path, browser.at()]).toEqual(['/a.txt', 1])
  mayLeave = true
  browser.history.go(-1)
  await settled()
  expect([location.get().path, browser.at()]).toEqual(['/Docs', 0])
  free()
})

test('navigating to the same address again adds no history entry, but notifies', async () => {
  let told = 0
  const stop = location.subscribe(() => (told += 1))
  navigate('/files/Docs/')
  await settled()
  stop()
  expect([told, browser.addresses().length]).toEqual([1, 1])
})

const signIn = (id: number): void => session.set({ kind: 'user', token: 't', user: { id } as TokenUser })

test('the memory of a history entry is only for the user who made it', () => {
  signIn(1)
  const { key } = location.get()
  entryMemory.set(key, { scrollPx: 7, focus: 'letter.txt' })
  expect(entryMemory.get(key).focus).toBe('letter.txt')
  dropPersonal()
  signIn(2)
  expect(entryMemory.get(key)).toEqual({})
})
