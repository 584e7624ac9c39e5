import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { Path } from '../../shared/domain/path.ts'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { createCliContext, nowMs, sessionOf } from '../../../test/kit/cli-context.ts'
import { databaseIn } from '../../../test/kit/database.ts'
import { shareFields, userFields } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { withFlushedWrites } from './file/flushed-writes.ts'
import { openRecords } from './open-records.ts'
import type { RecordStores, ServerRecords } from './port.ts'

/**
 * What a test knows about each store. A new store compiles only with an entry, so that nobody adds a store that is lost
 * by a power cut, missing on PostgreSQL, or missing in a backup or an export.
 */
type StoreSample = {
  /** Stores something. The user with the id 1 and the share `sample` exist. */
  readonly write: (records: ServerRecords) => Promise<unknown>
  /** Returns the text `sample` if it is stored. */
  readonly read: (records: ServerRecords) => Promise<unknown>
  /** False for a store whose rows may be lost in a power cut. */
  readonly isFlushed: boolean
  /** The command whose file contains the store, or the reason for which no export contains it. */
  readonly exported: 'users export' | 'config export' | { readonly notExported: string }
}

const reception = {
  id: 'sample',
  shareHash: 'sample',
  uploadId: '',
  guest: 'sample',
  note: '',
  sizeBytes: 1,
}

const samples: { readonly [Name in keyof RecordStores]: StoreSample } = {
  users: {
    write: ({ users }) => users.add(userFields({ username: 'sample' })),
    read: async ({ users }) => (await users.findByName('sample'))?.username,
    isFlushed: true,
    exported: 'users export',
  },
  shares: {
    write: ({ shares }) => shares.add(shareFields({ hash: 'sample 2' })),
    read: async ({ shares }) => (await shares.find('sample 2'))?.hash.replace(' 2', ''),
    isFlushed: true,
    exported: { notExported: 'File Browser exports no links. A backup contains them.' },
  },
  shareUses: {
    write: ({ shareUses }) => shareUses.count([{ hash: 'sample', visits: 1, downloads: 2 }]),
    read: async ({ shareUses }) => ((await shareUses.of('sample'))?.downloads === 2 ? 'sample' : ''),
    isFlushed: false,
    exported: { notExported: 'The counts belong to links, which are not exported.' },
  },
  receivedFiles: {
    write: ({ receivedFiles }) => receivedFiles.complete(reception, 'sample'),
    read: async ({ receivedFiles }) => (await receivedFiles.list('sample', 1))[0]?.name,
    isFlushed: true,
    exported: { notExported: 'The files belong to links, which are not exported.' },
  },
  sessions: {
    write: ({ sessions }) => sessions.add({ ...sessionOf(1), id: 'sample', cookieDigest: 'sample' }),
    read: async ({ sessions }) => (await sessions.findByCookie('sample'))?.id,
    isFlushed: true,
    exported: { notExported: 'A session is bound to the key of its server.' },
  },
  settings: {
    write: ({ settings }) =>
      settings.changeBy(({ branding }) => ({ branding: { ...branding, name: 'sample' } })),
    read: async ({ settings }) => (await settings.get()).branding.name,
    isFlushed: true,
    exported: 'config export',
  },
  throttles: {
    write: ({ throttles }) =>
      throttles.count([{ key: 'sample', resetAtMs: null, atMs: [nowMs()], windowMs: 1000, maxTimes: 1 }]),
    read: async ({ throttles }) => ((await throttles.timesOf('sample'))[0] === nowMs() ? 'sample' : ''),
    isFlushed: false,
    exported: { notExported: 'Counts of failures hold for minutes.' },
  },
  scopeUsages: {
    write: ({ scopeUsages }) =>
      scopeUsages.beginScan('sample', { key: 'sample', scope: '/sample' as Path, scans: 0 }, []),
    read: async ({ scopeUsages }) => (await scopeUsages.read(['sample']))[0]?.scanner,
    isFlushed: false,
    exported: { notExported: 'Scopes are counted again.' },
  },
  tickets: {
    write: ({ tickets }) =>
      tickets.add({
        digest: 'sample',
        userId: 1,
        sessionId: 'sample',
        targetDigest: 'sample',
        untilMs: nowMs() + 1000,
      }),
    read: async ({ tickets }) => (await tickets.find('sample'))?.sessionId,
    isFlushed: false,
    exported: { notExported: 'A ticket is valid for a minute.' },
  },
  uploads: {
    write: ({ uploads }) =>
      uploads.put({
        userId: 1,
        path: '/sample' as Path,
        token: 'sample',
        sizeBytes: 1,
        overwrite: 'create',
        isDone: false,
        touchedAtMs: nowMs(),
        modifiedMs: null,
      }),
    read: async ({ uploads }) => (await uploads.list())[0]?.token,
    isFlushed: true,
    exported: { notExported: 'The parts of an upload lie on the disk of its server.' },
  },
  audit: {
    write: ({ audit }) => audit.add([sampleEvent({ target: 'sample' })]),
    read: async ({ audit }) => (await audit.find({}, { beforeId: null, maxEvents: 1 })).events[0]?.target,
    isFlushed: false,
    exported: { notExported: 'The page of the audit log exports events.' },
  },
}

const names = Object.keys(samples) as (keyof RecordStores)[]
const valuesOf = async (records: ServerRecords) =>
  Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await samples[name].read(records)] as const)),
  )
const everywhere = Object.fromEntries(names.map((name) => [name, 'sample']))

/** Opens a new database with a row in each store. */
async function filled(): Promise<{ readonly database: string; readonly records: ServerRecords }> {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const records = await openRecords({ database, nowMs })
  await records.users.add(userFields({ username: 'first' }))
  await records.shares.add(shareFields({ hash: 'sample' }))
  for (const name of names) await samples[name].write(records)
  return { database, records }
}

test('each store keeps its rows when the database is opened again', async () => {
  const { database, records } = await filled()
  await records.close()
  const reopened = await openRecords({ database, nowMs })
  expect(await valuesOf(reopened)).toEqual(everywhere)
  await reopened.close()
})

test.skipIf(inject('postgres') !== undefined)('a backup contains the rows of each store', async () => {
  const { records } = await filled()
  const copy = path.join(temporaryFolder(), 'copy.db')
  await records.fileOperations?.copyTo(copy)
  await records.close()
  const restored = await openRecords({ database: copy, nowMs })
  expect(await valuesOf(restored)).toEqual(everywhere)
  await restored.close()
})

test('each store flushes its writes, unless its rows may be lost', async () => {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const opened = await openRecords({ database, nowMs })
  let flushes = 0
  const records = withFlushedWrites(opened, async () => void (flushes += 1))
  await records.users.add(userFields({ username: 'first' }))
  await records.shares.add(shareFields({ hash: 'sample' }))
  for (const name of names) {
    const before = flushes
    await samples[name].write(records)
    expect([name, flushes > before]).toEqual([name, samples[name].isFlushed])
  }
  await opened.close()
})

test.skipIf(inject('postgres') !== undefined)('the exports contain the stores that they should', async () => {
  const world = createCliContext()
  await world.cli('config init')
  for (const name of names) {
    const { exported, write } = samples[name]
    if (typeof exported !== 'string') continue
    await world.withRecords(write)
    await world.cli(exported, 'exported.json')
    expect(readFileSync(path.join(world.cwd, 'exported.json'), 'utf8')).toContain('sample')
  }
})
