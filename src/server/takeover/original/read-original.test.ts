import { expect, test } from 'vitest'
import { boltFile } from '../../../../test/kit/bolt-file.ts'
import { expectationsOf, fixtureBytes, originalVersions } from '../../../../test/kit/original-database.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { readOriginal } from './read-original.ts'

test.each(originalVersions)('the database of %s is read with all its records', (version) => {
  const state = readOriginal(fixtureBytes(`${version}/filebrowser.db`), 'old.db')
  const expected = expectationsOf(version)
  expect(state.users.map(({ id, record }) => [id, record.text('username')])).toEqual(
    expected.users.map(({ id, username }) => [id, username]),
  )
  expect(Buffer.from(state.key ?? []).toString('base64')).toBe(expected.signingKeyBase64)
  expect([state.lastUserId, state.shares.length]).toEqual([13, 13])
  const isLater = version === 'filebrowser-v2.63'
  expect(state.traits).toEqual({ confinesScopes: isLater, comparesWholeNames: isLater })
})

test('the highest id that was given out is kept, also when its user was deleted', () => {
  const counter = Buffer.from([0, 0, 0, 0, 0, 0, 1, 2])
  const file = boltFile({
    config: { settings: '{"rules":[]}' },
    User: { __storm_metadata: { IDcounter: counter, codec: 'json' } },
  })
  expect(readOriginal(file, 'old.db')).toMatchObject({ lastUserId: 258, users: [], shares: [], key: null })
})

test('a damaged database is read or refused with one line that names the file', () => {
  const file = fixtureBytes('filebrowser-v2.20.1/filebrowser.db')
  const reasons = new Set<string>()
  for (let at = 0; at < file.length; at += 37) {
    const damaged = Buffer.from(file)
    damaged[at] = (damaged[at] ?? 0) ^ (1 + (at % 255))
    try {
      readOriginal(damaged, 'old.db')
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      reasons.add(thrown.reason?.replaceAll(/\d+/g, 'N') ?? '')
    }
  }
  for (const reason of reasons) expect(reason).toMatch(/^the database old\.db [^\n]+; nothing was changed$/)
  expect(reasons.size).toBeGreaterThan(5)
})
