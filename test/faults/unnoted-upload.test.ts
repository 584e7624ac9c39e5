import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hookProgram } from '../kit/hook-program.ts'
import { eventually } from '../kit/start-http-server.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { treeOf } from '../kit/tree.ts'
import { askAs, type RequestSender } from './requests.ts'

const whole = 'one two'
const part = { 'content-type': 'application/offset+octet-stream' }

const begin = (who: RequestSender) =>
  who.ask('tus.begin', '/a.txt', { headers: { 'upload-length': String(whole.length) } })

const put = (who: RequestSender, from: number, body: string) =>
  who.ask('tus.continue', '/a.txt', { headers: { ...part, 'upload-offset': String(from) }, body })

const stateOf = async (who: RequestSender) => {
  const { said, headers } = await who.tell('tus.show', '/a.txt')
  return [said, headers.get('upload-offset'), headers.get('upload-length')]
}

/**
 * Starts a server with a hook that delays each upload after its file was put in place and before it is recorded as
 * done.
 */
async function stuckServer(): Promise<RunningServer> {
  const hook = hookProgram(`cat "$(dirname "$0")/gate"`)
  const gate = path.join(hook.folder, 'gate')
  execFileSync('mkfifo', [gate])
  const server = await runServer({ people: [ada], flags: ['--disableExec=false'] })
  onTestFinished(async () => {
    closeSync(openSync(gate, constants.O_RDWR | constants.O_NONBLOCK))
    await server.remove()
  })
  await server.cli('cmds', 'add', 'after_upload', hook.program)
  return server
}

/** Kills the server after the last part of an upload was put in place and before the upload was recorded as done. */
async function killed(): Promise<{ readonly server: RunningServer; readonly asker: RequestSender }> {
  const server = await stuckServer()
  const asker = await askAs(server, ada)
  expect([await begin(asker), await put(asker, 0, 'one ')]).toEqual(['201', '204'])
  const last = put(asker, 4, 'two').catch(() => 'cut off')
  await eventually(() => existsSync(path.join(server.folder, 'a.txt')), 30_000)
  await server.stop('SIGKILL')
  expect(await last).toBe('cut off')
  await server.start()
  return { server, asker }
}

test('an upload that was in place when the server was killed, and not noted, is done', async () => {
  const { server, asker } = await killed()
  expect(await stateOf(asker)).toEqual(['200', '7', '7'])
  expect(await put(asker, 7, '')).toBe('204')
  expect(await put(asker, 4, 'two')).toBe('409 wrong-offset')
  expect(await asker.ask('tus.abort', '/a.txt')).toBe('404 not-found')
  expect(await stateOf(asker)).toEqual(['200', '7', '7'])
  expect(await treeOf(server.folder)).toEqual({ 'a.txt': whole })
})

test('what somebody else put in its place meanwhile is not taken for it', async () => {
  const { server, asker } = await killed()
  const file = path.join(server.folder, 'a.txt')
  writeFileSync(file, whole.replace('one', 'two'))
  expect(await stateOf(asker)).toEqual(['404 not-found', null, null])
  expect(await put(asker, 7, '')).toBe('404 not-found')
  expect(readFileSync(file, 'utf8')).toBe('two two')
})
