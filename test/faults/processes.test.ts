import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning } from '../kit/is-running.ts'
import { ada, runServer, type RunningServer, type ServerOptions } from '../kit/run-server.ts'
import { logInAt } from '../kit/shared-limits.ts'
import { connectWatcher } from '../kit/watching-client.ts'

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await runServer({ people: [ada], flags: ['--processes', '2'], ...options })
  onTestFinished(() => server.remove())
  return server
}

/** Returns the ids of the processes that serve. */
const processesOf = (server: RunningServer): readonly number[] =>
  readFileSync(`/proc/${server.pid()}/task/${server.pid()}/children`, 'utf8').trim().split(' ').map(Number)

const countOf = (text: string, part: string): number => text.split(part).length - 1

const listingStatus = async ({ url }: RunningServer, token: string): Promise<number> =>
  (await fetch(`${url}/api/resources/`, { headers: { 'x-auth': token, connection: 'close' } })).status

test('several processes serve one state on one port, are announced once, and all end with the signal', async () => {
  const server = await start({ files: { docs: { 'a.txt': 'A' } } })
  const pids = processesOf(server)
  expect(pids).toHaveLength(2)
  expect(countOf(server.output(), 'Listening on ')).toBe(1)
  const token = await (await logInAt(server)).text()
  const clients = await Promise.all(
    Array.from({ length: 12 }, () => connectWatcher(server, { token }, ['/docs'])),
  )
  const query = 'action=rename&destination=/docs/b.txt'
  const headers = { 'x-auth': token }
  await fetch(`${server.url}/api/resources/docs/a.txt?${query}`, { method: 'PATCH', headers })
  // The connections of the clients are distributed, and each of them learns of the rename as such.
  for (const { seen, socket } of clients) {
    await expect.poll(() => seen.map(({ kind }) => kind)).toContain('moved')
    socket.close()
  }
  await expect(
    runServer({
      state: path.dirname(server.database),
      folder: server.folder,
      isSetUpElsewhere: true,
      port: server.port,
      flags: ['--processes', '2'],
    }),
  ).rejects.toThrow(`port ${server.port} is in use`)
  expect(await server.stop()).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
})

test('a process that was killed is started again, and the requests of its clients go on', async () => {
  const server = await start({ files: { 'a.txt': 'A' } })
  const token = await (await logInAt(server)).text()
  const [first = 0, second] = processesOf(server)
  process.kill(first, 'SIGKILL')
  await expect
    .poll(() => processesOf(server).filter((pid) => pid !== first && pid !== second))
    .toHaveLength(1)
  expect(server.output()).toContain(`Process ${first} ended with SIGKILL, and is started again in 100 ms`)
  await expect.poll(() => listingStatus(server, token).catch(() => 0)).toBe(200)
  for (let n = 0; n < 20; n += 1) expect(await listingStatus(server, token)).toBe(200)
  expect(countOf(server.output(), 'Listening on ')).toBe(1)
})

test('the metrics of each process have its number, which it keeps when it is started again', async () => {
  const metricsToken = 'a-token-of-16-signs'
  const server = await start({ init: ['--metricsToken', metricsToken] })
  const headers = { authorization: `Bearer ${metricsToken}`, connection: 'close' }
  /** Returns the labels of the processes that answer requests, with the times at which these were started. */
  const startTimes = async () => {
    const times: Record<string, string> = {}
    for (let n = 0; n < 20; n += 1) {
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
      const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const labels = samples.map((line) => /[{,]process="([^"]*)"/.exec(line)?.[1] ?? 'none')
      times[[...new Set(labels)].join()] = /process_start_time_seconds\{\S* (\S+)/.exec(text)?.[1] ?? ''
    }
    return times
  }
  await expect.poll(async () => Object.keys(await startTimes()).toSorted()).toEqual(['1', '2'])
  const before = await startTimes()
  process.kill(processesOf(server)[0]!, 'SIGKILL')
  const changed = async () => {
    const now = await startTimes().catch(() => before)
    return Object.entries(now).filter(([number, time]) => before[number] !== time)
  }
  await expect.poll(changed).toHaveLength(1)
  expect(Object.keys(await startTimes()).toSorted()).toEqual(['1', '2'])
})

test('processes end when their supervisor was killed', async () => {
  const server = await start()
  const pids = processesOf(server)
  await server.stop('SIGKILL')
  await expect.poll(() => pids.filter(isRunning), { timeout: 15_000 }).toEqual([])
})

test('a new state gets one first user, whose password is printed once', async () => {
  const server = await start({ isSetUpElsewhere: true })
  const passwords = [...server.output().matchAll(/generated password: (\S+)/g)].map(
    ([, password]) => password,
  )
  expect(passwords).toHaveLength(1)
  const body = JSON.stringify({ username: 'admin', password: passwords[0], recaptcha: '' })
  for (let n = 0; n < 4; n += 1) {
    const headers = { connection: 'close' }
    expect((await fetch(`${server.url}/api/login`, { method: 'POST', body, headers })).status).toBe(200)
  }
})

test('a start that fails ends with the exit code and the reason of the first process', async () => {
  await expect(
    start({ flags: ['--processes', '2', '--cert', '/missing', '--key', '/missing'] }),
  ).rejects.toThrow(/the server ended with [12]: [\s\S]*missing/)
  await expect(start({ flags: ['--processes', '2', '--socket', '/tmp/x'] })).rejects.toThrow(/ended with 2/)
})
