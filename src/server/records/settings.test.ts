import { expect, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import type { TakeoverRecord } from './port.ts'

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

test('failed logins are stored until they expire', async () => {
  const clock = createClock()
  const { throttles } = await testRecords(clock)
  const untilMs = clock.nowMs() + 1000
  await throttles.save([
    { key: 'a', fails: 3, untilMs },
    { key: 'b', fails: 1, untilMs: untilMs + 1000 },
  ])
  await throttles.save([{ key: 'a', fails: 4, untilMs }])
  expect(await throttles.load()).toEqual([
    { key: 'b', fails: 1, untilMs: untilMs + 1000 },
    { key: 'a', fails: 4, untilMs },
  ])
  clock.advance(1000)
  expect((await throttles.load()).map(({ key }) => key)).toEqual(['b'])
  await throttles.save([{ key: 'b', fails: 0, untilMs: 0 }])
  expect(await throttles.load()).toEqual([])
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
