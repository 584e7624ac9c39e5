import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRunContainers, createContainer } from '../../../test/kit/container.ts'
import { canMount, memoryDisk, succeeds } from '../../../test/kit/mounts.ts'
import { bundledProgram } from '../../../test/kit/run-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { findServedFiles } from './served-state.ts'

/**
 * Creates two disks and a union of them, as Unraid, mergerfs and overlay have. The state is on the first disk, and `elsewhere` is
 * a place at which the folder of the state can be mounted, as in a container.
 */
function createUnion() {
  const disk = memoryDisk('size=64m')!
  onTestFinished(() => disk.remove())
  const top = realpathSync(disk.folder)
  const at = (name: string) => path.join(top, name)
  const [cache, union, upper, elsewhere] = [at('cache'), at('union'), at('upper'), at('var')]
  for (const folder of [union, at('work'), upper, elsewhere]) mkdirSync(folder)
  for (const folder of ['cache/appdata/stowage', 'array/media']) mkdirSync(at(folder), { recursive: true })
  const options = `lowerdir=${cache}:${at('array')},upperdir=${upper},workdir=${at('work')}`
  if (!succeeds('mount', '-t', 'overlay', 'overlay', '-o', options, union)) return null
  onTestFinished(() => void succeeds('umount', '-l', union))
  return { cache, union, upper, elsewhere, state: path.join(cache, 'appdata/stowage') }
}

/** Starts the server, and returns its output until it listens or ends. */
async function start(database: string, root: string): Promise<string> {
  const [runtime = '', ...program] = bundledProgram()
  const server = spawn(runtime, [...program, '-d', database, '-r', root, '-p', '0'])
  onTestFinished(() => void server.kill('SIGKILL'))
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += String(text)))
  await expect
    .poll(() => server.exitCode !== null || output.includes('Listening'), { timeout: 30_000 })
    .toBe(true)
  return output
}

function doctor(database: string, root: string): string {
  const [runtime = '', ...program] = bundledProgram()
  return spawnSync(runtime, [...program, 'doctor', '-d', database, '-r', root], { encoding: 'utf8' }).stdout
}

describe.runIf(canMount())('a union that shows the state with other inodes', () => {
  test('is not served, from the first start on, and the doctor finds it', async ({ skip }) => {
    const found = createUnion() ?? skip('no overlay may be mounted here')
    const { cache, union, upper, elsewhere, state } = found
    const database = path.join(state, 's.db')
    const refusal = `the served folder shows the server's own folder ${state} as ${union}/appdata/stowage`
    expect(await start(database, union)).toContain(refusal)
    expect(readdirSync(state)).toEqual([])
    // The server recognises its own files by device and inode, also at another path.
    expect(await start(database, cache)).toContain('Listening')
    expect(doctor(database, cache)).not.toContain('state-served')
    expect(await start(database, union)).toContain(refusal)
    expect(await start(database, path.join(union, 'appdata'))).toContain('the served folder shows')
    expect(doctor(database, union)).toContain(
      `error: state-served: ${union}/appdata/stowage/s.db is ${database}`,
    )
    expect(await start(database, path.join(union, 'media'))).toContain('Listening')
    expect(doctor(database, path.join(union, 'media'))).not.toContain('state-served')
    // A folder above the union, and a state that is mounted at a place of its own.
    expect(succeeds('mount', '--bind', state, elsewhere)).toBe(true)
    onTestFinished(() => void succeeds('umount', '-l', elsewhere))
    const mounted = path.join(elsewhere, 's.db')
    for (const root of [union, path.dirname(union)])
      expect(await start(mounted, root)).toContain(
        `the server's own folder ${elsewhere} as ${union}/appdata/stowage`,
      )
    // The state is reached through the union, and the disk to which the union writes is served.
    const written = `the server's own folder ${union}/appdata/new as ${upper}/appdata/new`
    expect(succeeds('mount', '--bind', upper, upper)).toBe(true)
    onTestFinished(() => void succeeds('umount', '-l', upper))
    for (const root of [upper, path.dirname(upper)])
      expect(await start(path.join(union, 'appdata/new/s.db'), root)).toContain(written)
  }, 120_000)
})

test.runIf(canMount() && canRunContainers())(
  'a union that shows the folder of an earlier File Browser is not served in its container',
  async ({ skip }) => {
    const found = createUnion() ?? skip('no overlay may be mounted here')
    const mounts = { '/srv': found.union, '/config': found.state, '/.local/state': temporaryFolder() }
    const command = [...bundledProgram(), '-r', '/srv', '-p', '0']
    const server = createContainer().start(command, { uid: 0, mounts })
    onTestFinished(() => void server.kill('SIGKILL'))
    let errors = ''
    server.stderr?.on('data', (text) => (errors += String(text)))
    await expect.poll(() => server.exitCode, { timeout: 30_000 }).toBe(1)
    expect(errors).toContain(
      "the served folder shows the server's own folder /config as /srv/appdata/stowage",
    )
    expect(readdirSync(found.state)).toEqual([])
  },
  60_000,
)

test('a copy of a file of the server is not the file', () => {
  const [top, root] = [realpathSync(temporaryFolder()), temporaryFolder()]
  mkdirSync(path.join(top, 'state'))
  const file = path.join(top, 'state', 's.db')
  writeFileSync(file, 'content')
  cpSync(path.join(top, 'state'), path.join(root, 'state'), { recursive: true, preserveTimestamps: true })
  copyFileSync(file, path.join(root, 's.db'))
  expect(findServedFiles(root, [file])).toEqual([])
  expect(findServedFiles(top, [file])).toEqual([])
})
