import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startProcess } from '../../../test/kit/start-process.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { startByFork, type ProcessStarter } from './process-starter.ts'
import { runProgram, type ProgramOptions } from './run-program.ts'

/** Runs a program, and returns what it printed and how it ended. */
async function resultOf(start: ProcessStarter, options: Partial<ProgramOptions>) {
  let output = ''
  const ending = await runProgram(start, {
    program: 'sh',
    args: [],
    env: { PATH: '/usr/bin:/bin', VALUE: 'ä value' },
    timeMs: 20_000,
    leftoverProcesses: 'killed',
    onOutput: (bytes) => void (output += String(bytes)),
    ...options,
  })
  return { output, ending: ending.kind === 'not-started' ? [ending.kind, String(ending.cause)] : ending }
}

const shell = (script: string, ...args: readonly string[]) => ({ args: ['-c', script, 'sh', ...args] })

/** Creates a script without a line that names its interpreter. */
function createPlainScript(): string {
  const script = path.join(temporaryFolder(), 'script')
  writeFileSync(script, 'echo plain "$1"; exit 4\n')
  chmodSync(script, 0o755)
  return script
}

test.each<[string, () => Partial<ProgramOptions>]>([
  [
    'arguments, variables and both outputs',
    () => shell('printf "[%s]" "$@" "$VALUE" "$HOME"; echo error >&2', 'ä', '', '-'),
  ],
  ['an exit code', () => shell('exit 7')],
  ['an end by a signal', () => shell('kill -KILL $$')],
  ['an empty input', () => shell('cat; echo end')],
  ['a working directory', () => ({ ...shell('pwd'), cwd: realpathSync('/usr') })],
  [
    'default reactions to signals, none of which is blocked',
    () => shell('grep -E "^Sig(Blk|Ign)" /proc/self/status'),
  ],
  ['a session of its own', () => shell('[ "$(ps -o sid= -p $$)" -eq $$ ] && echo own')],
  ['a script without an interpreter', () => ({ program: createPlainScript(), args: ['argument'] })],
  ['a program that does not exist', () => ({ program: '/nowhere/program' })],
  ['a name that is in no folder', () => ({ program: 'no-such-program' })],
  ['a working directory that does not exist', () => ({ program: '/bin/sh', cwd: '/nowhere' })],
  ['a file that is no program', () => ({ program: '/etc/passwd' })],
])(
  'a program that the C library starts gets the same as one that Node starts: %s',
  async (_name, options) => {
    const given = options()
    const result = await resultOf(startProcess, given)
    expect(result).toEqual(await resultOf(startByFork, given))
    expect(result).not.toEqual({ output: '', ending: { kind: 'exited', status: 0 } })
  },
)

test('a program reads the descriptor that it gets as its input, and gets no other descriptor of the server', async () => {
  const file = path.join(temporaryFolder(), 'input')
  writeFileSync(file, 'the input')
  const results = []
  for (const start of [startProcess, startByFork]) {
    const input = openSync(file, 'r')
    results.push(await resultOf(start, { ...shell('cat; echo; ls /proc/self/fd'), input }))
    closeSync(input)
  }
  expect(results[0]?.output).toMatch(/^the input\n0\n1\n2\n/)
  expect(results[0]).toEqual(results[1])
})

test('texts with NUL and arguments that are too long start nothing', async () => {
  for (const args of [['a\0b'], ['x'.repeat(10_000_000)]]) {
    const { output, ending } = await resultOf(startProcess, { args })
    expect([output, ending]).toEqual(['', ['not-started', expect.stringContaining('spawn sh E')]])
  }
})

test('many programs at the same time all end', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) => resultOf(startProcess, shell(`echo ${index}; exit ${index}`))),
  )
  expect(results).toEqual(
    results.map((_, index) => ({ output: `${index}\n`, ending: { kind: 'exited', status: index } })),
  )
})

const kit = new URL('../../../test/kit/start-process.ts', import.meta.url).href
const starterModule = new URL('./process-starter.ts', import.meta.url).href

test('starting a program does not copy the page tables of a server', () => {
  // After a copy, both processes share all pages, and each page that the server then writes to costs it a page fault.
  const script = `
import { startProcess } from ${JSON.stringify(kit)}
import { startByFork } from ${JSON.stringify(starterModule)}
setInterval(() => {}, 1000)
const memory = Array.from({ length: 40 }, () => Buffer.alloc(8 * 1024 * 1024, 1))
async function faultsAfter(start) {
  const child = start({ program: '/bin/true', args: [], env: {}, stdio: ['ignore', 'ignore', 'ignore'] })
  await new Promise((resolve) => child.once('exit', resolve))
  const before = process.resourceUsage().minorPageFault
  for (const part of memory) part.fill(2)
  return process.resourceUsage().minorPageFault - before
}
console.log(JSON.stringify([await faultsAfter(startByFork), await faultsAfter(startProcess)]))
process.exit()`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const [ofFork = 0, ofSpawn = 0] = JSON.parse(stdout) as number[]
  expect(ofSpawn).toBeLessThan(ofFork / 3)
})
