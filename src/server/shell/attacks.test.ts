import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCommand, runCommandLine, sandbox } from '../../../test/kit/command-socket.ts'
import { isProcessArgument } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { startApp, type TestApp, type TestAppOptions } from '../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { hasLimitOfNamespaces } from '../programs/limit-process-numbers.ts'

const commands = ['bash', 'cat', 'ls', 'yes', 'sleep', 'printf']
const startShell = (options: TestAppOptions = {}) =>
  startApp({
    ...options,
    config: { disableExec: false, ...options.config },
    user: { commands, ...options.user },
  })

let pauseCount = 0
/**
 * Returns a unique number of seconds for the `sleep` command, so that a test can identify the process by its arguments.
 */
const newPause = (): string => `${3000 + (pauseCount += 1)}.${process.pid}`

/** Returns the number of processes of this machine. */
const countProcesses = (): number => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length

/** Starts a `sleep` command in the app's shell, and waits until the test can see the command's process. */
async function startSleep(app: TestApp) {
  const pause = newPause()
  const { socket, ended } = await openCommand(app, app)
  socket.send(`sleep ${pause}`)
  await eventually(() => isProcessArgument(pause))
  return { socket, ended, isRunning: () => isProcessArgument(pause) }
}

describe.skipIf(!sandbox.isUsable)(
  `attacks${sandbox.isUsable ? '' : ` (SKIPPED: ${sandbox.reason})`}`,
  () => {
    test('nothing outside of the scope can be read', async () => {
      const outside = temporaryFolder()
      await writeFile(path.join(outside, 'secret'), 'very secret')
      const app = await startShell({
        files: {
          people: { bea: { out: { link: outside }, up: { link: '../ann' } }, ann: { secret: 'very secret' } },
        },
        users: { bea: { scope: '/people/bea', commands } },
      })
      const bea = await app.signIn('bea')
      const paths = [
        '/etc/shadow',
        '/etc/passwd',
        '../../../etc/shadow',
        `${outside}/secret`,
        'out/secret',
        'up/secret',
        '../ann/secret',
        `${app.disk}/people/ann/secret`,
        `${app.state}/stowage.db`,
        '/proc/1/root/etc/shadow',
        `/proc/${process.pid}/environ`,
        '/root/.ssh/id_ed25519',
      ]
      for (const secret of paths) {
        const { lines, reason } = await runCommandLine(app, bea, { line: `cat ${secret}` })
        expect([secret, reason]).toEqual([secret, '1'])
        expect(lines.join('\n')).toMatch(/No such file or directory|Permission denied/)
      }
      const { lines } = await runCommandLine(app, bea, { line: 'ls / /etc /home /srv /var' })
      expect(lines.filter((line) => /^(home|root|srv|var|run|shadow|passwd|hosts)$/.test(line))).toEqual([])
    })

    test('a command has no network, not even to the server itself', async () => {
      const app = await startShell()
      const { port } = new URL(app.url)
      const { lines } = await runCommandLine(app, app, {
        line: `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected; cat /proc/net/dev | tail -n +3'`,
      })
      expect(lines.join('\n')).not.toContain('connected')
      expect(lines.filter((line) => /^ *\w+:/.test(line)).map((line) => line.trim().split(':')[0])).toEqual([
        'lo',
      ])
    })

    test('a command has no capabilities and cannot get any', async () => {
      const app = await startShell()
      const { lines } = await runCommandLine(app, app, {
        line: `bash -c 'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; unshare -Ur true && echo nested; mount -t tmpfs x /tmp && echo mounted; kill -9 1; echo $(ls /proc | grep -c "^[0-9]*$") processes'`,
      })
      expect(lines.filter((line) => /^(Cap|NoNew)/.test(line)).map((line) => line.split('\t')[1])).toEqual([
        '0000000000000000',
        '0000000000000000',
        '1',
      ])
      expect(lines.join('\n')).not.toMatch(/nested|mounted/)
      expect(Number(/(\d+) processes/.exec(lines.join('\n'))?.[1])).toBeLessThan(10)
    })

    test('a fork bomb is limited, and the server responds while it runs', async () => {
      const app = await startShell()
      const before = countProcesses()
      const { socket, lines, ended } = await openCommand(app, app)
      let isOver = false
      void ended.then(() => (isOver = true))
      // For users other than root, the kernel refuses to start further processes. If the server runs as root, it refuses
      // them at a higher number, and the server ends the sandbox. Before Linux 6.14, processes that double their number
      // can outrun that on a busy machine (docs/decisions, 18), and fill its table of processes.
      const isRoot = process.getuid?.() === 0
      const doubles = !isRoot || hasLimitOfNamespaces(release())
      socket.send(
        `bash -c '${doubles ? 'f() { sleep 60 & f & f & wait; }; f' : 'while :; do sleep 60 & done'}'`,
      )
      let most = before
      await eventually(() => {
        most = Math.max(most, countProcesses())
        return isOver || (!isRoot && lines.some((line) => line.includes('fork')))
      }, 15_000)
      for (let n = 0; n < 5; n += 1) expect((await app.fetch('/health')).status).toBe(200)
      // The machine has 64 or 364 of them, some that are ending, and those of the test.
      expect(most - before).toBeLessThan(doubles ? 500 : Number.POSITIVE_INFINITY)
      socket.close()
      const reason = isRoot ? 'over-limits' : ''
      expect((await ended).reason).toBe(reason)
      // The system needs a while to end thousands of processes, and would delay the next commands.
      await eventually(() => countProcesses() < before + 20, 120_000)
    })

    test('memory is limited, including the temporary folder', async () => {
      const app = await startShell()
      const { lines } = await runCommandLine(app, app, {
        line: `bash -c 'head -c 300000000 /dev/zero > /tmp/big; ls -s --block-size=1000000 /tmp/big; ulimit -d; ulimit -c'`,
      })
      const sizeMb = Number(/(\d+) \/tmp\/big/.exec(lines.join('\n'))?.[1])
      expect(sizeMb).toBeLessThan(100)
      const limits = existsSync('/usr/bin/prlimit') ? ['1048576', '0'] : lines.slice(-2)
      expect(lines.slice(-2)).toEqual(limits)
    })

    test('a client that does not read blocks the program and takes no memory of the server', async () => {
      const app = await startShell()
      const pause = newPause()
      const { socket, lines } = await openCommand(app, app)
      socket.send(`bash -c 'yes ${'y'.repeat(1000)} | cat; sleep ${pause}'`)
      await eventually(() => lines.length > 100)
      socket.pause()
      const before = process.memoryUsage()
      for (let n = 0; n < 50; n += 1) await app.fetch('/health')
      const after = process.memoryUsage()
      expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(
        50_000_000,
      )
      socket.terminate()
      await eventually(() => !isProcessArgument('y'.repeat(1000)))
    })

    test('a line of a gigabyte is split, and its program ends when the client disconnects', async () => {
      const app = await startShell()
      const pause = newPause()
      const { socket, lines } = await openCommand(app, app)
      socket.send(`bash -c 'head -c 1000000000 /dev/zero | tr "\\0" x; sleep ${pause}'`)
      await eventually(() => lines.length >= 3)
      expect(new Set(lines.slice(0, 3))).toEqual(new Set(['x'.repeat(64 * 1024)]))
      socket.terminate()
      await eventually(() => !isProcessArgument('1000000000'))
    })

    test('no process outlives its command, even a process that leaves its session', async () => {
      const app = await startShell()
      const pause = newPause()
      const script = `(setsid bash -c "trap '' TERM HUP; sleep ${pause}" >/dev/null 2>&1 &); sleep 0.1; echo bye`
      const result = await runCommandLine(app, app, { line: `bash -c '${script.replaceAll("'", `'\\''`)}'` })
      expect(result).toMatchObject({ lines: ['bye'], reason: '0' })
      await eventually(() => !isProcessArgument(pause))
    })

    test('control sequences are removed and invalid UTF-8 is replaced', async () => {
      const app = await startShell()
      const line = String.raw`printf '\033[31mred\033[0m \033]0;title\007x\ry\b\r\n\303\050\377 \302\233m\n\033]never\nends'`
      expect((await runCommandLine(app, app, { line })).lines).toEqual([
        'red xy',
        '\ufffd(\ufffd ',
        '',
        'ends',
      ])
    })
  },
)

describe.skipIf(!sandbox.isUsable)(
  `events that end a command${sandbox.isUsable ? '' : ' (SKIPPED: no sandbox)'}`,
  () => {
    test.each([['close'], ['terminate']] as const)('the socket is closed: %s', async (method) => {
      const { socket, isRunning } = await startSleep(await startShell())
      socket[method]()
      await eventually(() => !isRunning())
    })

    test('the session ends', async () => {
      const app = await startShell()
      const { ended, isRunning } = await startSleep(app)
      await app.call('sessions.logout')
      expect((await ended).code).toBe(4401)
      await eventually(() => !isRunning())
    })

    test.each([
      ['the permission', { perm: { execute: false } }],
      ['the entry in the list', { commands: ['slee', 'sleep2'] }],
      ['a right to change files', { perm: { delete: false } }],
      ['the scope', { scope: '/docs' }],
      ['a rule', { rules: [{ regex: false, allow: false, path: '/x', regexp: null }] }],
    ])('%s changes', async (_case, change) => {
      const app = await startShell({ files: { docs: {} } })
      const { ended, isRunning } = await startSleep(app)
      const { perm, ...rest } = change as { perm?: object }
      const user = (await app.records.users.find(app.user.id))!
      await app.records.users.update(user.id, { ...rest, perm: { ...user.perm, ...perm } })
      expect(await ended).toEqual({ lines: [], code: 1000, reason: 'ended' })
      await eventually(() => !isRunning())
    })

    test('the user is disabled, which also ends the session', async () => {
      const app = await startShell()
      const { ended, isRunning } = await startSleep(app)
      await app.records.users.update(app.user.id, { isDisabled: true })
      expect([1000, 4401]).toContain((await ended).code)
      await eventually(() => !isRunning())
    })

    test('the user is deleted', async () => {
      const app = await startShell()
      const { ended, isRunning } = await startSleep(app)
      await app.records.users.remove(app.user.id)
      await ended
      await eventually(() => !isRunning())
    })

    test('the server stops', async () => {
      const app = await startShell()
      const { isRunning } = await startSleep(app)
      await app.close()
      expect(isRunning()).toBe(false)
    })
  },
)

test.skipIf(!sandbox.isUsable)('a user runs one command at a time, and a second one waits', async () => {
  const app = await startShell()
  const first = await openCommand(app, app)
  first.socket.send(`bash -c 'echo on; until [ -e stop ]; do sleep 0.05; done; touch done'`)
  await eventually(() => first.lines.includes('on'))
  const second = await openCommand(app, app)
  second.socket.send('ls')
  // The response to a ping shows that the server has read the message that was sent before the ping.
  second.socket.ping()
  await once(second.socket, 'pong')
  await writeFile(path.join(app.disk, 'stop'), '')
  expect((await second.ended).lines).toEqual(['done', 'stop'])
})
