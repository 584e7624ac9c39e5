import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { bareCallerFactory } from '../../../test/kit/bare-caller-factory.ts'
import { beginDownload, makeLargeFile } from '../../../test/kit/begin-download.ts'
import { hookProgram } from '../../../test/kit/hook-program.ts'
import { testRecords, userFields } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { startAppWithHooks } from '../../../test/kit/start-app-with-hooks.ts'
import { startApp, treeOf, type TestApp } from '../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import { makeZip } from '../../../test/kit/zip.ts'
import { noPermissions } from '../../shared/domain/access.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SessionRecord } from '../records/session-store.ts'
import type { User, UserFields } from '../records/user-store.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'

const denying = [{ regex: false, allow: false, path: '/docs', regexp: null }]
const perm = { ...noPermissions, create: true, download: true, share: true }

type Fields = Partial<UserFields>

const change = (app: TestApp, fields: Fields) => app.records.users.update(app.user.id, fields)

/** Changes after which a user may no longer add files. */
const losses: readonly (readonly [string, Fields, status: number])[] = [
  ['the permission', { perm: { ...perm, create: false } }, 403],
  ['the account', { isDisabled: true }, 401],
]

/** Begins to send a file of ten bytes, and sends only the first five. */
async function beginUpload(app: TestApp): Promise<ClientRequest> {
  const headers = { 'x-auth': app.token, 'content-length': 10 }
  const outgoing = request(`${app.url}/api/resources/docs/slow.bin`, { method: 'POST', headers })
  onTestFinished(() => void outgoing.destroy())
  outgoing.on('error', () => undefined)
  outgoing.write('12345')
  await expect.poll(() => readdir(path.join(app.disk, 'docs'))).toHaveLength(1)
  return outgoing
}

async function statusOf(outgoing: ClientRequest): Promise<number> {
  const [response] = (await once(outgoing, 'response')) as [{ statusCode: number }]
  return response.statusCode
}

describe('running work of a user ends when the user loses', () => {
  test.each(losses)('%s', async (_case, fields, status) => {
    const zip = makeZip(Array.from({ length: 20_000 }, (_, n) => ({ name: `f${n}`, content: 'x' })))
    const app = await startApp({
      files: { docs: {}, from: { 'big.bin': '' } },
      user: { perm },
      users: { bea: { perm } },
    })
    await writeFile(path.join(app.disk, 'from/many.zip'), zip)
    await makeLargeFile(path.join(app.disk, 'from/big.bin'))
    const upload = await beginUpload(app)
    const extraction = await app.call('archives.extract', {
      path: '/from/many.zip',
      query: { destination: '/docs' },
    })
    await expect.poll(() => existsSync(path.join(app.disk, 'docs/many/f10'))).toBe(true)
    const other = await app.signIn('bea')
    const goesOn = await beginDownload(`${app.url}/api/raw/from/big.bin`, { 'x-auth': other.token })
    const ended = statusOf(upload)
    await change(app, fields)
    expect(await ended).toBe(status)
    expect(await extraction.text().catch(() => '')).not.toContain('isDone')
    await expect.poll(() => treeOf(path.join(app.disk, 'docs'))).toEqual({})
    expect(await goesOn.readRest()).toBe(true)
  })
})

test('a running download ends with the permission to download, and goes on when another right is taken away', async () => {
  const app = await startApp({ files: { docs: {}, from: { 'big.bin': '' } }, user: { perm } })
  await makeLargeFile(path.join(app.disk, 'from/big.bin'))
  const begin = (at: string) => beginDownload(`${app.url}/api/raw/${at}`, { 'x-auth': app.token })
  const [file, folder] = [await begin('from/big.bin'), await begin('from/?algo=tar')]
  const kept = await begin('from/big.bin')
  await change(app, { perm: { ...perm, share: false }, locale: 'de' })
  const upload = await beginUpload(app)
  const ended = statusOf(upload)
  await change(app, { perm: { ...perm, share: false, create: false } })
  // The server has checked the downloads, too, when it aborts the upload.
  expect(await ended).toBe(403)
  expect(await kept.readRest()).toBe(true)
  await change(app, { perm: noPermissions })
  expect([await file.untilAborted(), await folder.untilAborted()]).toEqual([true, true])
})

test('a copy that waits for a program ends when its user may no longer copy', async () => {
  const hook = hookProgram('exec sleep 25')
  const app = await startAppWithHooks(
    { before_copy: [hook.program] },
    { files: { a: { b: 'B' } }, user: { perm } },
  )
  const copying = app.call('resources.transfer', {
    path: '/a',
    query: { action: 'copy', destination: '/c' },
  })
  await expect.poll(() => hook.runs().length).toBe(1)
  await change(app, { perm: { ...perm, create: false } })
  expect((await copying).status).toBe(403)
  expect(await treeOf(app.disk)).toEqual({ a: { b: 'B' } })
})

type Setting = (records: ServerRecords, user: User) => Promise<unknown>
const update =
  (fields: Fields): Setting =>
  (records, user) =>
    records.users.update(user.id, fields)

describe('when the last byte of a file has arrived, the file is', () => {
  test.each<readonly [string, Setting, string | null]>([
    ['refused without the permission', update({ perm: noPermissions }), 'forbidden'],
    ['refused outside the scope', update({ scope: '/other' }), 'forbidden'],
    ['refused by a new rule', update({ rules: denying }), 'forbidden'],
    ['refused by a new rule for all', ({ settings }) => settings.change({ rules: denying }), 'forbidden'],
    ['refused for a disabled user', update({ isDisabled: true }), 'not-signed-in'],
    ['refused with a smaller quota', update({ quotaBytes: 5 }), 'over-quota'],
    ['stored after another change', update({ perm: { ...perm, share: false, rename: true } }), null],
  ])('%s', async (_case, take, expected) => {
    const folder = temporaryFolder()
    await makeTree(folder, { docs: {} })
    const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
    onTestFinished(() => volume.close())
    const records = await testRecords()
    const factory = bareCallerFactory({
      volume,
      globalRules: async () => (await records.settings.get()).rules,
      async userNow({ user }) {
        const now = await records.users.find(user.id)
        return now?.isDisabled === false ? now : null
      },
    })
    const user = await records.users.add(userFields({ username: 'ann', perm }))
    const { callerFor } = await factory.admit({ user, session: {} as SessionRecord })
    const caller = callerFor(causeOf('resources.create'))
    expect(caller.may('create')).toBe(true)
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('all bytes')
      await take(records, user)
    }
    const write = caller.storage.apply({
      kind: 'write',
      path: '/docs/a' as Path,
      body: body(),
      overwrite: 'create',
    })
    expect(await write.then(() => null, codeOf)).toBe(expected)
    expect(await treeOf(folder)).toEqual({ docs: expected === null ? { a: 'all bytes' } : {} })
    const making = caller.storage
      .apply({ kind: 'makeFolder', path: '/docs/sub' as Path })
      .then(() => null, codeOf)
    expect(await making).toBe(expected === 'over-quota' ? null : expected)
  })
})
