import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'
import { hookProgram } from '../../../test/kit/hook-program.ts'
import { isRunning } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { treeOf } from '../../../test/kit/start-app.ts'
import { startAppWithHooks } from '../../../test/kit/start-app-with-hooks.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'

/** Waits up to 15 s for a condition, because processes start slowly while many others run. */
const soon = (condition: () => boolean): Promise<void> => eventually(condition, 15_000)

/** File names that a shell, or a program that parses options, would misinterpret. */
const evilNames = [
  '`touch pwned`.txt',
  `$(touch pwned)`,
  `;touch pwned;`,
  `a'"b|touch pwned`,
  `-rf`,
  `--delete`,
  `$USERNAME`,
  `\${TRIGGER} &`,
  `name # no comment`,
  ` two  spaces `,
  `ünïcödé`,
]

/** Creates a program that appends each of its arguments to a log, terminated by NUL. `notes` reads that log. */
function argumentNotes() {
  const folder = temporaryFolder()
  const [program, log] = [path.join(folder, 'note'), path.join(folder, 'log')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" >> '${log}'\n`, { mode: 0o755 })
  const notes = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\0').slice(0, -1) : [])
  return { program, folder, log, notes }
}

test.each<[string, (program: string) => string, readonly string[]]>([
  ['words', (program) => `${program} "$FILE" \${USERNAME}`, []],
  ['words of a script', (program) => `/bin/sh -c '"$0" "$FILE" "$USERNAME"' ${program}`, []],
  [
    'words of a script, behind another program',
    (program) => `env bash --norc -e -c '"$0" "$FILE" "$USERNAME"' ${program}`,
    [],
  ],
  [
    'words that env splits again',
    (program) => `env -S "sh -e -c '$1 \\"$FILE\\" \\"$USERNAME\\"' - ${program}"`,
    [],
  ],
  ['a line of the shell', (program) => `${program} "$FILE" "$USERNAME"`, ['/bin/sh', '-c']],
])('a file name is never run as code, in %s', async (_case, lineOf, shell) => {
  const { program, folder, notes } = argumentNotes()
  const app = await startAppWithHooks({ after_upload: [lineOf(program)] }, { settings: { shell } })
  const before = readdirSync(process.cwd()).toSorted()
  for (const name of evilNames)
    expect((await app.call('resources.create', { path: `/${name}`, body: '' })).status).toBe(200)
  expect(notes()).toEqual(evilNames.flatMap((name) => [`${app.disk}/${name}`, 'ann']))
  expect(readdirSync(folder).toSorted()).toEqual(['log', 'note'])
  expect(readdirSync(process.cwd()).toSorted()).toEqual(before)
})

test('a name with a line break that another program has created is a single argument', async () => {
  const { program, notes } = argumentNotes()
  const name = 'a\ntouch pwned\n'
  const app = await startAppWithHooks({ before_delete: [`${program} $FILE`] }, { files: { [name]: 'x' } })
  expect((await app.call('resources.remove', { path: `/${name}` })).status).toBe(200)
  expect(notes()).toEqual([`${app.disk}/${name}`])
})

const failed = (trigger: string) => `Hook ${trigger} failed: the name is not valid UTF-8: "`

test('an entry with an invalid UTF-8 name runs no hook, and is not changed when a hook before the change is set', async () => {
  const hook = hookProgram()
  const app = await startAppWithHooks({ before_delete: [hook.program] })
  mkdirSync(Buffer.concat([Buffer.from(`${app.disk}/`), Buffer.from([0xe4])]))
  const address = `/api/resources/%E4`
  expect(await app.rawStatus('DELETE', address)).toBe(500)
  expect(hook.runs()).toEqual([])
  expect(app.lines[0]).toContain(failed('before_delete'))
  await app.records.settings.change({ commands: { after_delete: [hook.program] } })
  expect(await app.rawStatus('DELETE', address)).toBe(200)
  expect(app.lines.at(-1)).toContain(failed('after_delete'))
  expect(hook.runs()).toEqual([])
  expect(await treeOf(app.disk)).toEqual({})
})

test('the shell of the settings runs whole lines with pipes, and the values are variables of its environment', async () => {
  const folder = temporaryFolder()
  const line = `tr a-z A-Z < "$FILE" > ${folder}/upper && echo "$TRIGGER|$SCOPE|\${DESTINATION%/*}" >> ${folder}/upper`
  const app = await startAppWithHooks(
    { after_save: [line] },
    { files: { 'a b': '' }, settings: { shell: ['sh', '-c'] } },
  )
  expect((await app.call('resources.save', { path: '/a b', body: 'loud ' })).status).toBe(200)
  expect(readFileSync(path.join(folder, 'upper'), 'utf8')).toBe(
    `LOUD after_save|.|${path.dirname(app.disk)}\n`,
  )
})

test('a line that ends in & delays no request, and is ended when the server stops', async () => {
  const folder = temporaryFolder()
  const script = `echo $$ > ${folder}/new; mv ${folder}/new ${folder}/pid; sleep 25; touch ${folder}/late`
  const second = hookProgram()
  const app = await startAppWithHooks({ before_upload: [`sh -c '${script}' &`, second.program] })
  expect((await app.call('resources.create', { path: '/c', body: 'C' })).status).toBe(200)
  expect(second.runs().length).toBe(1)
  await soon(() => existsSync(path.join(folder, 'pid')))
  const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'))
  expect(isRunning(pid)).toBe(true)
  await app.close()
  expect(isRunning(pid)).toBe(false)
  expect(readdirSync(folder)).toEqual(['pid'])
})

test.each(['before_save', 'after_save'])('a server that stops ends the program of %s', async (trigger) => {
  const hook = hookProgram('echo $$ > "${0%/*}/new"; mv "${0%/*}/new" "${0%/*}/pid"; exec sleep 25')
  const app = await startAppWithHooks({ [trigger]: [hook.program] }, { files: { a: 'A' } })
  const saved = app.call('resources.save', { path: '/a', body: 'new' }).catch(() => null)
  const pidFile = path.join(hook.folder, 'pid')
  await soon(() => existsSync(pidFile))
  const pid = Number(readFileSync(pidFile, 'utf8'))
  expect(isRunning(pid)).toBe(true)
  await app.close()
  await saved
  expect(isRunning(pid)).toBe(false)
})

test('hooks that the command line adds and removes take effect at the next request', async () => {
  const hook = hookProgram()
  const app = await startAppWithHooks({}, { files: { a: 'A' } })
  const { run } = createCliContext()
  const database = ['-d', app.database]
  const save = async () => (await app.call('resources.save', { path: '/a', body: 'new' })).status
  expect((await run('cmds', 'add', 'before_save', hook.program, ...database)).code).toBe(0)
  expect((await run('cmds', 'add', 'before_save', 'false', ...database)).out).toContain(
    'before_save(1): false',
  )
  expect(await save()).toBe(500)
  expect((await run('cmds', 'rm', 'before_save', '1', ...database)).code).toBe(0)
  expect(await save()).toBe(200)
  expect((await run('cmds', 'rm', 'before_save', '0', ...database)).code).toBe(0)
  expect(await save()).toBe(200)
  expect(hook.runs().map(({ trigger }) => trigger)).toEqual(['before_save', 'before_save'])
})
