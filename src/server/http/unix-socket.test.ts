import { renameSync, readFileSync, statSync, symlinkSync, writeFileSync, existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { listenOnUnixSocket } from './unix-socket.ts'

/** Starts to listen. The server responds with its name. */
async function listen(socketPath: string, name: string): Promise<void> {
  const server = createServer((_request, response) => response.end(name))
  onTestFinished(() => void server.close())
  await listenOnUnixSocket(server, { socketPath, socketMode: 0o600 })
}

/** Leaves a socket that nobody listens on, as a server does that was killed. */
async function leaveSocket(socketPath: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${socketPath}.first`, resolve))
  renameSync(`${socketPath}.first`, socketPath)
  await new Promise((resolve) => server.close(resolve))
}

const responderAt = (socketPath: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/' }, (response) => {
      response.setEncoding('utf8').once('data', resolve)
    })
    call.once('error', reject).end()
  })

test('the socket of a killed server is replaced, by one of several servers that start at once', async () => {
  const socket = path.join(temporaryFolder(), 's')
  await leaveSocket(socket)
  expect(existsSync(socket)).toBe(true)
  const starts = await Promise.allSettled(['a', 'b', 'c'].map((name) => listen(socket, name)))
  const outcomes = starts.map((start) =>
    start.status === 'fulfilled' ? 'listens' : String(start.reason.reason),
  )
  const inUse = `another server listens on the socket ${socket}`
  expect(outcomes.toSorted()).toEqual([inUse, inUse, 'listens'])
  expect(await responderAt(socket)).toBe('abc'[outcomes.indexOf('listens')])
})

test('a socket in use and a file that is no socket are left alone, and the message names the path', async () => {
  const folder = temporaryFolder()
  const [used, file, missing] = ['used', 'file', 'no/folder'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  await listen(used, 'first')
  writeFileSync(file, 'content')
  const reasonOf = (socket: string) =>
    listen(socket, 'second').catch((error: unknown) => (error as { reason: string }).reason)
  expect([await reasonOf(used), await reasonOf(file), await reasonOf(missing)]).toEqual([
    `another server listens on the socket ${used}`,
    `the socket cannot be created: ${file} is no socket`,
    expect.stringContaining(`cannot listen on the socket ${missing} (E`),
  ])
  expect([await responderAt(used), readFileSync(file, 'utf8')]).toEqual(['first', 'content'])
})

test('a link in the place of the lock is refused, and nothing is created at its target', async () => {
  const folder = temporaryFolder()
  const [socket, target] = [path.join(folder, 's'), path.join(folder, 'elsewhere')]
  await leaveSocket(socket)
  symlinkSync(target, `${socket}.lock`)
  await expect(listen(socket, 'a')).rejects.toMatchObject({
    code: 'unsupported',
    reason: `${socket}.lock is a symbolic link; remove it, and start again`,
  })
  expect(existsSync(target)).toBe(false)
  writeFileSync(target, 'theirs')
  await expect(listen(socket, 'a')).rejects.toMatchObject({ code: 'unsupported' })
  expect(readFileSync(target, 'utf8')).toBe('theirs')
})

test('a link that takes the place of the socket is refused, and the permissions of its target stay', async () => {
  const folder = temporaryFolder()
  const [socketPath, target] = [path.join(folder, 's'), path.join(folder, 'target')]
  writeFileSync(target, 'private', { mode: 0o600 })
  const server = createServer()
  onTestFinished(() => void server.close())
  server.once('listening', () => {
    renameSync(socketPath, `${socketPath}.moved`)
    symlinkSync(target, socketPath)
  })
  await expect(listenOnUnixSocket(server, { socketPath, socketMode: 0o666 })).rejects.toMatchObject({
    code: 'name-taken',
    reason: `the socket cannot be created: ${socketPath} is no socket`,
  })
  expect(statSync(target).mode & 0o777).toBe(0o600)
})
