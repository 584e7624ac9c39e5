import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning } from '../../../test/kit/is-running.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'

const kit = new URL('../../../test/kit/start-process.ts', import.meta.url).href
const starterModule = new URL('./process-starter.ts', import.meta.url).href
const guardModule = new URL('./end-with-server.ts', import.meta.url).href

/** Starts a server that runs two programs of which one has ended, prints the id of the other one and goes on. */
function startServer(starter: string) {
  const script = `
import { startProcess } from ${JSON.stringify(kit)}
import { startByFork } from ${JSON.stringify(starterModule)}
import { endingWithServer } from ${JSON.stringify(guardModule)}
const start = ${starter}
const request = { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'ignore', 'ignore'] }
start({ ...request, program: 'true', args: [] }).once('exit', () => {
  const child = start({ ...request, program: 'sh', args: ['-c', 'sleep 600 & wait'] })
  console.log(child.pid)
})
setInterval(() => {}, 1000)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  return server
}

test.each([
  ['the C library', 'startProcess'],
  ['Node', 'endingWithServer(startByFork)'],
])('a program that was started by %s ends when its server is killed', async (_how, starter) => {
  const server = startServer(starter)
  const pid = Number(String((await once(server.stdout, 'data'))[0]))
  expect(isRunning(pid)).toBe(true)
  server.kill('SIGKILL')
  await eventually(() => !isRunning(pid))
})
