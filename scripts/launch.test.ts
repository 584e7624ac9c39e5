import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** These tests run a launcher and a server as separate processes, as `npm start` and `bin/stowage.js` do. */
const runtimeModule = path.resolve(import.meta.dirname, '../bin/runtime.js')
const pipeModule = path.resolve(import.meta.dirname, '../src/server/parent-pipe.ts')

const server = (log: string) => `
import { appendFileSync } from 'node:fs'
import { onLauncherExit } from ${JSON.stringify(pipeModule)}
const say = (line) => appendFileSync(${JSON.stringify(log)}, line + '\\n')
const end = (why, code) => { say(why); process.exit(code) }
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end(signal, 7))
onLauncherExit(process.env['STOWAGE_PARENT_PIPE'], () => end('launcher gone', 0))
say('started ' + process.argv.slice(2).join(' ') + ' ' + process.env['UV_THREADPOOL_SIZE'])
setInterval(() => {}, 1000)
`
const launcher = (serverFile: string) => `
import { launch } from ${JSON.stringify(runtimeModule)}
const { ended } = launch({ runtime: process.execPath, args: [${JSON.stringify(serverFile)}, 'one', 'two'] })
process.exitCode = await ended
`

const patience = { timeout: 10_000, interval: 20 }
const read = () => readFile(log, 'utf8').catch(() => '')

let folder: string
let log: string
let started: ChildProcess

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stowage-launch-'))
  log = path.join(folder, 'log')
  await writeFile(path.join(folder, 'server.ts'), server(log))
  await writeFile(path.join(folder, 'launcher.js'), launcher(path.join(folder, 'server.ts')))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  started = spawn(process.execPath, [path.join(folder, 'launcher.js')], { stdio: 'ignore' })
  await vi.waitUntil(async () => (await read()).includes('started'), patience)
})
afterEach(async () => {
  started.kill('SIGKILL')
  // The server writes to its log once more when the launcher is gone.
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('the server gets its arguments and a large enough thread pool', async () => {
  expect(await read()).toBe('started one two 64\n')
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s is forwarded to the server, and the launcher returns its exit code',
  async (signal) => {
    const code = new Promise((resolve) => started.once('exit', resolve))
    started.kill(signal)
    expect(await code).toBe(7)
    expect(await read()).toContain(signal)
  },
)

test('the server stops when its launcher is killed', async () => {
  started.kill('SIGKILL')
  await expect.poll(read, patience).toContain('launcher gone')
})
