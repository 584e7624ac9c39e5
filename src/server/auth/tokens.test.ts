import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { userFields } from '../../../test/kit/records.ts'
import type { User } from '../records/user-store.ts'
import { createTokenReader, signToken, verifyToken } from './tokens.ts'

const key = new Uint8Array(64).fill(9)
const atMs = 1_800_000_000_000
const hourMs = 3_600_000
const ann: User = {
  ...userFields({ username: 'ann', scope: '/secret', commands: ['git'] }),
  id: 7,
  changedAtMs: null,
}
const make = (options: Partial<Parameters<typeof signToken>[1]> = {}) =>
  signToken(key, { user: ann, jti: 'j', issuedAtMs: atMs, expiresAtMs: atMs + 2 * hourMs, ...options })

/** Returns a token with the given header and claims, signed with the right key. */
const signed = (head: unknown, claims: unknown): string => {
  const [a, b] = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${a}.${b}.${createHmac('sha256', key).update(`${a}.${b}`).digest('base64url')}`
}
const head = { alg: 'HS256', typ: 'JWT' }
const claims = { user: { id: 7 }, exp: atMs / 1000 + 60, iat: atMs / 1000, iss: 'File Browser', jti: 'j' }

test('a token has the shape that old clients read', () => {
  const [first = '', second = ''] = make().split('.')
  expect(Buffer.from(first, 'base64url').toString()).toBe('{"alg":"HS256","typ":"JWT"}')
  expect(JSON.parse(Buffer.from(second, 'base64url').toString())).toEqual({
    user: {
      id: 7,
      username: 'ann',
      locale: 'en',
      viewMode: 'mosaic',
      singleClick: false,
      redirectAfterCopyMove: false,
      perm: ann.perm,
      commands: ['git'],
      lockPassword: false,
      hideDotfiles: false,
      dateFormat: false,
      aceEditorTheme: '',
    },
    exp: atMs / 1000 + 7200,
    iat: atMs / 1000,
    iss: 'File Browser',
    jti: 'j',
  })
})

test('a signed token is verified', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (jti, username) => {
      const token = make({ jti, user: { ...ann, username } })
      expect(verifyToken(key, token, atMs)).toMatchObject({ jti, user: { id: 7, username } })
    }),
  )
})

test('no token with one character changed, lost or added is verified', () => {
  const token = make()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom(...Array.from(alphabet)),
      fc.nat(2),
      (at, character, kind) => {
        const keep = kind === 2 ? 0 : 1
        const other = token.slice(0, at) + (kind === 1 ? '' : character) + token.slice(at + keep)
        fc.pre(other !== token)
        expect(verifyToken(key, other, atMs)).toBe(null)
      },
    ),
    { numRuns: 2000 },
  )
})

test.each<readonly [string, string]>([
  ['no algorithm', signed({ alg: 'none', typ: 'JWT' }, claims)],
  ['another algorithm', signed({ alg: 'HS512', typ: 'JWT' }, claims)],
  ['another order in its header', signed({ typ: 'JWT', alg: 'HS256' }, claims)],
  ['a key id', signed({ ...head, kid: '1' }, claims)],
  ['no end', signed(head, { ...claims, exp: undefined })],
  ['no beginning', signed(head, { ...claims, iat: undefined })],
  ['a beginning in the future', signed(head, { ...claims, iat: atMs / 1000 + 120, exp: atMs / 1000 + 9999 })],
  ['an end as text', signed(head, { ...claims, exp: String(claims.exp) })],
  ['no user', signed(head, { ...claims, user: undefined })],
  ['a user without id', signed(head, { ...claims, user: { username: 'ann' } })],
  ['a list for claims', signed(head, [claims])],
  ['null for claims', signed(head, null)],
  ['a fourth part', `${make()}.x`],
  ['two parts', make().split('.').slice(0, 2).join('.')],
  ['an empty signature', `${make().split('.').slice(0, 2).join('.')}.`],
  ['padding', `${make()}=`],
  ['nothing', ''],
  ['only dots', '..'],
])('a token with %s is refused', (_case, token) => {
  expect(verifyToken(key, token, atMs)).toBe(null)
})

test('a token signed with another key is refused', () => {
  expect(verifyToken(new Uint8Array(64).fill(8), make(), atMs)).toBe(null)
})

test.each([
  [0, true],
  [2 * hourMs - 1, true],
  [2 * hourMs, false],
])('%i ms after it was issued, a token is valid: %s', (passedMs, isGood) => {
  expect(verifyToken(key, make(), atMs + passedMs) !== null).toBe(isGood)
})

test('a cached token is checked by its whole text and by its times', () => {
  const read = createTokenReader(key)
  const token = make()
  expect(read(token, atMs)).toMatchObject({ jti: 'j', user: { id: 7 } })
  expect(read(token, atMs)).toEqual(verifyToken(key, token, atMs))
  expect(read(token, atMs + 2 * hourMs)).toBe(null)
  expect(read(token, atMs)).not.toBe(null)
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`
  expect([read(other, atMs), read(other, atMs), read(`${token}=`, atMs)]).toEqual([null, null, null])
})

test('a token of the original program, which has no id, is read without one', () => {
  expect(verifyToken(key, signed(head, { ...claims, jti: undefined }), atMs)).toMatchObject({
    jti: null,
    user: { id: 7 },
  })
})
