import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { elsewhere } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { defaultSettings } from '../records/default-settings.ts'
import { openRecords } from '../records/open-records.ts'
import type { Records, SettingsStore } from '../records/port.ts'
import { createPageDesk } from './page-desk.ts'
import { templateWithoutClient } from './render-page.ts'

const named = (name: string) => ({ branding: { ...defaultSettings.branding, name } })

/** Ours, and those of another process, which changes the settings behind our back. */
async function openBoth() {
  const database = path.join(temporaryFolder(), 'stowage.db')
  const open = async (): Promise<Records> => {
    const records = await openRecords({ database, nowMs: Date.now })
    onTestFinished(() => records.close())
    return records
  }
  return { ours: await open(), theirs: await open() }
}

async function openDesk(records: Pick<Records, 'settings' | 'version'>) {
  const clock = { atMs: 0 }
  const faults: unknown[] = []
  const desk = await createPageDesk({
    records,
    template: templateWithoutClient,
    basePath: '',
    version: 'test',
    server: { enableThumbs: true, resizePreview: true, enableExec: false },
    onFault: (error) => void faults.push(error),
    nowMs: () => clock.atMs,
  })
  const nameOnPage = async () => /<title>(.*?)<\/title>/.exec(String((await desk.page()).html))?.[1]
  return { desk, clock, faults, nameOnPage }
}

/** Settings whose answers wait until they are let go. */
function heldBack(settings: SettingsStore) {
  const waiting: (() => void)[] = []
  let isHeld = false
  const get = async () => {
    const found = await settings.get()
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    return found
  }
  const hold = () => void (isHeld = true)
  return { settings: { ...settings, get }, waiting, hold }
}

test('what another process has changed is on the very next page, however soon', async () => {
  const { ours, theirs } = await openBoth()
  const { nameOnPage } = await openDesk(ours)
  await elsewhere(theirs.settings.change(named('EARLY')))
  expect(await nameOnPage()).toBe('EARLY')
  await elsewhere(theirs.settings.change(named('LATE')))
  expect(await nameOnPage()).toBe('LATE')
})

test('where the database does not tell of changes, the first page after a second has them', async () => {
  const { ours, theirs } = await openBoth()
  const { nameOnPage, clock } = await openDesk({ ...ours, version: null })
  await elsewhere(theirs.settings.change(named('LATE')))
  clock.atMs += 1001
  expect(await nameOnPage()).toBe('LATE')
})

test('who comes while the settings are read waits for them as well', async () => {
  const { ours, theirs } = await openBoth()
  const { settings, waiting, hold } = heldBack(ours.settings)
  const { nameOnPage } = await openDesk({ ...ours, settings })
  await elsewhere(theirs.settings.change(named('LATE')))
  hold()
  const pages = Promise.all([nameOnPage(), nameOnPage()])
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.()
  expect(await pages).toEqual(['LATE', 'LATE'])
})

test('what was read later stays, also when the answer before it comes after it', async () => {
  const { ours, theirs } = await openBoth()
  const { settings, waiting, hold } = heldBack(ours.settings)
  const { desk, nameOnPage } = await openDesk({ ...ours, settings })
  hold()
  await elsewhere(theirs.settings.change(named('EARLY')))
  const early = desk.refresh()
  await expect.poll(() => waiting.length).toBe(1)
  await elsewhere(theirs.settings.change(named('LATE')))
  const late = desk.refresh()
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]?.()
  await late
  waiting[0]?.()
  await early
  expect(await nameOnPage()).toBe('LATE')
})

test('settings that cannot be read leave the page as it was, and it is tried again', async () => {
  const { ours, theirs } = await openBoth()
  let isBroken = false
  const get = async () => {
    if (isBroken) throw new Error('no disk')
    return ours.settings.get()
  }
  const { nameOnPage, clock, faults } = await openDesk({ ...ours, settings: { ...ours.settings, get } })
  isBroken = true
  await elsewhere(theirs.settings.change(named('LATE')))
  expect(await nameOnPage()).toBe('Stowage')
  expect(faults).toHaveLength(1)
  isBroken = false
  clock.atMs += 1001
  expect(await nameOnPage()).toBe('LATE')
})
