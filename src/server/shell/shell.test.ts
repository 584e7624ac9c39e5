import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCommand, runCommandLine, sandbox } from '../../../test/kit/command-socket.ts'
import { startApp, treeOf, type TestAppOptions } from '../../../test/kit/start-app.ts'

const enabled = { disableExec: false }
const commands = ['sh', 'ls', 'cat', 'echo', 'pwd', 'env', 'touch', 'printf', 'nosuchcmd']

/** Starts a server that has commands enabled and a user who may run some programs. */
const startShell = (options: TestAppOptions = {}) =>
  startApp({ ...options, config: { ...enabled, ...options.config }, user: { commands, ...options.user } })

/** Returns the output of a refused command. The text is for clients of File Browser, and the reason for that of Stowage. */
const refusedAs = (reason: string) => ({ lines: ['Command not allowed.'], code: 1000, reason })
const notAllowed = refusedAs('not-allowed')
const unlisted = refusedAs(sandbox.isUsable ? 'not-listed' : 'commands-off')

describe('commands that are not run', () => {
  test('any command while commands are disabled', async () => {
    const app = await startApp({ config: { ...enabled, disableExec: true } })
    expect(await runCommandLine(app, app, { line: 'ls' })).toEqual(refusedAs('commands-off'))
    expect(app.lines.filter((line) => line.includes('switched off'))).toHaveLength(1)
  })

  test.skipIf(!sandbox.isUsable).each([
    ['no permission', { user: { commands, perm: { execute: false } } }, 'may not execute', 'may-not-execute'],
    ['no list', { user: { commands: [] } }, "not on the user's list", 'not-listed'],
    ['another program', { user: { commands: ['lscpu', 'l', 'LS'] } }, "not on the user's list", 'not-listed'],
    [
      'patterns',
      { user: { commands: ['.*', 'l.', '^ls$', 'ls|cat', '*', 'l*', '[l]s', ''] } },
      "not on the user's list",
      'not-listed',
    ],
    [
      'a path',
      { user: { commands: ['/usr/bin/ls', '/bin/ls', './ls'] } },
      "not on the user's list",
      'not-listed',
    ],
    [
      'a rule that denies',
      { user: { commands, rules: [{ regex: false, allow: false, path: '/secret', regexp: null }] } },
      'rules deny',
      'restricted',
    ],
  ])('%s', async (_case, options, reason, word) => {
    const app = await startApp({ ...options, config: { ...enabled, ...(options as TestAppOptions).config } })
    expect(await runCommandLine(app, app, { line: 'ls' })).toEqual(refusedAs(word))
    expect(app.lines.filter((line) => line.includes(reason))).toHaveLength(1)
  })

  test.each(['lscpu', '/bin/ls', './ls', "l's'", '"ls"', 'ls;id', 'ls&', '# ls', '.', "'"])(
    'the line %s when only ls is allowed',
    async (line) => {
      const app = await startShell({ user: { commands: ['ls', '/bin/ls'] } })
      expect(await runCommandLine(app, app, { line })).toEqual(unlisted)
    },
  )

  test('the permission is checked before the line is parsed', async () => {
    const app = await startShell({ config: { unsafeExec: true } })
    expect(await runCommandLine(app, app, { line: 'id "' })).toEqual(refusedAs('not-listed'))
    const broken = await runCommandLine(app, app, { line: 'ls "' })
    expect(broken).toMatchObject({
      lines: ['error parsing command: EOF found when expecting closing quote.'],
      reason: 'open-quote',
    })
    const escaped = await runCommandLine(app, app, { line: 'ls \\' })
    expect(escaped).toMatchObject({
      lines: ['error parsing command: EOF found after escape character'],
      reason: 'open-escape',
    })
  })

  test('a program that does not exist', async () => {
    const app = await startShell({ config: { unsafeExec: true } })
    const ran = await runCommandLine(app, app, { line: 'nosuchcmd -x' })
    expect(ran).toEqual({
      lines: ['exec: "nosuchcmd": executable file not found in $PATH'],
      code: 1000,
      reason: 'no-program',
    })
  })
})

describe.skipIf(!sandbox.isUsable)(
  `in a sandbox${sandbox.isUsable ? '' : ` (SKIPPED: ${sandbox.reason})`}`,
  () => {
    test('each line is a message, and the exit code is the reason of the close', async () => {
      const app = await startShell({ files: { docs: { 'a.txt': 'A', 'b.txt': 'B' } } })
      const listed = await runCommandLine(app, app, { path: '/docs', line: 'ls -1' })
      expect(listed).toEqual({ lines: ['a.txt', 'b.txt'], code: 1000, reason: '0' })
      const failed = await runCommandLine(app, app, {
        line: "sh -c 'echo a; echo b >&2; echo; printf c; exit 3'",
      })
      expect(failed).toEqual({ lines: ['a', 'b', '', 'c'], code: 1000, reason: '3' })
    })

    test('the arguments of a command are not expanded', async () => {
      const app = await startShell()
      const { lines } = await runCommandLine(app, app, {
        line: `printf '%s\\n' "a  b" $HOME *.txt 'x;y' # no more`,
      })
      expect(lines).toEqual(['a  b', '$HOME', '*.txt', 'x;y'])
    })

    test('a command runs in the folder of the path, inside of the scope', async () => {
      const files = { people: { bea: { docs: { 'a.txt': 'A' } } } }
      const app = await startShell({ files, users: { bea: { scope: '/people/bea', commands } } })
      const bea = await app.signIn('bea')
      expect((await runCommandLine(app, bea, { path: '/docs', line: 'pwd' })).lines).toEqual(['/scope/docs'])
      expect((await runCommandLine(app, bea, { line: 'ls -a /scope' })).lines).toEqual(['.', '..', 'docs'])
      const made = await runCommandLine(app, bea, { path: '/docs', line: 'touch b.txt' })
      expect(made.reason).toBe('0')
      expect(await treeOf(app.disk)).toMatchObject({
        people: { bea: { docs: { 'a.txt': 'A', 'b.txt': '' } } },
      })
    })

    test('blank messages are skipped, and messages after the first line are ignored', async () => {
      const app = await startShell()
      const { socket, ended } = await openCommand(app, app)
      for (const line of ['', '  \n', 'echo one', 'echo two']) socket.send(line)
      expect((await ended).lines).toEqual(['one'])
    })

    test.each(['/none', '/a.txt', '/out', '/docs/none/deeper'])(
      'a command in %s gets no output',
      async (folder) => {
        const app = await startShell({ files: { 'a.txt': 'A', out: { link: '/' }, docs: {} } })
        expect(await runCommandLine(app, app, { path: folder, line: 'ls' })).toEqual({
          lines: [],
          code: 1000,
          reason: 'no-folder',
        })
      },
    )

    test('a user without one of the rights to change files gets a read-only scope', async () => {
      for (const right of ['create', 'modify', 'delete', 'rename']) {
        const app = await startShell({
          files: { 'a.txt': 'A' },
          user: { commands, perm: { [right]: false } },
        })
        const script = 'echo x > a.txt; touch b.txt; rm -f a.txt; mkdir .stowage/x; echo done'
        const ran = await runCommandLine(app, app, { line: `sh -c '${script}'` })
        expect(ran.lines.at(-1)).toBe('done')
        expect(await treeOf(app.disk)).toMatchObject({ 'a.txt': 'A' })
        expect(Object.keys(await treeOf(app.disk))).not.toContain('b.txt')
      }
    })

    test('the state folder at the top of the volume appears as an empty folder', async () => {
      const app = await startShell({ files: { '.stowage': { trash: { 'a.txt': 'secret' } } } })
      const ran = await runCommandLine(app, app, {
        line: `sh -c 'ls -A .stowage; touch .stowage/x; cat .stowage/trash/a.txt'`,
      })
      expect(ran.lines.join()).not.toMatch(/secret|^trash/)
      expect(await treeOf(app.disk)).toEqual({ '.stowage': { trash: { 'a.txt': 'secret' } } })
    })

    test('no command runs where it could see the state of the server', async () => {
      const app = await startShell()
      const state = path.join(app.disk, 'state')
      await mkdir(state)
      await writeFile(path.join(state, 'log'), '')
      const mixed = await startShell({ config: { log: path.join(app.disk, 'state', 'log'), root: app.disk } })
      expect(await runCommandLine(mixed, mixed, { line: 'ls' })).toEqual(notAllowed)
      expect(mixed.lines.join()).toContain("the server's own files")
    })

    test('the environment has only four variables', async () => {
      const app = await startShell()
      const { lines } = await runCommandLine(app, app, { line: 'env' })
      const names = lines.map((line) => line.split('=')[0] ?? '')
      expect(new Set(names)).toEqual(new Set(['HOME', 'LANG', 'PATH', 'PWD']))
    })

    test('each command leaves a line in the log', async () => {
      const app = await startShell({ files: { docs: {} } })
      await runCommandLine(app, app, { path: '/docs', line: "echo '/api/login: 403 192.0.2.1'" })
      const [line] = app.lines.filter((logged) => logged.includes('command ran'))
      expect(line).toMatch(
        / command ran user="ann" folder="\/docs" words=\["echo","\/api\/login\\u003a 403 192\.0\.2\.1"\] exit="0" ms=\d+$/,
      )
    })

    test('the page configuration contains whether commands are enabled', async () => {
      const app = await startShell({ client: true })
      expect(await (await app.fetch('/')).text()).toContain('"EnableExec":true')
      const off = await startApp({ client: true })
      expect(await (await off.fetch('/')).text()).toContain('"EnableExec":false')
    })
  },
)
