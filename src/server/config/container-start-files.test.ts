import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRunContainers, createContainer } from '../../../test/kit/container.ts'
import { bundledProgram } from '../../../test/kit/run-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { realEnvironment } from './config-environment.ts'
import { startFilesOf } from './state-paths.ts'

const password = 'a password of mallory'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/**
 * Starts the program in a container that serves a whole share. The folder that is mounted at `place` is below the share, and the
 * state has a volume of its own. The user mallory may do everything with files.
 */
async function serveShare(place: string) {
  const [share, state] = [temporaryFolder(), temporaryFolder()]
  const folder = path.join(share, 'appdata', 'old')
  mkdirSync(folder, { recursive: true })
  mkdirSync(path.join(share, 'docs'))
  for (const made of [share, state, path.dirname(folder), folder, path.join(share, 'docs')]) {
    chmodSync(made, 0o700)
    chownSync(made, 1000, 1000)
  }
  const container = createContainer()
  const mounts = { '/srv': share, [place]: folder, '/.local/state/stowage': state }
  const run = (...args: readonly string[]) =>
    container.start([...bundledProgram(), ...args], { uid: 1000, mounts })
  const finish = async (...args: readonly string[]) => {
    const child = run(...args)
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  }
  await finish('config', 'init')
  const rights = ['create', 'rename', 'modify', 'delete', 'download'].map((name) => `--perm.${name}`)
  await finish('users', 'add', 'mallory', password, '--perm.admin=false', ...rights, '--scope', '/')
  const port = await freePort()
  const server = run('-r', '/srv', '-a', '127.0.0.1', '-p', String(port))
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true)
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'mallory', password }),
  })
  const headers = { 'X-Auth': await login.text() }
  const call = async (method: string, name: string) =>
    (
      await fetch(`${url}/api/resources/${name}`, {
        method,
        headers,
        ...(method === 'POST' && !name.endsWith('/') && { body: 'content' }),
      })
    ).status
  const move = (from: string, to: string) =>
    call('PATCH', `${from}?action=rename&destination=${encodeURIComponent(to)}`)
  return { call, move, folder, share }
}

const databaseNames = (name: string) =>
  ['', '.stowage', '.stowage-wal', '.stowage-shm', '.stowage-journal'].map((suffix) => name + suffix)

describe.runIf(canRunContainers())('in a container that serves a whole share,', () => {
  test.each([
    ['/config', ['settings.json', ...databaseNames('filebrowser.db')]],
    ['/database', databaseNames('filebrowser.db')],
    ['/db', databaseNames('database.db')],
  ])(
    'nobody can put a file into the folder of %s that the next start would read',
    async (place, names) => {
      const { call, move, folder, share } = await serveShare(place)
      expect(await call('POST', 'docs/any.json')).toBe(200)
      for (const name of names) {
        expect([name, await call('POST', `appdata/old/${name}`)]).toEqual([name, 403])
        expect([name, await move('docs/any.json', `/appdata/old/${name}`)]).toEqual([name, 403])
      }
      expect(await call('POST', 'appdata/old/notes.txt')).toBe(200)
      expect(readdirSync(folder)).toEqual(['notes.txt'])
      // Another folder at this path would be mounted by the next start.
      expect([
        await move('appdata/old', '/appdata/away'),
        await move('appdata', '/away'),
        await call('DELETE', 'appdata/old/'),
        await call('DELETE', 'appdata/'),
      ]).toEqual([403, 403, 403, 403])
      expect(readdirSync(share)).toEqual(['appdata', 'docs'])
    },
    120_000,
  )
})

test.runIf(canRunContainers())(
  'a state is used where its user may not enter the folder of an earlier File Browser',
  async () => {
    const [locked, state] = [temporaryFolder(), temporaryFolder()]
    chmodSync(locked, 0o700)
    chownSync(state, 1000, 1000)
    const mounts = { '/database': locked, '/.local/state/stowage': state }
    const run = async (...args: readonly string[]) => {
      const child = createContainer().start([...bundledProgram(), ...args], { uid: 1000, mounts })
      let errors = ''
      child.stderr?.on('data', (text) => (errors += String(text)))
      const code = await new Promise((resolve) => child.once('close', resolve))
      return [code, errors]
    }
    expect(await run('config', 'init')).toEqual([0, ''])
    expect(await run('users', 'ls')).toEqual([0, ''])
  },
  60_000,
)

test('the names of a start are reserved in all folders in which it looks for them', () => {
  const reserved = startFilesOf(realEnvironment({ HOME: '/home/ann', XDG_STATE_HOME: '/state' }, '/started'))
  expect(reserved).toEqual(
    expect.arrayContaining([
      '/started/.stowage.',
      '/home/ann/.filebrowser.',
      '/home/ann/filebrowser.db.stowage',
      '/etc/filebrowser/.filebrowser.',
      '/etc/filebrowser/.stowage.',
      '/config/settings.json',
      '/database.db',
      '/state/stowage/stowage.db',
    ]),
  )
})
