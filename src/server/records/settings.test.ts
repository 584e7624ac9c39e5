import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import type { TakeoverRecord } from './settings.ts'

test('a setting that was never stored has its default value', async () => {
  const { settings } = await testRecords()
  expect(await settings.get()).toEqual(defaultSettings)
  expect([await settings.key(), await settings.server()]).toEqual([null, {}])
})

test('a change replaces the whole value of each given setting', async () => {
  const { settings } = await testRecords()
  const branding = { ...defaultSettings.branding, name: 'Ours' }
  await settings.change({ signup: true, branding })
  await settings.change({ branding: { ...branding, color: '#123456' } })
  expect(await settings.get()).toEqual({
    ...defaultSettings,
    signup: true,
    branding: { ...branding, color: '#123456' },
  })
})

test('the ten events are always present, and unknown events are kept', async () => {
  const { settings } = await testRecords()
  await settings.change({ commands: { after_upload: ['true'], on_full_moon: ['howl'] } })
  const { commands } = await settings.get()
  expect([
    Object.keys(commands).length,
    commands['after_upload'],
    commands['before_copy'],
    commands['on_full_moon'],
  ]).toEqual([11, ['true'], [], ['howl']])
})

test('a refused change changes nothing', async () => {
  const { settings } = await testRecords()
  const wrong = { signup: true, key: 'mine' } as Parameters<typeof settings.change>[0]
  await expect(settings.change(wrong)).rejects.toMatchObject({ code: 'bad-request' })
  expect(await settings.get()).toEqual(defaultSettings)
})

test('the key that signs tokens can be set only once', async () => {
  const { settings } = await testRecords()
  const key = new Uint8Array(64).fill(7)
  await settings.setKey(key)
  await expect(settings.setKey(new Uint8Array(64))).rejects.toMatchObject({ code: 'name-taken' })
  expect(await settings.key()).toEqual(key)
})

test('the times of failures are stored until they expire, with those of other servers', async () => {
  const clock = createClock()
  const { throttles } = await testRecords(clock)
  const startMs = clock.nowMs()
  const failure = { resetAtMs: null, windowMs: 1000, maxTimes: 3 }
  await throttles.count([
    { ...failure, key: 'a', atMs: [startMs] },
    { ...failure, key: 'b', atMs: [startMs + 5000] },
  ])
  clock.advance(400)
  await throttles.count([{ ...failure, key: 'a', atMs: [startMs + 400, startMs + 200, startMs + 300] }])
  expect(await throttles.timesOf('a')).toEqual([200, 300, 400].map((ms) => startMs + ms))
  // The clock was ahead when the failure of `b` was stored.
  expect(await throttles.timesOf('b')).toEqual([startMs])
  await throttles.count([{ ...failure, key: 'a', resetAtMs: startMs + 300, atMs: [] }])
  expect(await throttles.timesOf('a')).toEqual([startMs + 400])
  clock.advance(1000)
  await throttles.count([])
  expect(await throttles.timesOf('a')).toEqual([])
})

test('a record of a takeover whose notes were sentences is read', async () => {
  const { settings } = await testRecords()
  expect(await settings.takeover()).toBeNull()
  const early = {
    atMs: 1,
    keyDigest: 'digest',
    acceptsOldTokens: true,
    report: { kept: ['3 users'], changed: [], left: ['a share'] },
  }
  await settings.setTakeover(early as unknown as TakeoverRecord)
  expect(await settings.takeover()).toEqual({
    ...early,
    from: '',
    report: { kept: [{ text: '3 users' }], changed: [], left: [{ text: 'a share' }] },
  })
})
