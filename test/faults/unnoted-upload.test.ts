import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hookProgram } from '../kit/hook-program.ts'
import { eventually } from '../kit/start-http-server.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { treeOf } from '../kit/tree.ts'
import { signInAs, type RequestSender } from './requests.ts'

const whole = 'one two'
const part = { 'content-type': 'application/offset+octet-stream' }

const beginUpload = (sender: RequestSender) =>
  sender.call('tus.begin', '/a.txt', { headers: { 'upload-length': String(whole.length) } })

const sendPart = (sender: RequestSender, from: number, body: string) =>
  sender.call('tus.continue', '/a.txt', { headers: { ...part, 'upload-offset': String(from) }, body })

const stateOf = async (sender: RequestSender) => {
  const { outcome, headers } = await sender.send('tus.show', '/a.txt')
  return [outcome, headers.get('upload-offset'), headers.get('upload-length')]
}

/**
 * Starts a server with a hook that delays each upload after its file was put in place and before it is recorded as
 * done.
 */
async function startStuckServer(): Promise<RunningServer> {
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
async function killDuringUpload(): Promise<{
  readonly server: RunningServer
  readonly sender: RequestSender
}> {
  const server = await startStuckServer()
  const sender = await signInAs(server, ada)
  expect([await beginUpload(sender), await sendPart(sender, 0, 'one ')]).toEqual(['201', '204'])
  const last = sendPart(sender, 4, 'two').catch(() => 'cut off')
  await eventually(() => existsSync(path.join(server.folder, 'a.txt')), 30_000)
  await server.stop('SIGKILL')
  expect(await last).toBe('cut off')
  await server.start()
  return { server, sender }
}

test('an upload that was in place but not recorded when the server was killed counts as done', async () => {
  const { server, sender } = await killDuringUpload()
  expect(await stateOf(sender)).toEqual(['200', '7', '7'])
  expect(await sendPart(sender, 7, '')).toBe('204')
  expect(await sendPart(sender, 4, 'two')).toBe('409 wrong-offset')
  expect(await sender.call('tus.abort', '/a.txt')).toBe('404 not-found')
  expect(await stateOf(sender)).toEqual(['200', '7', '7'])
  expect(await treeOf(server.folder)).toEqual({ 'a.txt': whole })
})

test('a file that another program has put in the place of the upload is not reported as the upload', async () => {
  const { server, sender } = await killDuringUpload()
  const file = path.join(server.folder, 'a.txt')
  writeFileSync(file, whole.replace('one', 'two'))
  expect(await stateOf(sender)).toEqual(['404 not-found', null, null])
  expect(await sendPart(sender, 7, '')).toBe('404 not-found')
  expect(readFileSync(file, 'utf8')).toBe('two two')
})
