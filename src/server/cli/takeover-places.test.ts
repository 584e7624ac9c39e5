import { spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRunContainers, createContainer } from '../../../test/kit/container.ts'
import { canMount, memoryDisk } from '../../../test/kit/mounts.ts'
import {
  fixtureBytes,
  originalInstallation,
  type OriginalVersion,
} from '../../../test/kit/original-database.ts'
import { bundledProgram } from '../../../test/kit/run-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'

const hasContainers = canRunContainers()

/** Runs the bundled program, which starts in a quarter of the time that the source needs. */
function runProgram(args: readonly string[], user: { readonly uid?: number; readonly gid?: number } = {}) {
  const [runtime = '', ...program] = bundledProgram()
  return spawnSync(runtime, [...program, ...args], { ...user, encoding: 'utf8' })
}

/** Gives a folder and everything in it to a user. */
function giveTo(uid: number, folder: string): void {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(path.join(parentPath, name), uid, uid)
  chownSync(folder, uid, uid)
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Waits until a server responds, and returns the length of a login's token in parts. */
async function logInTo(server: ChildProcess, port: number, password: string): Promise<number> {
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => (output += String(text)))
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(async () => server.exitCode !== null || (await isUp()), { timeout: 60_000 }).toBe(true)
  expect([server.exitCode, server.exitCode === null ? '' : output]).toEqual([null, ''])
  const response = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'carol', password }),
  })
  return (await response.text()).split('.').length
}

type ContainerLayout = {
  readonly image: string
  readonly version: OriginalVersion
  /** The flags and files of the image. */
  readonly flags: readonly string[]
  readonly files: Readonly<Record<string, string>>
  readonly database: string
  readonly served: string
  /** True when only the database file is mounted, and not its folder. */
  readonly isSingleFile: boolean
}

const settings = (database: string) =>
  JSON.stringify({ port: 80, baseURL: '', address: '', log: 'stdout', database, root: '/srv' })

const layouts: readonly ContainerLayout[] = [
  {
    image: 'of version 2.20',
    version: 'filebrowser-v2.20.1',
    flags: [],
    files: { '.filebrowser.json': settings('/database.db') },
    database: '/database.db',
    served: '/srv',
    isSingleFile: true,
  },
  {
    image: 'of version 2.63',
    version: 'filebrowser-v2.63',
    flags: ['--config', '/config/settings.json'],
    files: { 'config/settings.json': settings('/database/filebrowser.db') },
    database: '/database/filebrowser.db',
    served: '/srv',
    isSingleFile: false,
  },
  {
    image: 'of another publisher',
    version: 'filebrowser-v2.20.1',
    flags: ['--root=/data', '--database=/config/filebrowser.db'],
    files: {},
    database: '/config/filebrowser.db',
    served: '/data',
    isSingleFile: false,
  },
]

/** Creates the volumes of an installation, which belong to the user that runs the container. */
function createVolumes({ version, files, database, served, isSingleFile }: ContainerLayout, uid: number) {
  const container = createContainer()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(container.root, name)), { recursive: true })
    writeFileSync(path.join(container.root, name), content)
  }
  const [folder, { root: files_ }] = [temporaryFolder(), originalInstallation(version)]
  const file = path.join(folder, path.basename(database))
  writeFileSync(file, fixtureBytes(`${version}/filebrowser.db`), { mode: 0o600 })
  for (const volume of [folder, files_]) giveTo(uid, volume)
  const mounts = isSingleFile
    ? { [database]: file, [served]: files_ }
    : { [path.dirname(database)]: folder, [served]: files_ }
  return { container, mounts, folder, served: files_ }
}

describe.runIf(hasContainers).each(layouts)('in the container $image', (layout) => {
  // Root runs in the first image alone, because its additional rights are the same in all images.
  test.each(layout === layouts[0] ? [0, 1000] : [1000])(
    'a server of the user %i starts twice, and an old user logs in',
    async (uid) => {
      const { container, mounts, folder, served } = createVolumes(layout, uid)
      for (let starts = 0; starts < 2; starts += 1) {
        const port = await freePort()
        const server = container.start(
          [...bundledProgram(), ...layout.flags, '-a', '127.0.0.1', '-p', String(port)],
          { uid, mounts },
        )
        const ended = new Promise((resolve) => server.once('exit', resolve))
        onTestFinished(() => void server.kill('SIGKILL'))
        expect(await logInTo(server, port, 'Carol sings 12 songs')).toBe(3)
        server.kill('SIGTERM')
        await ended
      }
      const state = layout.isSingleFile ? path.join(served, '.stowage/state') : folder
      const own = path.join(state, `${path.basename(layout.database)}.stowage`)
      expect([statSync(own).uid, statSync(own).mode & 0o777]).toEqual([uid, 0o600])
    },
    150_000,
  )
})

/** Runs the takeover as a user without rights, and returns what it prints. */
const takeOverAs1000 = (database: string, root: string): string => {
  const { stdout, stderr } = runProgram(['takeover', '-d', database, '-r', root], { uid: 1000, gid: 1000 })
  return stdout + stderr
}

/** Creates an installation that everybody may read, and that belongs to root. */
const installation = () => {
  const { database, state, root } = originalInstallation('filebrowser-v2.63')
  for (const folder of [state, root]) chmodSync(folder, 0o755)
  chmodSync(database, 0o644)
  return { database, state, root }
}

const commandFor = (at: string) =>
  `${at} belongs to the user 0, and Stowage runs as the user 1000; as root, try: chown -R 1000:1000 ${at}`

describe.runIf(hasContainers)(
  'a file or folder of another user is named, with the command that gives access:',
  () => {
    test('the database', () => {
      const { database, root } = installation()
      chmodSync(database, 0o600)
      expect(takeOverAs1000(database, root)).toContain(commandFor(database))
    })

    test('the folder of the database, when the state goes to the served folder', () => {
      const { database, state, root } = installation()
      giveTo(1000, root)
      expect(takeOverAs1000(database, root)).toContain(commandFor(state))
    })

    test('both folders', () => {
      const { database, state, root } = installation()
      const output = takeOverAs1000(database, root)
      expect([output.includes(commandFor(state)), output.includes(commandFor(root))]).toEqual([true, true])
    })

    test('a state beside the database', () => {
      const { database, state, root } = installation()
      runProgram(['takeover', '-d', database, '-r', root])
      chownSync(state, 1000, 1000)
      expect(takeOverAs1000(database, root)).toContain(commandFor(`${database}.stowage`))
    })

    test('a state in the served folder, which a takeover beside the database would forget', () => {
      const { database, state, root } = installation()
      mkdirSync(path.join(root, '.stowage/state'), { recursive: true, mode: 0o700 })
      giveTo(1000, state)
      expect(takeOverAs1000(database, root)).toContain(commandFor(path.join(root, '.stowage')))
      expect(readdirSync(state)).toEqual(['filebrowser.db'])
    })

    test('the served folder', () => {
      const { database, state, root } = installation()
      giveTo(1000, state)
      chmodSync(root, 0o700)
      expect(takeOverAs1000(database, root)).toContain(commandFor(root))
    })
  },
)

const disk = () => {
  const mounted = memoryDisk('size=8m')!
  onTestFinished(() => mounted.remove())
  return mounted
}

const run = (database: string, root: string) => runProgram(['users', 'ls', '-d', database, '-r', root])

describe.runIf(canMount())('of a file system that is mounted read-only, the error says so:', () => {
  test('both the folder of the database and the served folder', () => {
    const [state, served] = [disk(), disk()]
    const database = path.join(state.folder, 'filebrowser.db')
    const { database: original, root } = originalInstallation('filebrowser-v2.63')
    copyFileSync(original, database)
    cpSync(root, served.folder, { recursive: true })
    for (const mounted of [state, served]) mounted.remount('ro')
    const { stderr } = run(database, served.folder)
    for (const { folder } of [state, served]) expect(stderr).toContain(`${folder} is mounted read-only`)
  })

  test('the folder of a state that was made before, which is not taken for a foreign one', () => {
    const state = disk()
    const database = path.join(state.folder, 'filebrowser.db')
    const { database: original, root } = originalInstallation('filebrowser-v2.63')
    copyFileSync(original, database)
    expect(run(database, root).status).toBe(0)
    state.remount('ro')
    expect(run(database, root).stderr).toContain(`${database}.stowage is mounted read-only`)
  })
})
