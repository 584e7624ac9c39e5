import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AuditPage } from '../../shared/contract/audit.ts'
import type { HookLine, HookTrial } from '../../shared/contract/settings.ts'
import { hookProgram } from '../../../test/kit/hook-program.ts'
import { startAppWithHooks, type HookCommandLines } from '../../../test/kit/start-app-with-hooks.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { treeOf, type SignedInUser, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'

const files = { 'a.txt': 'A' }
const admin = { perm: { admin: true } }
const start = (lines: HookCommandLines, options: TestAppOptions = {}): Promise<TestApp> =>
  startAppWithHooks(lines, { files, user: admin, users: { bea: {} }, ...options })

const save = (user: SignedInUser) => user.call('resources.save', { path: '/a.txt', body: 'new' })
const tryLine = (user: SignedInUser, event: string, line: string, more = {}) =>
  user.call('hooks.try', { json: { event, line, ...more } })
const trialOf = async (user: SignedInUser, event: string, line: string) =>
  (await (await tryLine(user, event, line)).json()) as HookTrial
const hookEventsOf = async (app: TestApp) =>
  ((await (await app.call('audit.list', { query: { action: 'hook' } })).json()) as AuditPage).events

test('a refusal tells the reason that the program printed, without paths of the server', async () => {
  const hook = hookProgram('echo checking; echo "Nicht erlaubt, später: $FILE 😀" >&2; echo more >&2; exit 3')
  const app = await start({ before_save: [hook.program] })
  const reply = await save(app)
  const reason = 'Nicht erlaubt, später: a.txt 😀'
  expect([reply.status, reply.headers.get('x-error'), await reply.text()]).toEqual([
    500,
    'refused-by-hook',
    `500 Internal Server Error (${reason})\n`,
  ])
  expect(decodeURIComponent(reply.headers.get('x-refusal-reason') ?? '')).toBe(reason)
  expect(await treeOf(app.disk)).toEqual(files)
  expect(await hookEventsOf(app)).toEqual([
    expect.objectContaining({
      action: 'hook',
      outcome: 'refused-by-hook',
      actor: 'server',
      target: '/a.txt',
      details: {
        event: 'before_save',
        line: hook.program,
        end: 'exited',
        status: 3,
        printed: `Nicht erlaubt, später: ${app.disk}/a.txt 😀`,
      },
    }),
  ])
})

test('a program that prints nothing, or that does not exist, refuses without a reason', async () => {
  for (const line of ['false', '/no/such/program', 'echo "']) {
    const app = await start({ before_save: [line] })
    const reply = await save(app)
    expect([reply.headers.get('x-error'), reply.headers.get('x-refusal-reason'), await reply.text()]).toEqual(
      ['refused-by-hook', null, '500 Internal Server Error\n'],
    )
  }
})

test('a line that fails after a change is in the audit log, and the change is kept', async () => {
  const app = await start({ after_save: ['sh -c "echo out; echo bad news >&2; exit 4"'] })
  expect((await save(app)).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ 'a.txt': 'new' })
  expect(await hookEventsOf(app)).toEqual([
    expect.objectContaining({
      outcome: 'internal',
      target: '/a.txt',
      details: expect.objectContaining({
        event: 'after_save',
        end: 'exited',
        status: 4,
        printed: 'bad news',
      }),
    }),
  ])
})

test('lines whose program does not exist are named', async () => {
  const folder = temporaryFolder()
  const [program, plain] = [path.join(folder, 'program'), path.join(folder, 'plain')]
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  writeFileSync(plain, '')
  const lines = [
    'sh -c true',
    program,
    plain,
    folder,
    'no-such-program $FILE &',
    'echo "',
    String.raw`echo \ `.trim(),
  ]
  const app = await start({ before_save: lines, on_full_moon: ['howl'] })
  const listed = (await (await app.call('hooks.list')).json()) as readonly HookLine[]
  expect(listed.map(({ event, line, program, fault }) => [event, line, program, fault])).toEqual([
    ['before_save', lines[0], 'sh', null],
    ['before_save', lines[1], program, null],
    ['before_save', lines[2], plain, 'no-program'],
    ['before_save', lines[3], folder, 'no-program'],
    ['before_save', lines[4], 'no-such-program', 'no-program'],
    ['before_save', lines[5], '', 'open-quote'],
    ['before_save', lines[6], '', 'open-escape'],
    ['on_full_moon', 'howl', 'howl', 'no-program'],
  ])
  await app.records.settings.change({ shell: ['sh', '-c'] })
  const inShell = (await (await app.call('hooks.list')).json()) as readonly HookLine[]
  expect(inShell.filter(({ fault }) => fault !== null)).toEqual([])
})

test('a trial runs with the values of a sample file, which is deleted afterwards', async () => {
  const app = await start({})
  const program = `sh -c 'echo "$TRIGGER $USERNAME $SCOPE"; ls "$(dirname "$FILE")"; echo "\${DESTINATION##*/}"; echo no >&2; exit 5'`
  expect(await trialOf(app, 'before_copy', program)).toEqual({
    end: 'exited',
    status: 5,
    output: 'before_copy ann .\nsample.txt\nsample 2.txt\nno\n',
    reason: 'no',
    durationMs: expect.any(Number) as number,
  })
  const listing = `sh -c 'ls "\${FILE%/*}"'`
  expect((await trialOf(app, 'before_upload', listing)).output).toBe('')
  expect((await trialOf(app, 'after_rename', listing)).output).toBe('sample 2.txt\n')
  expect((await trialOf(app, 'after_upload', 'cat $FILE &')).output).toBe('This is a sample file.\n')
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('stowage-trial-'))).toEqual([])
  expect(await treeOf(app.disk)).toEqual(files)
})

test('a trial says how a program failed, and leaves out control sequences', async () => {
  const app = await start({})
  expect(await trialOf(app, 'after_save', '/no/such/program')).toMatchObject({
    end: 'not-started',
    status: null,
  })
  expect(await trialOf(app, 'after_save', 'echo "')).toMatchObject({ end: 'broken' })
  expect(await trialOf(app, 'after_save', "sh -c 'kill -9 $$'")).toMatchObject({ end: 'signalled' })
  expect(await trialOf(app, 'after_save', String.raw`printf '\033[31mred\033[0m'`)).toMatchObject({
    output: 'red',
  })
  expect((await tryLine(app, 'after_save', ' & ')).status).toBe(400)
  expect((await hookEventsOf(app)).map(({ details }) => [details['line'], details['trial']])).toContainEqual([
    '/no/such/program',
    true,
  ])
})

test('only administrators try lines, and only where programs are enabled', async () => {
  const marker = path.join(temporaryFolder(), 'ran')
  const app = await start({ before_save: ['true'] })
  const bea = await app.signIn('bea')
  expect((await tryLine(bea, 'before_save', `touch ${marker}`)).status).toBe(403)
  expect((await bea.call('hooks.list')).status).toBe(403)
  expect((await tryLine(app, 'before_save', `touch ${marker}`, { current_password: 'wrong' })).status).toBe(
    400,
  )
  const disabled = await start({ before_save: ['true'] }, { config: { disableExec: true } })
  expect((await tryLine(disabled, 'before_save', `touch ${marker}`)).status).toBe(501)
  expect(await (await disabled.call('hooks.list')).json()).toEqual([])
  expect(readdirSync(path.dirname(marker))).toEqual([])
})
