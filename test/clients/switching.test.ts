import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { samplePasswordHash } from '../kit/exchange-samples.ts'
import {
  fixtureBytes,
  originalInstallation,
  originalVersions,
  type OriginalVersion,
} from '../kit/original-database.ts'
import { temporaryFolder } from '../kit/temporary-folder.ts'

/**
 * These tests run the commands of the page about switching, on databases that File Browser made. The word after `sh`
 * determines how a block is run: `serve` starts a server, and the other words name the folder or moment.
 */
const repository = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(repository, 'docs/switching-from-file-browser.md'), 'utf8')
const blocks = Array.from(page.matchAll(/^```sh ?(.*)\n([^]*?)^```$/gm), ([, kind = '', commands = '']) => ({
  kind,
  commands,
}))
const commandsOf = (kind: string): readonly string[] =>
  blocks.filter((block) => block.kind === kind).map(({ commands }) => commands)

const servers: { stop: () => Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** Prepares the machine of a reader of the page: a home folder with the program, and an old installation. */
async function readerOf(version: OriginalVersion) {
  const { root, state, database } = originalInstallation(version)
  const home = temporaryFolder()
  symlinkSync(repository, path.join(home, 'stowage'))
  mkdirSync(path.join(home, 'bin'))
  writeFileSync(path.join(home, 'bin/sudo'), '#!/bin/sh\nexec "$@"\n')
  chmodSync(path.join(home, 'bin/sudo'), 0o755)
  const port = String(await freePort())
  const env = {
    HOME: home,
    PATH: [path.join(home, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
    // The databases name a port, which another test may use.
    FB_PORT: port,
    // Each command starts the program, whose source Node has compiled before.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  }
  const onThisMachine = (commands: string): string =>
    commands.replaceAll('/var/lib/filebrowser', state).replaceAll('/srv/files', root).replaceAll('8080', port)
  const run = (commands: string, cwd = home) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', onThisMachine(commands)], {
      cwd,
      env,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const serve = async (commands: string) => {
    const child = spawn('sh', ['-c', `exec env ${onThisMachine(commands).trim()}`], { cwd: home, env })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    const stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    servers.push({ stop })
    await expect.poll(() => output).toContain('Listening on')
    return { output, stop }
  }
  return { root, state, database, port, run, serve }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('every command of the page is run here, except those that download a program or run File Browser', () => {
  const known = ['', 'others', 'serve', 'check', 'compose', 'import', 'remove', 'not-tested']
  expect(blocks.filter(({ kind }) => !known.includes(kind))).toEqual([])
  expect(commandsOf('not-tested').flatMap((text) => text.trim().split('\n'))).toEqual([
    expect.stringMatching(/^git clone /),
    'npm --prefix ~/stowage start -- version',
    expect.stringMatching(/^filebrowser config export /),
    expect.stringMatching(/^filebrowser users export /),
  ])
})

test.each(originalVersions)(
  'the database of %s is taken over by the commands of the page',
  async (version) => {
    const { database, state, run, serve } = await readerOf(version)
    const before = readFileSync(database)
    const [dryRun = '', chown = ''] = commandsOf('')
    expect(run(dryRun)).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing was changed') })
    expect(readdirSync(state)).toEqual(['filebrowser.db'])
    expect(run(chown).status).toBe(0)
    const [first = '', withVariables = ''] = commandsOf('serve')
    const started = await serve(first)
    expect(started.output).toContain('Comes over:')
    await started.stop()
    const again = await serve(withVariables)
    expect(again.output).not.toContain('Comes over:')
    const [check = ''] = commandsOf('check')
    const checked = run(check)
    expect(checked).toMatchObject({ status: 0, stderr: '' })
    expect(checked.stdout).toMatch(/^\{"status":"OK"\}[^]*alice[^]*is the state already[^]*Stays behind:/)
    await again.stop()
    const [remove = ''] = commandsOf('remove')
    expect(run(remove).status).toBe(0)
    expect([existsSync(`${database}.stowage`), readFileSync(database).equals(before)]).toEqual([false, true])
  },
)

test.each(originalVersions)(
  'the volumes of each image are found, with the database of %s',
  async (version) => {
    const { database, root, run } = await readerOf(version)
    const folder = temporaryFolder()
    for (const name of ['srv', 'data']) cpSync(root, path.join(folder, name), { recursive: true })
    for (const name of ['.', 'database', 'config']) {
      mkdirSync(path.join(folder, name), { recursive: true })
      copyFileSync(database, path.join(folder, name, 'filebrowser.db'))
    }
    writeFileSync(
      path.join(folder, 'config/settings.json'),
      '{"port":80,"baseURL":"","address":"","log":"stdout","database":"/database/filebrowser.db","root":"/srv"}',
    )
    const [compose = ''] = commandsOf('compose')
    const { status, stdout, stderr } = run(compose, folder)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/12 users/g)).toHaveLength(3)
  },
)

test.each(originalVersions)('the exports of %s are imported by the commands of the page', async (version) => {
  const { run } = await readerOf(version)
  const folder = temporaryFolder()
  for (const name of ['config.json', 'users.json'])
    writeFileSync(path.join(folder, name), fixtureBytes(`${version}/exports/${name}`))
  const [imports = ''] = commandsOf('import')
  const { status, stdout } = run(imports, folder)
  expect([status, stdout.includes('newcomer')]).toEqual([0, true])
})

const earlyExport = (name: string): string => fixtureBytes(`filebrowser-v2.20.1/exports/${name}`).toString()

test('an early export with a folder of the machine as scope is imported by the commands of the page', async () => {
  const { root, run } = await readerOf('filebrowser-v2.20.1')
  const folder = temporaryFolder()
  const users = earlyExport('users.json').replace(
    '"/srv/projects"',
    JSON.stringify(path.join(root, 'projects')),
  )
  writeFileSync(path.join(folder, 'users.json'), users)
  // The installation served its working directory, so the export does not say which folder that was.
  writeFileSync(
    path.join(folder, 'config.json'),
    earlyExport('config.json').replace(/"root": "[^"]*"/, '"root": "."'),
  )
  const [imports = ''] = commandsOf('import')
  expect(run(imports.replaceAll(' -r /srv/files', ''), folder).status).toBe(1)
  const folderOfOthers = temporaryFolder()
  for (const name of ['users.json', 'config.json'])
    copyFileSync(path.join(folder, name), path.join(folderOfOthers, name))
  const { status, stdout } = run(imports, folderOfOthers)
  expect([status, stdout]).toEqual([0, expect.stringMatching(/bob +\S* *\/projects /)])
})

test('the accounts of other programs are read by the commands of the page', async () => {
  const { run } = await readerOf('filebrowser-v2.20.1')
  const folder = temporaryFolder()
  // The sources of this database lie in a folder of another machine, which the report says.
  writeFileSync(path.join(folder, 'database.db'), fixtureBytes('quantum-v1.5.1/database.db'))
  writeFileSync(path.join(folder, 'config.yaml'), 'server:\n  sources: [{ path: /srv/files, name: files }]\n')
  writeFileSync(path.join(folder, 'htpasswd'), `newcomer:${samplePasswordHash}\n`)
  const [others = ''] = commandsOf('others')
  const { status, stdout } = run(others, folder)
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^database\.db would be [^]*User ann: [^]*^htpasswd would be [^]*- 1 user /m),
  ])
  expect(readdirSync(folder).toSorted()).toEqual(['config.yaml', 'database.db', 'htpasswd'])
})
