import { expect, onTestFinished, test } from 'vitest'
import { bareCallerFactory } from '../../../test/kit/bare-caller-factory.ts'
import { adminPermissions, testRecords, userFields } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { ChangeCause } from '../changes/change.ts'
import { removeEntry } from '../files/remove-entry.ts'
import type { SessionRecord } from '../records/session-store.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { streamOfBytes } from '../storage/stream-of-bytes.ts'
import { composeAudit } from './audit.ts'

const testPath = (text: string): Path => pathOf(text)!

/** Creates an actor whose changes no request asks for, and the audit log of these changes. */
async function actorWithout(requests: ChangeCause) {
  const folder = temporaryFolder()
  await makeTree(folder, { home: { 'a.txt': 'A', 'b.txt': 'B', docs: {} } })
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  const records = await testRecords()
  const faults: unknown[] = []
  const onFault = (error: unknown): void => void faults.push(error)
  const audit = composeAudit({ records, runtime: { nowMs: Date.now }, onFault })
  onTestFinished(async () => {
    await audit.stop()
    await volume.close()
  })
  const perm = { ...adminPermissions, delete: false }
  const user = await records.users.add(userFields({ username: 'ann', scope: '/home', perm }))
  const callerFactory = bareCallerFactory({ volume, record: audit.onOperation })
  const { callerFor } = await callerFactory.admit({ user, session: { id: 's1' } as SessionRecord })
  return {
    actor: callerFor(requests),
    user,
    events: async () => {
      await audit.stop()
      expect(faults).toEqual([])
      const { events } = await records.audit.find({}, { beforeId: null, maxEvents: 100 })
      return events.toReversed()
    },
  }
}

test('what a job does to files is in the audit log, without a route, a session and an address', async () => {
  const { actor, user, events } = await actorWithout({ kind: 'job', name: 'tidy' })
  const { storage } = actor
  const { apply } = storage
  await apply({ kind: 'makeFolder', path: testPath('/new') })
  await apply({ kind: 'copy', path: testPath('/a.txt'), to: testPath('/new/a.txt'), overwrite: 'create' })
  await apply({ kind: 'move', path: testPath('/b.txt'), to: testPath('/new/b.txt'), overwrite: 'create' })
  const part = await storage.narrow({ at: testPath('/new') })
  for (const [name, overwrite] of [
    ['/c.txt', 'create'],
    ['/a.txt', 'replace'],
  ] as const)
    await part.apply({
      kind: 'write',
      path: testPath(name),
      body: streamOfBytes(Buffer.from('C')),
      overwrite,
    })
  const recorded = await events()
  expect(recorded.map(({ action, target, destination }) => [action, target, destination])).toEqual([
    ['create-folder', '/home/new', ''],
    ['copy', '/home/a.txt', '/home/new/a.txt'],
    ['move', '/home/b.txt', '/home/new/b.txt'],
    ['upload', '/home/new/c.txt', ''],
    ['edit', '/home/new/a.txt', ''],
  ])
  for (const event of recorded)
    expect(event).toMatchObject({
      actor: 'user',
      userId: user.id,
      username: 'ann',
      outcome: 'ok',
      session: '',
      address: '',
      details: { job: 'tidy' },
    })
})

test('a change that fails or is refused is recorded when no call made it, and an aborted one is not', async () => {
  const { actor, events } = await actorWithout({ kind: 'command', name: 'tidy' })
  const aborted = AbortSignal.abort()
  const failures = [
    await removeEntry(actor, testPath('/a.txt'), new AbortController().signal).catch(codeOf),
    await actor.storage.apply({ kind: 'makeFolder', path: testPath('/docs') }).catch(codeOf),
    await actor.storage.apply({ kind: 'makeFolder', path: testPath('/x'), signal: aborted }).catch(codeOf),
  ]
  expect(failures).toEqual(['forbidden', 'name-taken', 'aborted'])
  const recorded = await events()
  expect(recorded.map(({ action, target, outcome, details }) => [action, target, outcome, details])).toEqual([
    ['delete', '/home/a.txt', 'forbidden', { command: 'tidy' }],
    ['create-folder', '/home/docs', 'name-taken', { command: 'tidy' }],
  ])
})

test.each(['copy', 'move'] as const)(
  'an aborted %s is recorded, because it may have replaced files before',
  async (kind) => {
    const cause = { kind: 'call', call: 'resources.transfer', origin: null, address: '10.0.0.1' } as const
    const { actor, events } = await actorWithout(cause)
    const aborted = AbortSignal.abort()
    const transfer = {
      path: testPath('/docs'),
      to: testPath('/copy'),
      overwrite: 'upsert',
      signal: aborted,
    } as const
    const { apply } = actor.storage
    const change = kind === 'copy' ? apply({ kind, ...transfer }) : apply({ kind, ...transfer })
    expect(await change.catch(codeOf)).toBe('aborted')
    expect(await events()).toMatchObject([
      { action: kind, target: '/home/docs', destination: '/home/copy', outcome: 'aborted' },
    ])
  },
)

test('the changes of one operation have one event', async () => {
  const { actor, events } = await actorWithout({ kind: 'job', name: 'tidy' })
  const operation = { action: 'extract', path: testPath('/a.txt'), to: testPath('/docs') } as const
  const fill = actor.storage.asOne(operation, async ({ apply }) => {
    for (const name of ['one', 'two']) await apply({ kind: 'makeFolder', path: testPath(`/docs/${name}`) })
    await apply({ kind: 'makeFolder', path: root })
  })
  expect(await fill.catch(codeOf)).toBe('name-taken')
  expect(actor.usesStorage()).toBe(true)
  const recorded = await events()
  expect(
    recorded.map(({ action, target, destination, outcome }) => [action, target, destination, outcome]),
  ).toEqual([['extract', '/home/a.txt', '/home/docs', 'name-taken']])
})
