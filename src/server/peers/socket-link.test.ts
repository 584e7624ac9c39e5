import { execFile } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { later, type Timer } from '../concurrency/later.ts'
import { peerLimits } from './peer-link.ts'
import { openSocketLink, type SocketLinkOptions } from './socket-link.ts'

let lastName = 0
const nextName = (): string => (lastName += 1).toString(16).padStart(16, '0')

/** Starts a server that collects what its peers send. */
async function startPeer(folder: string, options: Partial<SocketLinkOptions> = {}) {
  const received: unknown[] = []
  const name = nextName()
  let losses = 0
  const listener = {
    onMessage: (message: unknown) => void received.push(message),
    onLoss: () => void (losses += 1),
  }
  const link = await openSocketLink({ folder, name, listener, later, ...options })
  onTestFinished(() => link.close())
  return { ...link, name, received, losses: () => losses, say: (n: number) => link.send(() => ({ n })) }
}

const said = (...numbers: readonly number[]) => numbers.map((n) => ({ n }))

test('each of three servers receives the messages of the others in order, and not its own', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const [one, two] = [await startPeer(folder), await startPeer(folder)]
  const three = await startPeer(folder)
  await expect.poll(() => [one, two, three].map(({ losses }) => losses())).toEqual([0, 1, 2])
  for (let n = 0; n < 100; n += 1) one.say(n)
  await expect.poll(() => two.received).toEqual(said(...Array.from({ length: 100 }, (_, n) => n)))
  expect(three.received).toEqual(two.received)
  three.say(7)
  await expect.poll(() => one.received).toEqual(said(7))
  expect(two.received.at(-1)).toEqual({ n: 7 })
  // Servers that start have changed nothing yet, so nobody has lost anything but what came before a server began to listen.
  expect([one.losses(), two.losses(), three.losses()]).toEqual([0, 1, 2])
})

test('two servers that start at the same moment find each other', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const [one, two] = await Promise.all([startPeer(folder), startPeer(folder)])
  await expect
    .poll(() => {
      one.say(1)
      two.say(2)
      return [one.received.length > 0, two.received.length > 0]
    })
    .toEqual([true, true])
})

test('a server without peers creates no message', async () => {
  const { send } = await startPeer(path.join(temporaryFolder(), 'state.servers'))
  let created = 0
  send(() => ({ n: (created += 1) }))
  expect(created).toBe(0)
})

test('a server that stops sends what waits, leaves nothing behind, and causes no loss', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const one = await startPeer(folder)
  const two = await startPeer(folder)
  for (let n = 0; n < 1000; n += 1) two.say(n)
  await two.close()
  await expect.poll(() => one.received.length).toBe(1000)
  expect([one.losses(), readdirSync(folder)]).toEqual([0, [one.name]])
})

test('a peer that does not read in time is told that it has lost messages', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const limits = { ...peerLimits, waitingCharacters: 1000 }
  const slow = await startPeer(folder)
  const fast = await startPeer(folder, { limits })
  await expect.poll(() => slow.losses()).toBe(0)
  const text = 'x'.repeat(100_000)
  // The peer cannot read while this loop runs.
  for (let n = 0; n < 50; n += 1) fast.send(() => ({ text }))
  await expect.poll(() => slow.losses()).toBeGreaterThan(0)
  expect(slow.received.length).toBeLessThan(50)
  await expect
    .poll(() => {
      fast.say(1)
      return slow.received.at(-1)
    })
    .toEqual({ n: 1 })
})

test('the socket of a killed server is removed', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const one = await startPeer(folder)
  const killed = path.join(folder, nextName())
  // The socket stays when its name is changed before it is closed.
  const server = createServer().listen(`${killed}x`)
  await expect.poll(() => existsSync(`${killed}x`)).toBe(true)
  renameSync(`${killed}x`, killed)
  await new Promise((resolve) => server.close(resolve))
  expect(existsSync(killed)).toBe(true)
  await startPeer(folder)
  await expect.poll(() => existsSync(killed)).toBe(false)
  expect(existsSync(path.join(folder, one.name))).toBe(true)
})

test('a server whose folder of sockets was removed survives the end of a peer', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  const outcomes: unknown[] = []
  // In a server, an error of a callback ends the process.
  const recordingLater: Timer = (ms, run) =>
    later(ms, () => {
      try {
        outcomes.push(run())
      } catch (error) {
        outcomes.push(error)
      }
    })
  const one = await startPeer(folder, { later: recordingLater })
  const two = await startPeer(folder)
  two.say(1)
  await expect.poll(() => one.received).toEqual(said(1))
  rmSync(folder, { recursive: true })
  await two.close()
  await expect.poll(() => outcomes).toEqual([undefined])
  one.say(2)
})

test('a process that waits for a peer which does not respond starts nevertheless', async () => {
  const folder = path.join(temporaryFolder(), 'state.servers')
  await mkdir(folder, { mode: 0o700 })
  // The peer accepts the connection, and sends nothing.
  const silent = createServer(() => {}).listen(path.join(folder, nextName()))
  onTestFinished(() => void silent.close())
  const link = JSON.stringify(new URL('./socket-link.ts', import.meta.url).href)
  const script = `
    const { openSocketLink } = await import(${link})
    const later = (ms, run) => { const timer = setTimeout(run, ms).unref(); return () => clearTimeout(timer) }
    const listener = { onMessage() {}, onLoss() {} }
    const link = await openSocketLink({ folder: ${JSON.stringify(folder)}, name: '${nextName()}', listener, later })
    process.stdout.write('started')
    await link.close()
    process.stdout.write(' and closed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('started and closed')
})

test.skipIf(process.platform !== 'linux')('the folder may have a long path', async () => {
  const folder = path.join(temporaryFolder(), 'a long name of a folder '.repeat(8), 'state.servers')
  const [one, two] = [await startPeer(folder), await startPeer(folder)]
  await expect
    .poll(() => {
      one.say(1)
      return two.received[0]
    })
    .toEqual({ n: 1 })
})
