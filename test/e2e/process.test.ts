import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ann, runServer, type RunningServer, type ServerOptions } from '../kit/run-server.ts'
import { eventually } from './journeys.ts'

const program = path.resolve(import.meta.dirname, '../../bin/stowage.js')
let running: RunningServer[] = []

afterEach(async () => {
  await Promise.all(running.map((server) => server.remove()))
  running = []
})

const start = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const server = await runServer(options)
  running.push(server)
  return server
}

/** Waits until the output of a program matches every pattern. Returns the first capture group of each pattern. */
const untilPrinted = (
  child: ChildProcessWithoutNullStreams,
  ...patterns: readonly RegExp[]
): Promise<string[]> =>
  new Promise((resolve) => {
    let output = ''
    const read = (text: Buffer): void => {
      output += String(text)
      const matches = patterns.map((pattern) => pattern.exec(output))
      if (matches.every((match) => match !== null)) resolve([...matches.map((match) => match[1]!), output])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
const printedAddress = /(http:\/\/[\w.]+:\d+)/

const tokenOf = async (server: RunningServer, { name, password } = ann): Promise<string> => {
  const response = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: name, password }),
  })
  return response.text()
}

test.each([
  ['an unknown flag', ['--no-such-flag']],
  ['a missing folder', ['-r', '/no/such/folder']],
  ['an invalid port', ['-p', 'eighty']],
  ['an invalid proxy address', ['--auth.trustedProxies', 'nonsense']],
  ['an invalid origin', ['--trustedOrigins', 'rubbish']],
  ['an unknown verb', ['frobnicate']],
])('%s is one clear line and exit code 2', async (_case, args) => {
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-state-'))
  const run = spawnSync(process.execPath, [program, ...args, '-d', path.join(state, 'x.db')], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([run.status, run.stderr.trim().split('\n').length, run.stderr.includes('    at ')]).toEqual([
    2,
    1,
    false,
  ])
  await rm(state, { recursive: true })
})

test.runIf(process.getuid?.() === 0)(
  'where few tasks are allowed, the program starts with fewer threads, or says in one line that it cannot',
  async () => {
    const state = await mkdtemp(path.join(tmpdir(), 'stowage-state-'))
    await chmod(state, 0o777)
    const script = 'ulimit -u "$1"; shift; exec "$@"'
    const limited = (most: string, ...args: readonly string[]) =>
      spawn('bash', ['-c', script, 'bash', most, process.execPath, program, ...args], {
        cwd: state,
        uid: 4719,
        gid: 4719,
        env: { PATH: process.env['PATH'], HOME: state },
      })
    const refused = limited('12', 'version')
    let line = ''
    refused.stderr.on('data', (text: Buffer) => (line += String(text)))
    expect(await new Promise((resolve) => refused.once('close', resolve))).toBe(1)
    expect(line).toMatch(/^stowage: only \d more threads and processes are allowed, and 24 are needed: .*\n$/)

    const child = limited('40', '-r', '.', '-d', 's.db', '-p', '0')
    const [url = '', password = ''] = await untilPrinted(child, printedAddress, /password: (\S+)/)
    const body = JSON.stringify({ username: 'admin', password })
    const login = await fetch(`${url}/api/login`, { method: 'POST', body })
    const headers = { 'X-Auth': await login.text() }
    const listed = await fetch(`${url}/api/resources/`, { headers })
    expect([login.status, listed.status]).toEqual([200, 200])
    child.kill()
    await rm(state, { recursive: true })
  },
)

test('the log warns about a server without login', async () => {
  const server = await start({ init: ['--auth.method=noauth'] })
  expect(server.output()).toContain(
    `Warning: there is no authentication: everybody who reaches 127.0.0.1 at port ${server.port} is signed in\n`,
  )
})

test('SIGHUP after a rename of the log opens the log again, and the server goes on', async () => {
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-state-'))
  const log = path.join(state, 'server.log')
  const server = await start({ program: [process.execPath, program], flags: ['--log', log] })
  await rename(log, `${log}.1`)
  process.kill(server.pid(), 'SIGHUP')
  await eventually(() => existsSync(log), true)
  expect((await fetch(`${server.url}/api/raw/a.txt`)).status).toBe(401)
  await eventually(() => readFileSync(log, 'utf8').includes('/api/raw/a.txt'), true)
  expect([await server.stop(), readFileSync(`${log}.1`, 'utf8').includes('/api/raw')]).toEqual([0, false])
  await rm(state, { recursive: true })
})

test('a script for File Browser works when only the name of the program is changed', async () => {
  const server = await start({ files: { 'a.txt': 'A' }, program: [process.execPath, program] })
  const response = await fetch(`${server.url}/api/raw/a.txt`, {
    headers: { 'X-Auth': await tokenOf(server) },
  })
  expect([response.status, await response.text()]).toEqual([200, 'A'])
})

test('the first run prints a password once, and a login with this password succeeds', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-first-'))
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-state-'))
  const child = spawn(process.execPath, [
    program,
    '-d',
    path.join(state, 'x.db'),
    '-r',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    '0',
  ])
  const [password, address] = await untilPrinted(child, /password: (\S+)$/m, printedAddress)
  const response = await fetch(`${address}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password }),
  })
  expect(response.status).toBe(200)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  const again = spawn(process.execPath, [
    program,
    '-d',
    path.join(state, 'x.db'),
    '-r',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    '0',
  ])
  const [, second] = await untilPrinted(again, printedAddress)
  expect(second).not.toContain('password:')
  again.kill('SIGKILL')
  await Promise.all([rm(folder, { recursive: true }), rm(state, { recursive: true })])
})

test('a stop in the middle of an upload leaves no torn file and ends with 0, and after kill -9 the next start removes the staged files', async () => {
  const server = await start({ files: { 'kept.txt': 'old' } })
  const token = await tokenOf(server)
  /** Begins an upload that does not end, and waits until the server has staged its first bytes. */
  const beginUpload = async (address: string): Promise<{ readonly ended: Promise<unknown> }> => {
    const uploading = request(`${server.url}/api/resources/${address}`, {
      method: 'POST',
      headers: { 'X-Auth': token, 'Content-Length': '1000000' },
    })
    const ended = new Promise((resolve) => {
      uploading.on('error', resolve)
      uploading.on('response', resolve)
    })
    uploading.write('half')
    await eventually(async () => (await readdir(server.folder)).length, 2)
    return { ended }
  }
  await beginUpload('new.bin')
  await server.stop('SIGKILL')
  expect((await readdir(server.folder)).includes('new.bin')).toBe(false)
  await server.start()
  await eventually(() => readdir(server.folder), ['kept.txt'])

  const { ended } = await beginUpload('kept.txt?override=true')
  expect(await server.stop('SIGTERM')).toBe(0)
  await ended
  expect(await readdir(server.folder)).toEqual(['kept.txt'])
  await server.start()
  const after = await fetch(`${server.url}/api/raw/kept.txt`, { headers: { 'X-Auth': token } })
  expect(await after.text()).toBe('old')
})

test('a kill -9 of the launcher ends the server', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-launched-'))
  // `npm start` would replace the build that other journeys are using.
  const database = path.join(folder, '..', `${path.basename(folder)}.db`)
  const child = spawn(process.execPath, [program, '-r', folder, '-p', '0', '-d', database])
  const [address] = await untilPrinted(child, printedAddress)
  expect((await fetch(`${address}/health`)).status).toBe(200)
  child.kill('SIGKILL')
  const isGone = () =>
    fetch(`${address}/health`).then(
      () => false,
      () => true,
    )
  let gone = await isGone()
  for (let tries = 0; tries < 100 && !gone; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    gone = await isGone()
  }
  expect(gone).toBe(true)
  await rm(folder, { recursive: true })
})

test("the server's own files are refused wherever they are located", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-own-'))
  await writeFile(path.join(folder, 'mine.txt'), 'mine')
  const args = [program, '-d', path.join(folder, 'state.db')]
  spawnSync(process.execPath, [...args, 'config', 'init'])
  spawnSync(process.execPath, [...args, 'users', 'add', ann.name, ann.password])
  const child = spawn(process.execPath, [...args, '-r', folder, '-a', '127.0.0.1', '-p', '0'])
  const [url] = await untilPrinted(child, printedAddress)
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: ann.name, password: ann.password }),
  })
  const headers = { 'X-Auth': await login.text() }
  const listing = (await (await fetch(`${url}/api/resources/`, { headers })).json()) as {
    items: { name: string }[]
  }
  expect(listing.items.map((item) => item.name)).toEqual(['mine.txt'])
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm']) {
    expect([name, (await fetch(`${url}/api/raw/${name}`, { headers })).status]).toEqual([name, 403])
    const overwrite = await fetch(`${url}/api/resources/${name}?override=true`, {
      method: 'POST',
      headers,
      body: 'x',
    })
    expect([name, overwrite.status]).toEqual([name, 403])
    const removal = await fetch(`${url}/api/resources/${name}`, { method: 'DELETE', headers })
    expect([name, removal.status]).toEqual([name, 403])
  }
  child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})
