import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { succeeds } from '../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { loadConfig } from './load-config.ts'
import { createOwnFilesReader } from './own-files.ts'
import { realEnvironment } from './config-environment.ts'

/**
 * Creates a folder with a database inside a served folder, and two mount points at which that folder can be mounted
 * again.
 */
function twice() {
  const top = realpathSync(temporaryFolder())
  const [inside, again, alone] = ['served/inside', 'again', 'alone'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [inside, again, alone]) mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(inside, 'some.db'), 'theirs')
  writeFileSync(path.join(alone, 'some.db'), '')
  return { inside, again, alone }
}

function bind(from: string, to: string): boolean {
  if (!succeeds('mount', '--bind', from, to)) return false
  onTestFinished(() => void execFileSync('umount', ['-l', to]))
  return true
}

function foldersOf(database: string): readonly string[] {
  const { config } = loadConfig({ ...realEnvironment({}, path.dirname(database)), argv: ['-d', database] })
  return createOwnFilesReader(config, () => 0)().folders
}

test('a folder or file that is mounted a second time is found under all of its paths', ({ skip }) => {
  const { inside, again, alone } = twice()
  const isBound = bind(inside, again) && bind(path.join(inside, 'some.db'), path.join(alone, 'some.db'))
  if (!isBound) skip('nothing may be mounted here')
  expect(foldersOf(path.join(again, 'some.db'))).toEqual(expect.arrayContaining([again, inside]))
  expect(foldersOf(path.join(alone, 'some.db'))).toEqual(expect.arrayContaining([alone, inside]))
})

test('a key and a configuration that are replaced while the server runs are never served', async () => {
  const root = temporaryFolder()
  for (const name of ['tls', 'live', 'archive']) mkdirSync(path.join(root, name))
  const at = (name: string) => path.join(root, name)
  for (const name of [
    'tls/key.pem',
    'tls/notes.txt',
    'archive/privkey1.pem',
    'archive/cert1.pem',
    'own.yaml',
  ])
    writeFileSync(at(name), '# theirs')
  symlinkSync('../archive/privkey1.pem', at('live/privkey.pem'))
  const replace = (name: string) => {
    writeFileSync(at(`${name}.new`), 'renewed')
    renameSync(at(`${name}.new`), at(name))
  }
  // The clock stands still, so that the server never looks for its files again.
  const serve = (key: string) =>
    startApp({ nowMs: () => 1_800_000_000_000, config: { root, configFile: at('own.yaml'), key: at(key) } })
  const ofFile = await serve('tls/key.pem')
  for (const name of ['tls/key.pem', 'own.yaml']) {
    replace(name)
    expect([name, (await ofFile.fetch(`/api/raw/${name}`)).status]).toEqual([name, 403])
  }
  expect((await ofFile.fetch('/api/raw/tls/notes.txt')).status).toBe(200)
  // Certbot numbers its keys, and puts the number of the newest into a link.
  const ofLink = await serve('live/privkey.pem')
  writeFileSync(at('archive/privkey2.pem'), 'renewed')
  rmSync(at('live/privkey.pem'))
  symlinkSync('../archive/privkey2.pem', at('live/privkey.pem'))
  for (const name of ['archive/privkey1.pem', 'archive/privkey2.pem', 'live/privkey.pem'])
    expect([name, (await ofLink.fetch(`/api/raw/${name}`)).status]).toEqual([name, 403])
  expect((await ofLink.fetch('/api/raw/archive/cert1.pem')).status).toBe(200)
})

test('a served folder that is reached through a link shows names that only begin like a file of the server', async () => {
  const top = temporaryFolder()
  const [real, root] = [path.join(top, 'disk'), path.join(top, 'served')]
  mkdirSync(real)
  symlinkSync(real, root)
  const at = (name: string) => path.join(root, name)
  for (const name of ['site1.pem', 'own2.yaml', 'site plan.txt', 'owners.txt']) writeFileSync(at(name), name)
  const app = await startApp({ config: { root, key: at('site1.pem'), configFile: at('own2.yaml') } })
  const statusOf = async (name: string) => (await app.fetch(`/api/raw/${encodeURIComponent(name)}`)).status
  for (const name of ['site1.pem', 'own2.yaml']) expect([name, await statusOf(name)]).toEqual([name, 403])
  for (const name of ['site plan.txt', 'owners.txt'])
    expect([name, await statusOf(name)]).toEqual([name, 200])
})
