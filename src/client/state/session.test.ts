import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../../test/kit/stub-local-storage.ts'
import { createPersonalStore, userSignal, registerPersonal } from './personal.ts'
import {
  acceptToken,
  expireSession,
  followOtherTabs,
  leaveSession,
  may,
  savedToken,
  session,
  tokenOf,
  untilLoggedIn,
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
  stubLocalStorage(kept)
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
  calls = []
  unfinished = 0
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

test('a token signs in and is kept; a logout takes it away', () => {
  expect(acceptToken(token)).toBe(true)
  expect([tokenOf(), storage.kept.get('jwt'), savedToken(), may('create'), may('admin')]).toEqual([
    token,
    token,
    token,
    true,
    false,
  ])
  leaveSession()
  expect([tokenOf(), storage.kept.size, may('create')]).toEqual([null, 0, false])
  expect(session.get()).toEqual({ kind: 'guest', reason: 'logged-out' })
})

test('a late refusal of an older token does not end the session of the new one', () => {
  acceptToken(token)
  const newer = tokenFor({ user, iat: 2 })
  acceptToken(newer)
  expireSession(token)
  expect(tokenOf()).toBe(newer)
})

const drafts = createPersonalStore('')
let unfinished = 0
let calls: string[] = []
registerPersonal({
  drop: () => calls.push('drop'),
  pause: () => calls.push('pause'),
  resume: () => calls.push('resume'),
  unfinished: () => unfinished,
})
const ofAnother = tokenFor({ user: { ...user, id: 8, username: 'Bea' } })

test('a session that ends by itself pauses what its user has, and the same user goes on with it', async () => {
  acceptToken(token)
  drafts.set('to the bank')
  const person = userSignal()
  expireSession()
  expect([session.get(), tokenOf(), userOf()?.id, storage.kept.get('jwt')]).toEqual([
    { kind: 'ended', user },
    null,
    7,
    token,
  ])
  let hasGoneOn = false
  const waiting = untilLoggedIn(person).then(() => (hasGoneOn = true))
  await Promise.resolve()
  expect(hasGoneOn).toBe(false)
  acceptToken(tokenFor({ user, iat: 3 }))
  await waiting
  expect([calls, drafts.get(), person.aborted]).toEqual([['pause', 'resume'], 'to the bank', false])
})

test('another user who logs in after the end of a session finds nothing of the first', async () => {
  acceptToken(token)
  drafts.set('to the bank')
  const person = userSignal()
  expireSession()
  const waiting = untilLoggedIn(person)
  acceptToken(ofAnother)
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  expect([calls, drafts.get(), person.aborted, userOf()?.username]).toEqual([
    ['pause', 'drop'],
    '',
    true,
    'Bea',
  ])
})

test('a logout drops everything of the user before the next one can log in', () => {
  acceptToken(token)
  drafts.set('to the bank')
  leaveSession()
  expect([calls, drafts.get()]).toEqual([['drop'], ''])
})

test('a renewal neither pauses nor drops anything', () => {
  acceptToken(token)
  acceptToken(tokenFor({ user, iat: 3 }))
  expect(calls).toEqual([])
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

test('a logout in another tab keeps the unfinished uploads of this one until somebody logs in', () => {
  const stop = followOtherTabs()
  acceptToken(token)
  unfinished = 3
  storage.elsewhere(null)
  expect([session.get().kind, calls]).toEqual(['ended', ['pause']])
  storage.elsewhere(ofAnother)
  expect([userOf()?.username, calls]).toEqual(['Bea', ['pause', 'drop']])
  stop()
})

test('what another tab does with the token is not written again here', () => {
  const stop = followOtherTabs()
  acceptToken(token)
  storage.kept.set('jwt', ofAnother)
  storage.elsewhere(null)
  expect(storage.kept.get('jwt')).toBe(ofAnother)
  stop()
})

test('without storage the session lives as long as the page', () => {
  vi.stubGlobal('localStorage', undefined)
  expect([acceptToken(token), tokenOf(), savedToken()]).toEqual([true, token, null])
})
