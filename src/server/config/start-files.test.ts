import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canRunContainers } from '../../../test/kit/container.ts'
import { bundledProgram } from '../../../test/kit/run-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'

const password = 'a password of mallory'

/** Starts the program in the folder that it serves, with only a create permission for the user mallory. */
async function serveWorkingFolder() {
  const top = temporaryFolder()
  const [folder, home] = [path.join(top, 'served'), path.join(top, 'home')]
  for (const name of [folder, home, path.join(folder, 'docs')]) mkdirSync(name)
  writeFileSync(path.join(folder, '.filebrowser.json'), JSON.stringify({ port: '0' }))
  const [runtime = '', ...program] = bundledProgram()
  const spawnOptions = { cwd: folder, env: { ...process.env, HOME: home, XDG_STATE_HOME: '' } }
  spawnSync(runtime, [...program, 'config', 'init'], spawnOptions)
  const flags = ['--perm.admin=false', '--perm.create', '--perm.rename', '--perm.download', '--scope', '/']
  spawnSync(runtime, [...program, 'users', 'add', 'mallory', password, ...flags], spawnOptions)
  const server = spawn(runtime, program, spawnOptions)
  onTestFinished(() => void server.kill())
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += String(text)))
  await expect.poll(() => /http:\S+/.exec(output)?.[0] ?? '', { timeout: 30_000 }).not.toBe('')
  const url = /http:\S+/.exec(output)?.[0] ?? ''
  const body = JSON.stringify({ username: 'mallory', password })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
  const call = (method: string, name: string) =>
    fetch(`${url}/api/resources/${name}`, {
      method,
      headers: { 'X-Auth': token },
      ...(method === 'POST' && { body: 'content' }),
    })
  return { call, folder }
}

const startFiles = [
  '.stowage.json',
  '.stowage.toml',
  '.filebrowser.yaml',
  '.filebrowser.yml',
  'filebrowser.db.stowage',
  'filebrowser.db.stowage-wal',
]

test('files from which the next start would read its configuration or its state cannot be uploaded', async () => {
  const { call } = await serveWorkingFolder()
  for (const name of startFiles) expect([name, (await call('POST', name)).status]).toEqual([name, 403])
  for (const name of startFiles)
    expect([name, (await call('POST', `docs/${name}`)).status]).toEqual([name, 200])
  const move = `docs/.stowage.json?action=rename&destination=${encodeURIComponent('/.stowage.json')}`
  expect((await call('PATCH', move)).status).toBe(403)
  expect((await call('POST', 'filebrowser.db.txt')).status).toBe(200)
})

test('a configuration file that was found in the served folder is not served', async () => {
  const { call, folder } = await serveWorkingFolder()
  expect((await call('GET', '.filebrowser.json')).status).toBe(403)
  const listing = (await (await call('GET', '')).json()) as { items: { name: string }[] }
  expect(listing.items.map(({ name }) => name)).toEqual(['docs'])
  expect((await call('DELETE', '.filebrowser.json')).status).toBe(403)
  expect(readFileSync(path.join(folder, '.filebrowser.json'), 'utf8')).toContain('port')
})

test.runIf(canRunContainers())('a server starts whose user may not enter the folder of `HOME`', async () => {
  const [folder, home] = [temporaryFolder(), temporaryFolder()]
  chmodSync(folder, 0o777)
  chmodSync(home, 0o700)
  const [runtime = '', ...program] = bundledProgram()
  // `setpriv`, `runuser` and the supervisors of many images change the user and keep `HOME=/root`.
  const server = spawn(runtime, [...program, '-d', 's.db', '-r', '.', '-p', '0'], {
    cwd: folder,
    uid: 1000,
    gid: 1000,
    env: { PATH: process.env['PATH'], HOME: home },
  })
  onTestFinished(() => void server.kill())
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += String(text)))
  await expect
    .poll(() => server.exitCode !== null || output.includes('Listening'), { timeout: 30_000 })
    .toBe(true)
  expect(output).toContain('Listening')
})
