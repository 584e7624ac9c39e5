import koffi from 'koffi'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/kit/temporary-folder.ts'
import { takeServiceManager } from './service-manager.ts'

const descriptors: number[] = []
afterEach(() => {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
})

/** Opens a socket that receives datagrams, as a service manager does. Returns a function that reads the next one. */
function receiveAt(path: string): () => string {
  const library = koffi.load(null)
  const openSocket = library.func('socket', 'int', ['int', 'int', 'int'])
  const bind = library.func('bind', 'int', ['int', 'void *', 'uint'])
  const receive = library.func('recv', 'long', ['int', 'void *', 'size_t', 'int'])
  const descriptor = openSocket(1, 2, 0)
  descriptors.push(descriptor)
  const address = Buffer.from(`\x01\0${path.replace(/^@/, '\0')}`)
  expect(bind(descriptor, address, address.length)).toBe(0)
  const doNotWait = 0x40
  const bytes = Buffer.alloc(4096)
  return () =>
    bytes.toString('utf8', 0, Math.max(0, Number(receive(descriptor, bytes, bytes.length, doNotWait))))
}

test.runIf(process.platform === 'linux').each([
  ['a path', () => join(temporaryFolder(), 'notify')],
  ['an abstract name', () => `@stowage-test-${process.pid}`],
])('a service manager at %s learns when the server is ready and when it stops', async (_kind, pathOf) => {
  const path = pathOf()
  const next = receiveAt(path)
  const env = { NOTIFY_SOCKET: path, PATH: '/bin' }
  const failures: string[] = []
  const manager = takeServiceManager(env, (line) => failures.push(line))
  expect(env).toEqual({ PATH: '/bin' })
  await manager.reportReady('Listening on http://127.0.0.1:8080')
  expect(next()).toBe('READY=1\nSTATUS=Listening on http://127.0.0.1:8080')
  await manager.reportStopping()
  expect([next(), failures]).toEqual(['STOPPING=1', []])
})

test('a message that does not arrive is reported', async () => {
  const failures: string[] = []
  const env = { NOTIFY_SOCKET: join(temporaryFolder(), 'nobody') }
  await takeServiceManager(env, (line) => failures.push(line)).reportReady('')
  expect(failures).toHaveLength(1)
})

test('without a service manager, nothing is sent and nothing is reported', async () => {
  const failures: string[] = []
  const manager = takeServiceManager({}, (line) => failures.push(line))
  await manager.reportReady('')
  await manager.reportStopping()
  expect(failures).toEqual([])
})
