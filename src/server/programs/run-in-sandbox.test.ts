import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import { startProcess } from '../../../test/kit/start-process.ts'
import { expect, test } from 'vitest'
import { sandbox } from '../../../test/kit/command-socket.ts'
import { isProcessArgument } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { findProgram } from './find-program.ts'
import { hasLimitOfNamespaces } from './limit-process-numbers.ts'
import { runInSandbox, type CommandLocation } from './run-in-sandbox.ts'
import { isVisibleIn } from './bubblewrap-args.ts'
import { createProcessLimiter } from './process-limiter.ts'

const identityOf = (path: string) => {
  const { dev, ino } = statSync(path, { bigint: true })
  return { dev, ino }
}

/**
 * Returns the location of a command. `checked` simulates that the access check found other folders at the same paths:
 * the location then contains the identities of the folders in `checked`.
 */
function locationIn(
  top: string,
  folder: string,
  checked: { top?: string; folder?: string } = {},
): CommandLocation {
  const realPath = path.join(top, folder)
  return {
    scope: { realPath: top, mayWrite: true, hiddenNames: [], folder, ...identityOf(checked.top ?? top) },
    folder: { realPath, ...identityOf(checked.folder ?? realPath) },
  }
}

type SandboxLimits = {
  readonly processes?: number
  readonly memoryBytes?: number
  readonly signal?: AbortSignal
}

async function runAndRead(location: CommandLocation, words: readonly string[], limits: SandboxLimits = {}) {
  if (!sandbox.isUsable) throw new Error(sandbox.reason)
  const { processes = 64, memoryBytes = 1e9, signal = new AbortController().signal } = limits
  const dependencies = {
    start: startProcess,
    bubblewrap: sandbox,
    withLimits: (words: readonly string[]) => words,
    processes,
    memoryBytes,
  }
  let output = ''
  const onOutput = async (bytes: Buffer) => void (output += bytes)
  const ended = await runInSandbox(dependencies, location, { words, timeMs: 20_000, signal, onOutput })
  return { output, ...ended }
}

test.skipIf(!sandbox.isUsable)('a command starts in the folder that was checked', async () => {
  const top = temporaryFolder()
  mkdirSync(path.join(top, 'docs'))
  const ran = await runAndRead(locationIn(top, 'docs'), ['/bin/pwd'])
  expect(ran).toEqual({ output: '/scope/docs\n', ending: { kind: 'exited', status: 0 }, reason: null })
})

test.skipIf(!sandbox.isUsable)(
  'a command does not run when its folder was replaced after the check',
  async () => {
    const [top, other] = [temporaryFolder(), temporaryFolder()]
    for (const name of ['docs', 'other']) mkdirSync(path.join(top, name))
    const swapped = await runAndRead(locationIn(top, 'docs', { top: other }), ['/bin/pwd'])
    expect(swapped).toEqual({
      output: '',
      ending: { kind: 'aborted' },
      reason: 'its folders were replaced after they had been checked',
    })
    const below = await runAndRead(locationIn(top, 'docs', { folder: path.join(top, 'other') }), ['/bin/pwd'])
    expect(below).toMatchObject({ output: '', ending: { kind: 'aborted' } })
    // Inside the sandbox, the link has no target. Outside, it leads to the folder that was checked.
    symlinkSync(other, path.join(top, 'link'))
    const linked = await runAndRead(locationIn(top, 'link'), ['/bin/pwd'])
    expect(linked).toMatchObject({ output: '', ending: { kind: 'exited', status: 1 } })
  },
)

test.skipIf(!sandbox.isUsable)(
  'too many processes, or too much memory in total, end the sandbox',
  async () => {
    const top = temporaryFolder()
    const words = ['/bin/sh', '-c', 'sleep 60 & sleep 60 & sleep 60 & wait']
    const many = await runAndRead(locationIn(top, ''), words, { processes: 3 })
    expect(many).toMatchObject({ ending: { kind: 'aborted' }, reason: 'it has too many processes' })
    const large = await runAndRead(locationIn(top, ''), words, { memoryBytes: 1000 })
    expect(large).toMatchObject({ ending: { kind: 'aborted' }, reason: 'it has too much memory' })
  },
)

test('a program is found by its bare name, in fixed folders', async () => {
  expect(await findProgram('true')).toMatch(/^(\/usr)?\/bin\/true$/)
  for (const name of ['', '.', '..', 'bin/true', '/bin/true', 'no-such-program', 'a\0b'])
    expect(await findProgram(name)).toBe(null)
})

test('limits are set with a prlimit call in front of the program if prlimit is installed', () => {
  const limits = { cpuSeconds: 1, memoryBytes: 2, fileBytes: 3, processes: 4, openFiles: 5 }
  expect(createProcessLimiter(null, limits)(['/bin/ls', '-l'])).toEqual(['/bin/ls', '-l'])
  expect(createProcessLimiter('/usr/bin/prlimit', { ...limits, processes: null })(['/bin/ls'])).toEqual([
    '/usr/bin/prlimit',
    '--cpu=1',
    '--data=2',
    '--fsize=3',
    '--nofile=5',
    '--core=0',
    '--',
    '/bin/ls',
  ])
})

test.each([
  ['/srv/files', true],
  ['/srv/files/a/b', true],
  ['/srv/filesystem', false],
  ['/srv', false],
  ['/usr/lib/x', true],
])('%s is visible in the sandbox: %s', (folder, isVisible) => {
  expect(isVisibleIn(folder, ['/usr', '/srv/files'])).toBe(isVisible)
})

test.skipIf(!sandbox.isUsable)('stopping a sandbox at any moment leaves no process behind', async () => {
  const top = temporaryFolder()
  for (let waits = 0; waits < 40; waits += 1) {
    const stop = new AbortController()
    const running = runAndRead(locationIn(top, ''), ['/bin/sleep', '3600'], { signal: stop.signal })
    for (let n = 0; n < waits; n += 1) await new Promise(setImmediate)
    stop.abort()
    expect((await running).ending).toEqual({ kind: 'aborted' })
  }
  await eventually(() => !isProcessArgument(top))
})

const limitsRoot = sandbox.isUsable && process.getuid?.() === 0 && hasLimitOfNamespaces(release())

test.skipIf(!limitsRoot)(
  'the kernel limits the processes of a sandbox that root runs, and not those of the machine',
  async () => {
    const before = readFileSync('/proc/sys/kernel/pid_max', 'utf8')
    // More processes one after the other than there are numbers.
    const words = [
      '/bin/sh',
      '-c',
      'cat /proc/sys/kernel/pid_max; for n in $(seq 800); do /bin/true; done; echo done',
    ]
    const ran = await runAndRead(locationIn(temporaryFolder(), ''), words, { processes: 10 })
    expect(ran).toEqual({ output: '310\ndone\n', ending: { kind: 'exited', status: 0 }, reason: null })
    expect(readFileSync('/proc/sys/kernel/pid_max', 'utf8')).toBe(before)
  },
)

test.each([
  ['6.14.0-1-amd64', true],
  ['6.18.44', true],
  ['7.0', true],
  ['6.13.9', false],
  ['5.15.0-122-generic', false],
  ['', false],
])('Linux %s has a highest process number for each namespace: %s', (kernelRelease, expected) => {
  expect(hasLimitOfNamespaces(kernelRelease)).toBe(expected)
})
