import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDatabase } from '../kit/lock-database.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { logInAt } from '../kit/shared-limits.ts'
import { connectWatcher } from '../kit/watching-client.ts'

/** Starts two servers on one state and folder, in which Ada has signed in. */
async function startTwo() {
  const one = await runServer({ people: [ada], files: { docs: { 'a.txt': 'A' } } })
  onTestFinished(() => one.remove())
  const state = path.dirname(one.database)
  const two = await runServer({ state, folder: one.folder, isSetUpElsewhere: true })
  onTestFinished(() => two.remove())
  return { one, two, token: await (await logInAt(one)).text() }
}

async function rename({ url }: RunningServer, token: string, [from, to]: readonly [string, string]) {
  const query = new URLSearchParams({ action: 'rename', destination: to }).toString()
  const headers = { 'x-auth': token, 'x-origin': 'tab-1' }
  const response = await fetch(`${url}/api/resources${from}?${query}`, { method: 'PATCH', headers })
  expect(response.status).toBe(200)
}

const socketsOf = ({ database }: RunningServer) => readdirSync(`${database}.servers`)

test('a client at one server sees a rename at another one while the database is locked', async () => {
  const { one, two, token } = await startTwo()
  const { seen, socket } = await connectWatcher(two, { token }, ['/docs'])
  const unlock = await lockDatabase(one.database)
  await rename(one, token, ['/docs/a.txt', '/docs/b.txt'])
  const moved = { kind: 'moved', path: '/docs/a.txt', to: '/docs/b.txt', origin: 'tab-1' }
  // Without the other server's message, the client would be told of a removal and a creation.
  await expect.poll(() => seen.find(({ kind }) => kind === 'moved'), { timeout: 5000 }).toMatchObject(moved)
  await unlock()
  socket.close()
})

test('a server that was killed is found again after its next start, and its clients read their folders again', async () => {
  const { one, two, token } = await startTwo()
  const { seen, socket } = await connectWatcher(one, { token }, ['/docs'])
  expect(socketsOf(one)).toHaveLength(2)
  await two.stop('SIGKILL')
  await expect.poll(() => seen.map(({ kind }) => kind)).toContain('reload')
  await two.start()
  await expect.poll(() => socketsOf(one)).toHaveLength(2)
  await rename(two, token, ['/docs/a.txt', '/docs/b.txt'])
  const moved = { kind: 'moved', path: '/docs/a.txt', to: '/docs/b.txt' }
  await expect.poll(() => seen.find(({ kind }) => kind === 'moved')).toMatchObject(moved)
  await two.stop()
  await one.stop()
  expect(socketsOf(one)).toEqual([])
  socket.close()
})

test('a server answers after the folder of the sockets was removed and a peer has stopped', async () => {
  const { one, two, token } = await startTwo()
  rmSync(`${one.database}.servers`, { recursive: true })
  await two.stop()
  const headers = { 'x-auth': token }
  // The server looks for the peer again after 50 ms.
  for (let n = 0; n < 20; n += 1) {
    const listing = await fetch(`${one.url}/api/resources/docs/`, { headers })
    expect([listing.status, await listing.text()]).toEqual([200, expect.stringContaining('a.txt')])
  }
  await rename(one, token, ['/docs/a.txt', '/docs/b.txt'])
  expect(await one.stop()).toBe(0)
})
