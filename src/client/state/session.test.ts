import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  acceptToken,
  endSession,
  followOtherTabs,
  may,
  savedToken,
  session,
  tokenOf,
  userOf,
  userOfToken,
} from './session.ts'

const user = { id: 7, username: 'Änn 漢', perm: { admin: false, create: true } }
const tokenFor = (payload: unknown) =>
  `head.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`
const token = tokenFor({ user })

function openStorage() {
  const kept = new Map<string, string>()
  const target = new EventTarget()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  const elsewhere = (newValue: string | null) =>
    target.dispatchEvent(Object.assign(new Event('storage'), { key: 'jwt', newValue }))
  return { kept, elsewhere }
}

let storage: ReturnType<typeof openStorage>
beforeEach(() => {
  storage = openStorage()
  session.set({ kind: 'starting' })
})
afterEach(() => vi.unstubAllGlobals())

test('a token names its user, whatever letters the name has', () => {
  expect(userOfToken(token)).toMatchObject({ id: 7, username: 'Änn 漢' })
})

test.each([
  ['two parts', 'head.payload'],
  ['four parts', `${token}.more`],
  ['no payload', 'a.b.c'],
  ['no user', tokenFor({})],
  ['a user without rights', tokenFor({ user: { id: 1 } })],
])('a token of %s is malformed', (_case, text) => {
  expect(acceptToken(text)).toBe(false)
  expect([session.get().kind, storage.kept.size]).toEqual(['starting', 0])
})

test('a token signs in and is kept; the end of the session takes it away', () => {
  expect(acceptToken(token)).toBe(true)
  expect([tokenOf(), storage.kept.get('jwt'), savedToken(), may('create'), may('admin')]).toEqual([
    token,
    token,
    token,
    true,
    false,
  ])
  endSession('logged-out')
  expect([tokenOf(), storage.kept.size, may('create')]).toEqual([null, 0, false])
  expect(session.get()).toEqual({ kind: 'guest', reason: 'logged-out' })
})

test('a late refusal of an older token does not end the session of the new one', () => {
  acceptToken(token)
  const newer = tokenFor({ user, iat: 2 })
  acceptToken(newer)
  endSession('ended', token)
  expect(tokenOf()).toBe(newer)
})

test('a logout in another tab is a logout here, a renewal there a renewal here', () => {
  const stop = followOtherTabs()
  acceptToken(token)
  const newer = tokenFor({ user: { ...user, username: 'Ann' } })
  storage.elsewhere(newer)
  expect([tokenOf(), userOf()?.username]).toEqual([newer, 'Ann'])
  storage.elsewhere(null)
  expect(session.get()).toEqual({ kind: 'guest', reason: 'logged-out' })
  stop()
})

test('without storage the session lives as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  expect([acceptToken(token), tokenOf(), savedToken()]).toEqual([true, token, null])
})
