import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hookProgram, type HookProgram } from '../../../test/kit/hook-program.ts'
import { isRunning } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { treeOf, type TestApp, type TestAppOptions, type SignedInUser } from '../../../test/kit/start-app.ts'
import {
  hookCommands,
  hookTriggers,
  startAppWithHooks,
  type HookCommandLines,
} from '../../../test/kit/start-app-with-hooks.ts'
import type { FileTree } from '../../../test/kit/tree.ts'
import type { SettingsResource } from '../../shared/contract/settings.ts'
import { eventOf } from './hooks.ts'

/** Waits up to 15 s for a condition, because processes start slowly while many others run. */
const waitForProcess = (condition: () => boolean): Promise<void> => eventually(condition, 15_000)

const files = { 'a.txt': 'A', docs: { 'b.txt': 'B' } }
const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

const startWithFiles = (lines: HookCommandLines, options: TestAppOptions = {}): Promise<TestApp> =>
  startAppWithHooks(lines, { files, ...options })

/** Uploads a file with the resumable protocol, in a single part. */
async function uploadInParts(user: SignedInUser, at: string, body: string, query = {}): Promise<Response> {
  const headers = { 'upload-length': String(body.length) }
  const begun = await user.call('tus.begin', { path: at, query, headers })
  if (begun.status !== 201 || body === '') return begun
  return user.call('tus.continue', { path: at, headers: part, body })
}

type ChangeCase = readonly [
  verb: string,
  sendChange: (user: SignedInUser) => Promise<Response>,
  event: string,
  file: string,
  destination: string,
  after: FileTree,
]

const verbs: readonly ChangeCase[] = [
  [
    'an upload',
    (user) => user.call('resources.create', { path: '/new/c.txt', body: 'C' }),
    'upload',
    '/new/c.txt',
    '',
    { ...files, new: { 'c.txt': 'C' } },
  ],
  [
    'an upload over a file',
    (user) => user.call('resources.create', { path: '/a.txt', body: 'new', query: { override: 'true' } }),
    'upload',
    '/a.txt',
    '',
    { ...files, 'a.txt': 'new' },
  ],
  [
    'a new folder',
    (user) => user.call('resources.create', { path: '/new/sub/' }),
    'upload',
    '/new/sub',
    '',
    { ...files, new: { sub: {} } },
  ],
  [
    'a save',
    (user) => user.call('resources.save', { path: '/a.txt', body: 'saved' }),
    'save',
    '/a.txt',
    '',
    { ...files, 'a.txt': 'saved' },
  ],
  [
    'a copy',
    (user) =>
      user.call('resources.transfer', { path: '/docs', query: { action: 'copy', destination: '/new/d' } }),
    'copy',
    '/docs',
    '/new/d',
    { ...files, new: { d: files.docs } },
  ],
  [
    'a copy under a free name',
    (user) =>
      user.call('resources.transfer', {
        path: '/a.txt',
        query: { action: 'copy', destination: '/a.txt', rename: 'true' },
      }),
    'copy',
    '/a.txt',
    '/a(1).txt',
    { ...files, 'a(1).txt': 'A' },
  ],
  [
    'a rename',
    (user) =>
      user.call('resources.transfer', {
        path: '/a.txt',
        query: { action: 'rename', destination: '/docs/c' },
      }),
    'rename',
    '/a.txt',
    '/docs/c',
    { docs: { ...files.docs, c: 'A' } },
  ],
  [
    'a deletion',
    (user) => user.call('resources.remove', { path: '/docs' }),
    'delete',
    '/docs',
    '',
    { 'a.txt': 'A' },
  ],
]

/** Uploads in parts leave staged files until they are complete, so some tests exclude them. */
const inParts: readonly ChangeCase[] = [
  [
    'an upload in parts',
    (user) => uploadInParts(user, '/c.txt', 'parts'),
    'upload',
    '/c.txt',
    '',
    { ...files, 'c.txt': 'parts' },
  ],
  [
    'an upload in parts over a file',
    (user) => uploadInParts(user, '/a.txt', 'parts', { override: 'true' }),
    'upload',
    '/a.txt',
    '',
    { ...files, 'a.txt': 'parts' },
  ],
  [
    'an empty upload in parts',
    (user) => uploadInParts(user, '/c', ''),
    'upload',
    '/c',
    '',
    { ...files, c: '' },
  ],
]

test.each([...verbs, ...inParts])(
  '%s runs its hooks once before and once after the change',
  async (...verb) => {
    const [_verb, sendChange, event, file, destination, after] = verb
    const hook = hookProgram()
    const app = await startWithFiles(hook.program, { user: { scope: './home/../' } })
    const wasThere = (await treeOf(app.disk))[file.slice(1)] !== undefined
    expect((await sendChange(app)).ok).toBe(true)
    const values = {
      file: app.disk + file,
      destination: app.disk + destination,
      scope: './home/../',
      username: 'ann',
    }
    expect(hook.runs()).toEqual([
      { ...values, trigger: `before_${event}`, fileExists: wasThere },
      { ...values, trigger: `after_${event}`, fileExists: !['rename', 'delete'].includes(event) },
    ])
    expect(await treeOf(app.disk)).toEqual(after)
  },
)

test.each(verbs)('%s is refused when the program before it fails, and nothing changes', async (...verb) => {
  const [_verb, sendChange, event] = verb
  const hook = hookProgram()
  const refusing = hookProgram('exit 3')
  const app = await startWithFiles({
    [`before_${event}`]: [hook.program, refusing.program, hook.program],
    [`after_${event}`]: [hook.program],
  })
  const reply = await sendChange(app)
  expect([reply.status, reply.headers.get('x-error')]).toEqual([500, 'refused-by-hook'])
  expect(await treeOf(app.disk)).toEqual(files)
  expect(hook.runs().map(({ trigger }) => trigger)).toEqual([`before_${event}`])
  expect(app.lines.join('\n')).toContain(`Hook before_${event} failed: it ended with 3: `)
})

test.each([...verbs, ...inParts])('%s is kept when a program after it fails', async (...verb) => {
  const [_verb, sendChange, event, _file, _destination, after] = verb
  const hook = hookProgram()
  const app = await startWithFiles({
    [`after_${event}`]: [hookProgram('echo "that is bad"; exit 1').program, hook.program],
  })
  expect((await sendChange(app)).ok).toBe(true)
  expect(await treeOf(app.disk)).toEqual(after)
  expect(hook.runs()).toEqual([])
  expect(app.lines.filter((line) => line.startsWith('Hook '))).toEqual([
    `Hook after_${event} printed: "that is bad"`,
    expect.stringMatching(`^Hook after_${event} failed: it ended with 1: "`),
  ])
})

test('an upload in parts that a hook refuses can be finished later, and the existing file stays until then', async () => {
  const hook = hookProgram()
  const gate = hookProgram()
  const testGateOpen = `test -e ${path.join(gate.folder, 'open')}`
  const app = await startWithFiles({ before_upload: [testGateOpen, hook.program] })
  expect((await uploadInParts(app, '/a.txt', 'parts', { override: 'true' })).status).toBe(500)
  expect(await treeOf(app.disk)).toMatchObject(files)
  const state = await app.call('tus.show', { path: '/a.txt' })
  expect([state.headers.get('upload-offset'), state.headers.get('upload-length')]).toEqual(['5', '5'])
  writeFileSync(path.join(gate.folder, 'open'), '')
  const again = await app.call('tus.continue', { path: '/a.txt', headers: { ...part, 'upload-offset': '5' } })
  expect(again.status).toBe(204)
  expect(await treeOf(app.disk)).toEqual({ ...files, 'a.txt': 'parts' })
  expect(hook.runs().length).toBe(1)
})

const sealed = { regex: false, allow: false, path: '/docs/b.txt', regexp: null }

test.each<readonly [string, TestAppOptions, (user: SignedInUser) => Promise<Response>, number]>([
  [
    'an upload without the right to upload',
    { user: { perm: { create: false } } },
    (user) => user.call('resources.create', { path: '/c', body: 'C' }),
    403,
  ],
  [
    'an upload over a file without `override`',
    {},
    (user) => user.call('resources.create', { path: '/a.txt', body: 'C' }),
    409,
  ],
  ['a new folder over a file', {}, (user) => user.call('resources.create', { path: '/a.txt/' }), 409],
  [
    'an upload below a denied folder that is missing',
    { user: { rules: [{ ...sealed, path: '/new' }] } },
    (user) => user.call('resources.create', { path: '/new/sub/c', body: 'C' }),
    403,
  ],
  [
    'an upload that is larger than allowed',
    { config: { maxUploadSize: 3 } },
    (user) => user.call('resources.create', { path: '/c', body: 'much' }),
    413,
  ],
  [
    'an upload to a name with a control character',
    {},
    (user) => user.call('resources.create', { path: '/a\u0007', body: '' }),
    400,
  ],
  ['a save of a missing file', {}, (user) => user.call('resources.save', { path: '/no', body: '' }), 404],
  [
    'a save with the ETag of another version',
    {},
    (user) => user.call('resources.save', { path: '/a.txt', body: '', headers: { 'if-match': '"x"' } }),
    412,
  ],
  [
    'an unknown transfer action',
    {},
    (user) =>
      user.call('resources.transfer', { path: '/a.txt', query: { action: 'pwn', destination: '/c' } }),
    400,
  ],
  [
    'a move of a folder with a denied entry',
    { user: { rules: [sealed] } },
    (user) =>
      user.call('resources.transfer', { path: '/docs', query: { action: 'rename', destination: '/c' } }),
    403,
  ],
  [
    'a copy of a file onto itself',
    {},
    (user) =>
      user.call('resources.transfer', {
        path: '/a.txt',
        query: { action: 'copy', destination: '/a.txt', override: 'true' },
      }),
    409,
  ],
  [
    'a deletion of a folder with a denied entry',
    { user: { rules: [sealed] } },
    (user) => user.call('resources.remove', { path: '/docs' }),
    403,
  ],
  ['a deletion of the root', {}, (user) => user.call('resources.remove', { path: '/' }), 403],
])('%s is refused and runs no hook', async (_case, options, change, status) => {
  const hook = hookProgram()
  const app = await startWithFiles({}, options)
  await app.records.settings.change({
    commands: { ...hookCommands(hook.program), before_pwn: [hook.program], after_pwn: [hook.program] },
  })
  expect((await change(app)).status).toBe(status)
  expect(hook.runs()).toEqual([])
  expect(await treeOf(app.disk)).toEqual(files)
})

test('creating an existing folder, reading, and moving an entry onto itself run no hook', async () => {
  const hook = hookProgram()
  const app = await startWithFiles(hook.program)
  expect((await app.call('resources.create', { path: '/docs/' })).status).toBe(200)
  expect((await app.call('resources.get', { path: '/docs' })).status).toBe(200)
  expect((await app.call('raw.get', { path: '/a.txt' })).status).toBe(200)
  const onto = { action: 'rename', destination: '/a.txt' }
  expect((await app.call('resources.transfer', { path: '/a.txt', query: onto })).status).toBe(200)
  expect(hook.runs()).toEqual([])
})

test('no hook runs while programs are disabled', async () => {
  const hook = hookProgram('exit 1')
  const app = await startWithFiles(hook.program, { config: { disableExec: true } })
  expect((await app.call('resources.create', { path: '/c', body: 'C' })).status).toBe(200)
  expect((await app.call('resources.remove', { path: '/a.txt' })).status).toBe(200)
  expect(hook.runs()).toEqual([])
})

test('hooks get paths on disk for users with a scope, even for users who may not run programs', async () => {
  const hook = hookProgram()
  const app = await startWithFiles(hook.program, {
    users: { bea: { scope: 'docs', perm: { execute: false } } },
  })
  const bea = await app.signIn('bea')
  expect((await bea.call('resources.save', { path: '/b.txt', body: 'new' })).status).toBe(200)
  expect(hook.runs()[1]).toEqual({
    trigger: 'after_save',
    file: `${app.disk}/docs/b.txt`,
    destination: `${app.disk}/docs`,
    scope: 'docs',
    username: 'bea',
    fileExists: true,
  })
})

test('a file that a hook creates before the change is not overwritten', async () => {
  const hook = hookProgram('echo theirs > "$FILE"')
  const app = await startWithFiles({ before_upload: [hook.program] })
  expect((await app.call('resources.create', { path: '/c', body: 'ours' })).status).toBe(409)
  expect(await treeOf(app.disk)).toEqual({ ...files, c: 'theirs\n' })
})

const createWaitingHook = () => hookProgram('while [ ! -e "${0%/*}/go" ]; do sleep 0.02; done')
const release = ({ folder }: HookProgram) => writeFileSync(path.join(folder, 'go'), '')

test('the server answers other requests while a hook runs', async () => {
  const hook = createWaitingHook()
  const app = await startWithFiles({ before_save: [hook.program] })
  const saved = app.call('resources.save', { path: '/a.txt', body: 'new' })
  await waitForProcess(() => hook.runs().length === 1)
  expect((await app.call('health.get')).status).toBe(200)
  expect(await (await app.call('raw.get', { path: '/a.txt' })).text()).toBe('A')
  release(hook)
  expect((await saved).status).toBe(200)
})

test.each<readonly [string, (app: TestApp) => Promise<unknown>, number]>([
  [
    'a right is taken away',
    ({ records, user }) => records.users.update(user.id, { perm: { ...user.perm, modify: false } }),
    403,
  ],
  [
    'a rule is added',
    ({ records }) =>
      records.settings.change({ rules: [{ regex: false, allow: false, path: '/a.txt', regexp: null }] }),
    403,
  ],
  ['the session ends', (app) => app.call('sessions.logout'), 401],
])('the change is refused when, while a hook runs, %s', async (_case, change, status) => {
  const hook = createWaitingHook()
  const app = await startWithFiles({ before_save: [hook.program] })
  const saved = app.call('resources.save', { path: '/a.txt', body: 'new' })
  await waitForProcess(() => hook.runs().length === 1)
  await change(app)
  release(hook)
  expect((await saved).status).toBe(status)
  expect(await treeOf(app.disk)).toEqual(files)
})

function startUpload({ url, token }: TestApp, sizeBytes: number) {
  const { hostname, port } = new URL(url)
  const headers = { 'x-auth': token, 'content-length': sizeBytes }
  const upload = request({ hostname, port, path: '/api/resources/c', method: 'POST', headers })
  upload.on('error', () => undefined).write(Buffer.alloc(sizeBytes / 2))
  return upload
}

test('a client that disconnects ends the hook before its change, and the change is not made', async () => {
  const hook = hookProgram('echo $$ > "${0%/*}/pid"; exec sleep 25')
  const pidFile = path.join(hook.folder, 'pid')
  const app = await startWithFiles({ before_upload: [hook.program] })
  const upload = startUpload(app, 1000)
  await waitForProcess(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  upload.destroy()
  await waitForProcess(() => !isRunning(pid))
  await waitForProcess(() =>
    app.lines.some((line) => line.startsWith('Hook before_upload failed: it was ended')),
  )
  expect(await treeOf(app.disk)).toEqual(files)
})

test('a client that disconnects with unread bytes is noticed when the hook has ended', async () => {
  const hook = createWaitingHook()
  const app = await startWithFiles({ before_upload: [hook.program], after_upload: [hook.program] })
  const upload = startUpload(app, 16 * 1024 * 1024)
  await waitForProcess(() => hook.runs().length === 1)
  upload.destroy()
  release(hook)
  await waitForProcess(() => app.lines.some((line) => line.includes('/api/resources/c')))
  expect(await treeOf(app.disk)).toEqual(files)
  expect(hook.runs().length).toBe(1)
})

test('a request for the offset of an upload while its hook runs aborts the upload, which can be finished later', async () => {
  const hook = createWaitingHook()
  const app = await startWithFiles({ before_upload: [hook.program] })
  const cut = uploadInParts(app, '/c', 'parts')
  await waitForProcess(() => hook.runs().length === 1)
  const state = await app.call('tus.show', { path: '/c' })
  expect(state.headers.get('upload-offset')).toBe('5')
  expect((await cut).ok).toBe(false)
  release(hook)
  const last = await app.call('tus.continue', { path: '/c', headers: { ...part, 'upload-offset': '5' } })
  expect(last.status).toBe(204)
  expect(await treeOf(app.disk)).toEqual({ ...files, c: 'parts' })
})

test('hooks that are changed while the server runs take effect at the next request', async () => {
  const hook = hookProgram()
  const app = await startWithFiles({}, { user: { perm: { admin: true } } })
  const settings = (await (await app.call('settings.get')).json()) as SettingsResource
  expect(Object.keys(settings.commands).toSorted()).toEqual(hookTriggers.toSorted())
  const commands = {
    ...settings.commands,
    after_save: ['', '  ', hook.program],
    on_full_moon: [hook.program],
  }
  expect((await app.call('settings.update', { json: { ...settings, commands } })).status).toBe(200)
  expect((await app.call('resources.save', { path: '/a.txt', body: 'new' })).status).toBe(200)
  expect(hook.runs().map(({ trigger }) => trigger)).toEqual(['after_save'])
})

test.each([
  ['created', 'upload'],
  ['written', 'upload'],
  ['moved', 'rename'],
  ['copied', 'copy'],
  ['removed', 'delete'],
] as const)('a job whose change is %s causes the event %s', (kind, event) => {
  expect(eventOf({ cause: { kind: 'job', name: 'tidy' }, kind })).toBe(event)
})
