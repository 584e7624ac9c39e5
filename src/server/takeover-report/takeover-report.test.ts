import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'
import type { TakeoverResource } from '../../shared/contract/server.ts'
import { privateRanges } from '../auth/network.ts'

const admin = { perm: { admin: true } }

type TakeoverResponse = { readonly takeover: TakeoverResource | null }

/** Fields that an earlier version has stored, and that are no longer used. */
const formerFields = { correctedUsers: { '1': 5 } }

const reportOf = async (app: Pick<TestApp, 'call'>): Promise<TakeoverResponse> =>
  (await (await app.call('takeover.get')).json()) as TakeoverResponse

test('the report has its notes, and only the steps that are not done', async () => {
  const app = await startApp({
    user: admin,
    users: { ben: { isDisabled: true }, kim: { passwordHash: '*' }, dis: { isDisabled: true } },
    settings: { authMethod: 'proxy', commands: { after_upload: ['a', 'b'] } },
    config: { disableExec: true, trustedProxies: privateRanges },
  })
  expect(await reportOf(app)).toEqual({ takeover: null })
  const { records } = app
  const ben = (await records.users.findByName('ben'))!
  const user = { id: ben.id, name: 'Ben of old' }
  await records.settings.setTakeover({
    ...formerFields,
    atMs: 1_800_000_000_000,
    from: '/srv/old.db',
    keyDigest: '',
    acceptsOldTokens: true,
    report: {
      kept: [{ text: '3 users' }],
      changed: [{ text: 'disabled', user, isDisabledAccount: true }],
      left: [{ text: 'gone', user: { id: 99, name: 'gone' } }],
    },
  })
  const stepsNow = async () =>
    (await reportOf(app)).takeover?.steps.map(({ kind, user: name, count }) => `${kind} ${name} ${count}`)
  const { takeover } = await reportOf(app)
  expect(takeover).toMatchObject({
    time: '2027-01-15T08:00:00.000Z',
    from: '/srv/old.db',
    kept: [{ text: '3 users', user: '', userId: null }],
    changed: [{ text: 'disabled', user: 'Ben of old', userId: ben.id }],
    left: [{ text: 'gone', user: 'gone', userId: null }],
  })
  expect(await stepsNow()).toEqual([
    'check-account ben 0',
    'set-password kim 0',
    'name-proxy  0',
    'turn-on-hooks  2',
  ])
  await records.settings.change({ commands: {} })
  await records.users.update((await records.users.findByName('kim'))!.id, { commands: ['ls'] })
  expect((await stepsNow())?.at(-1)).toBe('turn-on-commands  0')
  await records.users.update(ben.id, { isDisabled: false })
  await records.settings.change({ authMethod: 'json', commands: {} })
  await records.users.remove((await records.users.findByName('kim'))!.id)
  expect(await stepsNow()).toEqual([])
  // The administrator has enabled the account once, so this is another reason.
  await records.users.update(ben.id, { isDisabled: true })
  expect(await stepsNow()).toEqual([])
})

test('only administrators see the report', async () => {
  const app = await startApp({ users: { ada: admin } })
  expect((await app.call('takeover.get')).status).toBe(403)
  expect((await app.fetch('/api/takeover', { token: null })).status).toBe(401)
  expect((await (await app.signIn('ada')).call('takeover.get')).status).toBe(200)
})
