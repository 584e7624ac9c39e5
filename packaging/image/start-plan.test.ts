import { describe, expect, test } from 'vitest'
import {
  checkVolumes,
  isServing,
  isRootless,
  mountOf,
  mountsIn,
  servingUser,
  StartRefusal,
  stateFolder,
  umaskOf,
  withImageDefaults,
  type ContainerFiles,
  type Environment,
} from './start-plan.js'

const user = { uid: 1000, gid: 1000 }

/** Files of a container in which everything belongs to the serving user, except the paths that are named. */
type SampleFiles = {
  readonly mounts?: readonly string[]
  readonly readOnly?: readonly string[]
  readonly existing?: readonly string[]
  readonly ofRoot?: readonly string[]
  readonly isPrivate?: readonly string[]
}

const filesOf = ({
  mounts = [],
  readOnly = [],
  existing = [],
  ofRoot = [],
  isPrivate = [],
}: SampleFiles): ContainerFiles => ({
  exists: (path) => existing.includes(path),
  isPrivate: (path) => isPrivate.includes(path),
  owner: (path) => (ofRoot.includes(path) ? '0:0' : '1000:1000'),
  canRead: (path) => !ofRoot.includes(path),
  canWrite: (path) => !ofRoot.includes(path) && !readOnly.includes(path),
  mounts: ['/', ...mounts].map((point) => ({ point, isReadOnly: readOnly.includes(point) })),
  isOriginalDatabase: (path) => path.endsWith('/filebrowser.db') && existing.includes(path),
  isRootless: false,
})

const check = (
  sample: SampleFiles,
  { args = [], env = {} }: { args?: readonly string[]; env?: Environment } = {},
) => checkVolumes({ args, env, user, files: filesOf(sample) })

/** The volumes of the four layouts of File Browser, as people have them in their compose files. */
const originalLayouts = {
  'a single file': { mounts: ['/srv', '/database.db'], existing: ['/database.db'] },
  'folders for database and configuration': {
    mounts: ['/srv', '/database', '/config'],
    existing: ['/database/filebrowser.db', '/config/settings.json'],
  },
  'the image with /data': { mounts: ['/data', '/config'], existing: ['/config/filebrowser.db'] },
  'a folder of Unraid': { mounts: ['/srv', '/db'], existing: ['/db/database.db'] },
}

describe('the user of a container', () => {
  test.each([
    [{}, { uid: 1000, gid: 1000 }],
    [
      { PUID: '0', PGID: '0' },
      { uid: 0, gid: 0 },
    ],
    [{ PUID: '568' }, { uid: 568, gid: 568 }],
    [
      { PUID: '99', PGID: '100' },
      { uid: 99, gid: 100 },
    ],
    [{ PGID: '100' }, { uid: 1000, gid: 100 }],
    [{ PUID: '4294967294' }, { uid: 4_294_967_294, gid: 4_294_967_294 }],
  ])('of %j is %j', (env, expected) => expect(servingUser(env)).toEqual(expected))

  test.each(['-1', 'root', '1e3', ' 5', '4294967295', '0x10'])('cannot be %j', (PUID) =>
    expect(() => servingUser({ PUID })).toThrow(StartRefusal),
  )
})

test('UMASK is octal, and the mask of the container stays without it', () => {
  expect([umaskOf({}), umaskOf({ UMASK: '022' }), umaskOf({ UMASK: '0077' })]).toEqual([null, 0o22, 0o77])
  for (const UMASK of ['18', '22', '999', 'u=rwx']) expect(() => umaskOf({ UMASK })).toThrow(StartRefusal)
})

test('verbs, the help and the version do not serve', () => {
  const serving = [[], ['-r', '/srv'], ['--port=80']].map(isServing)
  const others = [['users', 'ls'], ['--help'], ['--version'], ['hash', 'x']].map(isServing)
  expect([serving, others]).toEqual([
    [true, true, true],
    [false, false, false, false],
  ])
})

test.each([
  ['         0          0 4294967295\n', false],
  ['         0       1000          1\n         1     100000      65536\n', true],
  // An unprivileged container of LXC, or a Docker with userns-remap: its root creates the folders of new volumes.
  ['         0     100000      65536\n', false],
  // Podman with --userns=keep-id.
  [
    '         0          1       1000\n      1000          0          1\n      1001       1001      64536\n',
    false,
  ],
])('a container with the user map %j is rootless: %s', (text, expected) =>
  expect(isRootless(text)).toBe(expected),
)

test('mounts are read with blanks in their names', () => {
  const text = `25 1 0:23 / / rw,relatime - overlay overlay rw
41 25 8:1 /nas/my\\040files /srv ro,nosuid - ext4 /dev/sda1 rw
`
  expect(mountsIn(text)).toEqual([
    { point: '/', isReadOnly: false },
    { point: '/srv', isReadOnly: true },
  ])
  expect(mountsIn('1 2 3 / /a\\040b rw - x')).toEqual([{ point: '/a b', isReadOnly: false }])
})

test('a path belongs to the innermost mount above it, and to the container where only the root is above', () => {
  const files = filesOf({ mounts: ['/srv', '/srv/photos'] })
  expect(['/srv/photos/a', '/srv/docs', '/srv2', '/'].map((path) => mountOf(path, files)?.point)).toEqual([
    '/srv/photos',
    '/srv',
    undefined,
    undefined,
  ])
})

const added = (sample: SampleFiles, args: readonly string[] = [], env: Environment = {}) =>
  withImageDefaults(args, env, filesOf(sample))

describe('the options that the image adds', () => {
  test('serve /srv on port 8080 of all addresses', () =>
    expect(added({ mounts: ['/srv', stateFolder] })).toEqual({
      args: ['--address=', '--port=8080'],
      env: { STOWAGE_ROOT: '/srv' },
    }))

  test.each([
    ['a single file', { args: ['--address=', '--port=80'], env: { STOWAGE_ROOT: '/srv' } }],
    [
      'folders for database and configuration',
      { args: [], env: { STOWAGE_CONFIG: '/config/settings.json' } },
    ],
    ['the image with /data', { args: ['--address=', '--port=8080'], env: { STOWAGE_ROOT: '/data' } }],
    ['a folder of Unraid', { args: ['--address=', '--port=80'], env: { STOWAGE_ROOT: '/srv' } }],
  ] as const)('are those of the image of File Browser: %s', (name, expected) =>
    expect(added(originalLayouts[name])).toEqual(expected),
  )

  test('stay those of File Browser when the old database is removed after the takeover', () =>
    expect(added({ mounts: ['/srv', '/db'], existing: ['/db/database.db.stowage'] }).args).toContain(
      '--port=80',
    ))

  test.each([
    [['-d', '/own/filebrowser.db'], {}, '/own/filebrowser.db', '--port=80'],
    [['--database=/own/filebrowser.db'], {}, '/own/filebrowser.db', '--port=80'],
    [[], { FB_DATABASE: '/own/filebrowser.db' }, '/own/filebrowser.db', '--port=80'],
    [['-d', '/own/old.db'], {}, '/own/old.db.stowage', '--port=80'],
    [['-d', '/own/stowage.db'], {}, '/own/stowage.db', '--port=8080'],
    [[], { STOWAGE_DATABASE: 'postgres://u@h/x' }, '', '--port=8080'],
  ])('with %j and %j, where %s exists, are those of the image that served it', (args, env, existing, port) =>
    expect(added({ mounts: ['/srv', '/own'], existing: [existing] }, args, env).args).toContain(port),
  )

  test('keep the port of the image with /data where the database has another path', () =>
    expect(
      added({ mounts: ['/data', '/own'], existing: ['/own/filebrowser.db'] }, ['-d', '/own/filebrowser.db'])
        .args,
    ).toContain('--port=8080'))

  test.each([
    [['-p', '9000', '-a', '::1', '-r', '/files'], {}, ['-p', '9000', '-a', '::1', '-r', '/files']],
    [[], { FB_PORT: '9000', STOWAGE_ADDRESS: '::1' }, []],
    [['--socket', '/run/s'], {}, ['--socket', '/run/s']],
    [['users', 'ls'], {}, ['users', 'ls']],
    [[], { FB_PORT: '' }, ['--address=', '--port=8080']],
  ])('give way to %j and %j', (args, env, expected) =>
    expect(added({ mounts: ['/srv'] }, args, env).args).toEqual(expected),
  )

  test('are not those of an old database that appears beside a state of Stowage', () => {
    const own = `${stateFolder}/stowage.db`
    const sample = {
      mounts: ['/srv', '/db', stateFolder],
      existing: [own, '/db/database.db', '/db/database.db.stowage'],
    }
    expect(added(sample).args).toContain('--port=8080')
    expect(check(sample)).toEqual([])
    expect(added({ ...sample, isPrivate: ['/db/database.db.stowage'] }).args).toContain('--port=80')
  })

  test('give way to a configuration file', () => {
    const expected = { args: ['-c', '/my.json'], env: {} }
    expect(added(originalLayouts['folders for database and configuration'], ['-c', '/my.json'])).toEqual(
      expected,
    )
    expect(added({ mounts: ['/srv'], existing: ['/.filebrowser.json'] }, [])).toEqual({ args: [], env: {} })
  })
})

describe('the volumes', () => {
  test.each(Object.entries(originalLayouts))('of File Browser start unchanged: %s', (_name, sample) =>
    expect(check(sample)).toEqual([]),
  )

  test('of a new container are one for files and one for the state', () =>
    expect(check({ mounts: ['/srv', stateFolder] })).toEqual([]))

  test('are demanded with the line that adds them', () => {
    expect(() => check({ mounts: ['/srv'] })).toThrow(`-v stowage-state:${stateFolder}`)
    expect(() => check({ mounts: [stateFolder] })).toThrow('-v /path/of/your/files:/srv')
  })

  test('are demanded where the state of a database that is mounted alone would be lost with the container', () => {
    const existing = ['/database.db']
    expect(() => check({ existing, mounts: ['/database.db'] })).toThrow('- /path/of/your/files:/srv')
    expect(() => check({ existing, mounts: ['/database.db', '/srv/photos'] })).toThrow('- stowage-files:/srv')
  })

  test('may be below the served folder, with a warning of what is lost', () => {
    const mounts = ['/srv/photos', '/srv/films', stateFolder]
    expect(check({ mounts })).toEqual([expect.stringContaining('/srv is not a volume')])
    expect(added({ mounts }).env).toEqual({ STOWAGE_ROOT: '/srv' })
    expect(added({ mounts: ['/data/photos', '/config'] }).env).toEqual({ STOWAGE_ROOT: '/data' })
    expect(check({ mounts, ofRoot: ['/srv/films'] })[1]).toContain('chown -R 1000:1000 /srv/films')
    expect(check({ mounts, readOnly: ['/srv/films'] })).toHaveLength(1)
  })

  test('of root are refused with the line that changes their owner', () => {
    expect(() => check({ mounts: ['/srv', stateFolder], ofRoot: [stateFolder] })).toThrow(
      `chown -R 1000:1000 ${stateFolder}`,
    )
    expect(() =>
      check({
        mounts: ['/srv', '/database'],
        existing: ['/database/filebrowser.db'],
        ofRoot: ['/database', '/database/filebrowser.db'],
      }),
    ).toThrow('--entrypoint chown stowage -R 1000:1000 /database\nor')
    expect(() =>
      check({
        mounts: ['/srv', '/database.db'],
        existing: ['/database.db'],
        ofRoot: ['/database.db', '/srv'],
      }),
    ).toThrow('chown -R 1000:1000 /database.db /srv')
    expect(() => check({ mounts: ['/srv', stateFolder], ofRoot: ['/srv'] })).toThrow(
      'chown -R 1000:1000 /srv',
    )
  })

  test('of the person who starts a rootless container are served as that person, whose files nobody gives away', () => {
    const files = { ...filesOf({ mounts: ['/srv', stateFolder], ofRoot: [stateFolder] }), isRootless: true }
    const start = () => checkVolumes({ args: [], env: {}, user, files })
    expect(start).toThrow('PUID=0 PGID=0')
    expect(start).not.toThrow('chown')
  })

  test('of a database that is mounted read-only leave the state in the served folder', () =>
    expect(
      check({
        mounts: ['/srv', '/database'],
        existing: ['/database/filebrowser.db'],
        readOnly: ['/database'],
      }),
    ).toEqual([]))

  test('that nobody can write to are a warning, unless they are meant to be read-only', () => {
    const files = filesOf({ mounts: ['/srv', stateFolder] })
    const unwritable = { ...files, canWrite: (path: string) => path !== '/srv' }
    expect(checkVolumes({ args: [], env: {}, user, files: unwritable })[0]).toContain(
      'chown -R 1000:1000 /srv',
    )
    expect(check({ mounts: ['/srv', stateFolder], readOnly: ['/srv'] })).toEqual([])
  })

  test('are left to the server where the container names its own folders', () => {
    const own = { args: ['-r', '/files'], env: { FB_DATABASE: '/data/my.db' } }
    expect(check({}, own)).toEqual([])
    expect(check({ existing: ['/.filebrowser.json'] })).toEqual([])
  })
})
