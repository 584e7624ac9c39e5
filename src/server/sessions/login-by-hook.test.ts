import { chmod, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'

/** Starts a server on which the given script accepts or refuses logins. */
async function open(script: string, options: TestAppOptions = {}) {
  const app = await startApp(options)
  const command = path.join(app.state, 'judge.sh')
  await writeFile(command, `#!/bin/sh\n${script}\n`)
  await chmod(command, 0o755)
  await app.records.settings.setSignIn({ recaptcha: null, header: '', command: `${command} first` })
  await app.records.settings.change({ authMethod: 'hook' })
  return app
}

const login = (app: TestApp, username: string, password: string) =>
  app.fetch('/api/login', { method: 'POST', token: null, body: JSON.stringify({ username, password }) })

const status = async (app: TestApp, username: string, password: string) =>
  (await login(app, username, password)).status

/** A script that accepts the right password. Its output ends with CRLF, the line ending of Windows. */
const judge = `if [ "$PASSWORD" = 'open sesame' ]; then printf 'hook.action=auth\\r\\n'; else echo hook.action = block; fi`

test('2.7: the program accepts and refuses logins', async () => {
  const app = await open(judge)
  expect([await status(app, 'ann', 'open sesame'), await status(app, 'ann', 'wrong')]).toEqual([200, 403])
})

test('2.7: the program may leave the decision to the stored password', async () => {
  const app = await open('echo hook.action=pass')
  expect([await status(app, 'ann', app.password), await status(app, 'ann', 'wrong')]).toEqual([200, 403])
  expect(await status(app, 'nobody', 'wrong')).toBe(403)
})

test('a user without the download permission gets no share permission', async () => {
  const said = ['hook.action=auth', 'user.perm.share=true', 'user.perm.download=false']
  const app = await open(`printf '%s\\n' ${said.join(' ')}`)
  expect(await status(app, 'eve', 'a typed password')).toBe(200)
  expect((await app.records.users.findByName('eve'))?.perm).toMatchObject({ share: false, download: false })
})

test('2.7: a new user is created with the fields that the program prints and the password of the login', async () => {
  const said = [
    'hook.action=auth',
    'user.scope= a=b ',
    'user.locale=de',
    'user.viewMode=list',
    'user.sorting.by=size',
    'user.sorting.asc=true',
    'user.commands=git  ls',
    'user.hideDotfiles=true',
    'user.singleClick=yes',
    'user.perm.delete=false',
    'user.colour=red',
  ]
  const app = await open(`printf '%s\\n' ${said.map((line) => `'${line}'`).join(' ')}`)
  expect(await status(app, 'eve', 'a typed password')).toBe(200)
  expect(await app.records.users.findByName('eve')).toMatchObject({
    scope: 'a=b',
    locale: 'de',
    viewMode: 'list',
    sorting: { by: 'size', asc: true },
    commands: ['git', 'ls'],
    hideDotfiles: true,
    singleClick: false,
    lockPassword: true,
    perm: { admin: false, execute: false, delete: false, download: true },
  })
  await app.records.settings.change({ authMethod: 'json' })
  expect(await status(app, 'eve', 'a typed password')).toBe(200)
})

test('2.7: an existing user keeps the fields that the program does not print, rules too', async () => {
  const rules = [{ regex: false, allow: false, path: '/secret', regexp: null }]
  const app = await open('echo hook.action=auth; echo user.perm.admin=true; echo user.locale=fr', {
    user: { rules, scope: 'mine', perm: { create: false } },
  })
  expect(await status(app, 'ann', 'something else')).toBe(200)
  expect(await app.records.users.findByName('ann')).toMatchObject({
    rules,
    scope: 'mine',
    locale: 'fr',
    lockPassword: false,
    perm: { admin: true, create: true, share: true },
  })
})

test('a login whose fields equal the stored ones does not mark the user as changed', async () => {
  const app = await open('echo hook.action=auth; echo user.locale=en')
  await login(app, 'ann', app.password)
  expect((await app.records.users.findByName('ann'))?.changedAtMs).toBe(null)
})

test('credentials are passed in the environment, and are never interpreted as a command', async () => {
  const app = await open(`printf '%s|%s|%s' "$1" "$USERNAME" "$PASSWORD" > "$(dirname "$0")/seen"; ${judge}`)
  await login(app, 'x; touch /tmp/x $(id)', '`id` "quoted"')
  expect(await readFile(path.join(app.state, 'seen'), 'utf8')).toBe(
    'first|x; touch /tmp/x $(id)|`id` "quoted"',
  )
})

test('NUL is refused before the program runs', async () => {
  const app = await open('touch "$(dirname "$0")/ran"; echo hook.action=auth')
  expect(await status(app, 'ann\0', 'x')).toBe(403)
  expect(await status(app, 'ann', 'x\0y')).toBe(403)
  await expect(readFile(path.join(app.state, 'ran'))).rejects.toThrow('ENOENT')
})

test.each<readonly [string, string, number]>([
  ['a repeated key', 'echo hook.action=auth; echo user.locale=de; echo user.locale=fr', 403],
  ['two decisions', 'echo hook.action=block; echo hook.action=auth', 403],
  ['no decision', 'true', 500],
  ['an unknown decision', 'echo hook.action=maybe', 500],
  ['a failing program', 'echo hook.action=auth; exit 3', 500],
  ['too much output', 'echo hook.action=auth; head -c 70000 /dev/zero', 500],
  ['an unknown view mode', 'echo hook.action=auth; echo user.viewMode=wall', 500],
])('%s fails the login', async (_case, script, expected) => {
  const app = await open(script)
  expect(await status(app, 'ann', app.password)).toBe(expected)
})

test('a missing program is an internal error without details', async () => {
  const app = await open('true')
  await app.records.settings.setSignIn({ recaptcha: null, header: '', command: '/nowhere/judge' })
  const reply = await login(app, 'ann', app.password)
  expect([reply.status, await reply.text()]).toEqual([500, '500 Internal Server Error\n'])
  expect(app.lines.join()).not.toContain(app.password)
})

test('too many failures are throttled, without running the program', async () => {
  const app = await open(`echo x >> "$(dirname "$0")/runs"; ${judge}`)
  for (let n = 0; n < 6; n += 1) await login(app, 'ann', 'wrong')
  expect(await status(app, 'ann', 'open sesame')).toBe(429)
  expect(await readFile(path.join(app.state, 'runs'), 'utf8')).toBe('x\n'.repeat(5))
})

test('a name that differs from the name of a user only in case is refused, as by the other login methods', async () => {
  const app = await open(judge)
  const refused = await login(app, 'Ann', 'open sesame')
  expect([refused.status, refused.headers.get('x-error')]).toEqual([403, 'login-failed'])
  expect(app.lines.at(-1)).toContain('a user has nearly this name, and names are compared exactly')
  await app.records.settings.change({ authMethod: 'json' })
  const byPassword = await login(app, 'Ann', app.password)
  expect([byPassword.status, byPassword.headers.get('x-error')]).toEqual([403, 'login-failed'])
  expect(app.lines.at(-1)).toContain('a user has nearly this name, and names are compared exactly')
})

test('a name cannot lead to a folder or a permission that the program did not mean', async () => {
  const app = await open('printf "hook.action=auth\\nuser.scope=/home/$USERNAME\\n"')
  const statuses = []
  for (const name of [
    '../bea',
    'x/../../bea',
    '..',
    'eve\nuser.perm.admin=true',
    'bea ',
    'b\u202eea',
    '\u200bann',
  ])
    statuses.push(await status(app, name, 'a typed password'))
  expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 403])
  expect(await app.records.users.list()).toHaveLength(1)
  expect(await status(app, '张三', 'a typed password')).toBe(200)
  expect((await app.records.users.findByName('张三'))?.scope).toBe('/home/张三')
})

test('a name or a password that is too long is refused before the program runs', async () => {
  const app = await open('echo run >> "$(dirname "$0")/runs"; echo hook.action=auth')
  const runs = async () => (await readFile(path.join(app.state, 'runs'), 'utf8').catch(() => '')).length / 4
  expect(await status(app, 'n'.repeat(256), 'a typed password')).toBe(403)
  expect(await status(app, 'é'.repeat(128), 'a typed password')).toBe(403)
  expect(await status(app, 'eve', 'p'.repeat(1025))).toBe(403)
  expect(await runs()).toBe(0)
  expect(await status(app, 'n'.repeat(255), 'p'.repeat(1024))).toBe(200)
  expect(await runs()).toBe(1)
})

/** Returns a script that accepts the login and prints a list of commands with this many words. */
const printWords = (count: number) =>
  `printf 'hook.action=auth\\nuser.commands='; yes word | head -n ${count} | tr '\\n' ' '`

test('a program cannot set more commands than a session token may contain', async () => {
  const app = await open(printWords(1001))
  expect(await status(app, 'eve', 'a typed password')).toBe(500)
  expect(await app.records.users.findByName('eve')).toBe(null)
  const other = await open(printWords(1000))
  expect(await status(other, 'eve', 'a typed password')).toBe(200)
  expect((await other.records.users.findByName('eve'))?.commands).toHaveLength(1000)
})

test('concurrent first logins of a person succeed and create one user, with a folder of its own', async () => {
  const app = await open(judge, { settings: { createUserDir: true } })
  const logins = [1, 2, 3].map(() => status(app, 'Зоя', 'open sesame'))
  expect(await Promise.all(logins)).toEqual([200, 200, 200])
  expect((await app.records.users.findByName('Зоя'))?.scope).toMatch(/^\/users\/Зоя(-[23])?$/)
  expect(await app.records.users.list()).toHaveLength(2)
})
