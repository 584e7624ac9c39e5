import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { afterExternalChange } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import { openRecords } from '../records/open-records.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SettingsStore } from '../records/settings.ts'
import { createPageSource } from './page-source.ts'
import { templateWithoutClient } from './render-page.ts'

const named = (name: string) => ({ branding: { ...defaultSettings.branding, name } })

/**
 * Opens one database twice: as the records of this server, and as the records of another process that changes the
 * settings.
 */
async function openTwice() {
  const database = path.join(temporaryFolder(), 'stowage.db')
  const open = async (): Promise<ServerRecords> => {
    const records = await openRecords({ database, nowMs: Date.now })
    onTestFinished(() => records.close())
    return records
  }
  return { ours: await open(), theirs: await open() }
}

async function openSource(records: Pick<ServerRecords, 'settings' | 'version'>) {
  const clock = { atMs: 0 }
  const faults: unknown[] = []
  const source = await createPageSource({
    missingFormats: () => [],
    records,
    template: templateWithoutClient,
    basePath: '',
    frameAncestors: [],
    version: 'test',
    server: { enableThumbs: true, resizePreview: true, enableExec: false },
    onFault: (error) => void faults.push(error),
    nowMs: () => clock.atMs,
  })
  const nameOnPage = async () => /<title>(.*?)<\/title>/.exec(String((await source.page()).html))?.[1]
  return { source, clock, faults, nameOnPage }
}

/** Wraps a settings store so that its reads finish when the test allows it. */
function withHeldReads(settings: SettingsStore) {
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

test('the next page contains a change by another process', async () => {
  const { ours, theirs } = await openTwice()
  const { nameOnPage } = await openSource(ours)
  await afterExternalChange(theirs.settings.change(named('EARLY')))
  expect(await nameOnPage()).toBe('EARLY')
  await afterExternalChange(theirs.settings.change(named('LATE')))
  expect(await nameOnPage()).toBe('LATE')
})

test('when the database cannot report its version, a page one second later has the changes', async () => {
  const { ours, theirs } = await openTwice()
  const { nameOnPage, clock } = await openSource({ ...ours, version: null })
  await afterExternalChange(theirs.settings.change(named('LATE')))
  clock.atMs += 1001
  expect(await nameOnPage()).toBe('LATE')
})

test('concurrent requests wait for the same read of the settings', async () => {
  const { ours, theirs } = await openTwice()
  const { settings, waiting, hold } = withHeldReads(ours.settings)
  const { nameOnPage } = await openSource({ ...ours, settings })
  await afterExternalChange(theirs.settings.change(named('LATE')))
  hold()
  const pages = Promise.all([nameOnPage(), nameOnPage()])
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]?.()
  expect(await pages).toEqual(['LATE', 'LATE'])
})

test('a later read of the settings wins, even when an earlier one finishes after it', async () => {
  const { ours, theirs } = await openTwice()
  const { settings, waiting, hold } = withHeldReads(ours.settings)
  const { source, nameOnPage } = await openSource({ ...ours, settings })
  hold()
  await afterExternalChange(theirs.settings.change(named('EARLY')))
  const early = source.refresh()
  await expect.poll(() => waiting.length).toBe(1)
  await afterExternalChange(theirs.settings.change(named('LATE')))
  const late = source.refresh()
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]?.()
  await late
  waiting[0]?.()
  await early
  expect(await nameOnPage()).toBe('LATE')
})

test('when the settings cannot be read, the page stays as it was and the read is retried', async () => {
  const { ours, theirs } = await openTwice()
  let isBroken = false
  const get = async () => {
    if (isBroken) throw new Error('no disk')
    return ours.settings.get()
  }
  const { nameOnPage, clock, faults } = await openSource({ ...ours, settings: { ...ours.settings, get } })
  isBroken = true
  await afterExternalChange(theirs.settings.change(named('LATE')))
  expect(await nameOnPage()).toBe('Stowage')
  expect(faults).toHaveLength(1)
  isBroken = false
  clock.atMs += 1001
  expect(await nameOnPage()).toBe('LATE')
})
