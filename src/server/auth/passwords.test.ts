import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bcryptHash } from '../../../test/kit/bcrypt-hash.ts'
import { createPasswords, isPasswordHash } from './passwords.ts'

const passwords = createPasswords({ randomBytes })

test('a hash contains its parameters, and two hashes of one password differ', async () => {
  const [one, two] = [await passwords.hash('a long password'), await passwords.hash('a long password')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect([one === two, passwords.needsRehash(one), isPasswordHash(one)]).toEqual([false, false, true])
})

test.each([['a long password'], ['pässwörd ∑ 🔑'], ['x'.repeat(1024)], ['']])(
  'the password %j is verified, and another one is not',
  async (password) => {
    const hash = await passwords.hash(password)
    expect([
      await passwords.verify(password, hash),
      await passwords.verify(`${password.slice(0, 1000)}!`, hash),
    ]).toEqual([true, false])
  },
)

test('a hash equals a known value of Argon2id', async () => {
  const fixed = createPasswords({ randomBytes: (count) => new Uint8Array(count).fill(2) })
  expect(await fixed.hash('password')).toBe(
    '$argon2id$v=19$m=19456,t=2,p=1$AgICAgICAgICAgICAgICAg$3QnR7dvv5/3zKLdLuUq/db1ysdDhaz74z367zrRQl3Y',
  )
})

/** Passwords and their hashes, made by the bcrypt library that is written in Rust (@node-rs/bcrypt 2.0.0). */
const bcryptHashes: [string, string][] = [
  ['', '$2a$04$gxubEu0EcA3C41az.hTM4ecD5n0CPgevgAkXr/CNyhspVqb55CXk2'],
  ['correct horse', '$2a$04$dWS.epFfxxpMq6V/GKZfDuj0Nb96/1MZPaIHGY5tjC0Pehdet7nLi'],
  ['correct horse', '$2b$04$47CEewJjlZP/OZkBOfPGWOGh912V/4vRrNagj.EFTeJUn4B02IulO'],
  ['correct horse', '$2y$04$HkwxaqujsfuewBdEgTA27eeSGbXzVoCt5fBGucA6MqB.Qhrq9Ldku'],
  ['pässwörd 日本😀', '$2y$04$1crSY2y1hst8gjja2exbIuBtGMQVoM.h6B2fegB4nQF4R6S6YJd0q'],
  // Bcrypt reads 72 bytes. The last character of the first password is cut in the middle.
  [`${'x'.repeat(71)}ä and more`, '$2b$04$OBltatY2.oA9PLgYunDfW.1jhy83onjOVyHSkzLJB20bPGOhsvWsC'],
  ['y'.repeat(80), '$2a$04$TUE5IPvsZiZA0epoZYX2JeV0RtE.mrXHzWV45dRurDGXVo07ZdIDu'],
]

test.each(bcryptHashes)(
  'the bcrypt hash of %j is verified and should be replaced',
  async (password, hash) => {
    expect([
      await passwords.verify(password, hash),
      await passwords.verify(`not ${password}`, hash),
      passwords.needsRehash(hash),
      isPasswordHash(hash),
    ]).toEqual([true, false, true, true])
  },
)

test('a bcrypt hash is verified in a thread, so that other work goes on meanwhile', async () => {
  const hash = bcryptHash('a', { cost: 10 })
  await passwords.verify('a', bcryptHash('a'))
  let turns = 0
  const counting = setInterval(() => (turns += 1))
  expect(await passwords.verify('a', hash)).toBe(true)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
})

test.each([
  [''],
  ['plain text'],
  ['$2x$04$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'],
  ['$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHRzb21l$c29tZXNhbHRzb21lc29tZXNhbHQ'],
  ['$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21l$c29tZXNhbHRzb21lc29tZXNhbHQ'],
  ['$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21l$'],
])('no password matches the text %j as a hash', async (hash) => {
  expect([
    await passwords.verify('', hash),
    await passwords.verify(hash, hash),
    isPasswordHash(hash),
  ]).toEqual([false, false, false])
})

test.each([
  ['NUL', 'a\0b'],
  ['too many bytes', 'ü'.repeat(513)],
  ['half a character', 'a\ud800'],
])('a password with %s is refused before it is hashed', async (_case, password) => {
  await expect(passwords.hash(password)).rejects.toMatchObject({ code: 'bad-request' })
  expect(await passwords.verify(password, await passwords.hash('a'))).toBe(false)
})

test('a hash with weaker parameters should be replaced', () => {
  const tag = `${'A'.repeat(22)}$${'A'.repeat(43)}`
  expect([
    passwords.needsRehash(`$argon2id$v=19$m=8192,t=2,p=1$${tag}`),
    passwords.needsRehash(`$argon2id$v=19$m=19456,t=1,p=1$${tag}`),
    passwords.needsRehash(`$argon2id$v=19$m=65536,t=3,p=4$${tag}`),
  ]).toEqual([true, true, false])
})

test('requests beyond the queue are refused at once', async () => {
  const busy = createPasswords({ randomBytes, concurrency: 1, waiting: 2 })
  const tries = await Promise.allSettled([1, 2, 3, 4, 5].map(() => busy.hash('a')))
  expect(tries.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect((tries[4] as PromiseRejectedResult).reason).toMatchObject({
    code: 'overloaded',
    retryAfterSeconds: 2,
  })
  await busy.hash('a')
})

const timeOf = async (work: () => Promise<boolean>): Promise<number> => {
  const from = performance.now()
  expect(await work()).toBe(false)
  return performance.now() - from
}

/**
 * The largest number of measurements of each kind. Other programs make single measurements longer, but not shorter, so
 * that the shortest ones become equal after a few on most machines, and after many on a busy one.
 */
const maxMeasurements = 60

test('an unknown name takes as long as a wrong password', async () => {
  const hash = await passwords.hash('right')
  let [wrong, nobody] = [Infinity, Infinity]
  const isEqual = (): boolean => nobody / wrong > 0.5 && nobody / wrong < 2
  for (let n = 0; n < maxMeasurements && (n < 5 || !isEqual()); n += 1) {
    wrong = Math.min(wrong, await timeOf(() => passwords.verify('wrong', hash)))
    nobody = Math.min(nobody, await timeOf(() => passwords.verifyNobody('wrong')))
  }
  expect([nobody / wrong, isEqual()]).toEqual([expect.any(Number), true])
})
