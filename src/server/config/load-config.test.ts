import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { UsageError } from './usage-error.ts'
import { ownFilesBase } from './state-paths.ts'
import { loadConfig, type ConfigInputs } from './load-config.ts'
import { previewFolderOf } from './state-paths.ts'
import { servingOptions, type Config } from './serving-options.ts'
import { realEnvironment, requireFolder } from './config-environment.ts'

type LoadTestOptions = Partial<Pick<ConfigInputs, 'env' | 'stored'>> & {
  readonly files?: Readonly<Record<string, string>>
}

const cwd = '/home/ann/here'
const home = '/home/ann'
/** Loads the configuration for a command line on a machine where only the named files exist. */
const load = (argv: readonly string[], { env = {}, stored = {}, files = {} }: LoadTestOptions = {}) =>
  loadConfig({
    argv,
    env,
    stored,
    cwd,
    home,
    readFile: (file) => files[file] ?? null,
    exists: (file) => file in files,
    isPrivate: (file) => files[file] === 'private',
  })

test('without any input, every option has its default', () => {
  const { config, sources, warnings } = load([])
  expect(config).toMatchObject({
    address: '127.0.0.1',
    port: 8080,
    root: cwd,
    baseURL: '',
    disableExec: true,
    tokenExpirationTime: 7_200_000,
    fileMode: 0o640,
    dirMode: 0o750,
    socketPerm: 0o666,
    log: 'stdout',
    logFormat: 'text',
    trustedOrigins: [],
    username: 'admin',
    database: '/home/ann/.local/state/stowage/stowage.db',
  })
  expect([new Set(Object.values(sources)), warnings]).toEqual([new Set(['default']), []])
})

test('of flag, environment, file, database and default, the first that sets an option counts', () => {
  const files = { '/home/ann/here/.filebrowser.json': '{"Port": 3}' }
  const wish: LoadTestOptions = { env: { FB_PORT: '2' }, files, stored: { port: '4' } }
  const seen = (argv: readonly string[], wish: LoadTestOptions) => {
    const { config, sources } = load(argv, wish)
    return [config.port, sources.port]
  }
  expect([
    seen(['-p', '1'], wish),
    seen([], wish),
    seen([], { ...wish, env: {} }),
    seen([], { stored: { port: '4' } }),
    seen([], {}),
  ]).toEqual([
    [1, 'flag'],
    [2, 'environment'],
    [3, 'file'],
    [4, 'database'],
    [8080, 'default'],
  ])
})

test.each([
  ['FB_BASEURL'],
  ['FB_BASE_URL'],
  ['FB_baseURL'],
  ['FB_BASE-URL'],
  ['STOWAGE_BASE_URL'],
  ['STOWAGE_BASEURL'],
])('the variable %s is read', (variable) => {
  const { config, sources } = load([], { env: { [variable]: '/fb' } })
  expect([config.baseURL, sources.baseURL]).toEqual(['/fb', 'environment'])
})

test.each<readonly [string, string, keyof Config, unknown]>([
  ['FB_DISABLE-EXEC', 'false', 'disableExec', false],
  ['FB_DISABLE_EXEC', '0', 'disableExec', false],
  ['FB_DISABLE_THUMBNAILS', 'false', 'disableThumbnails', false],
  ['FB_TOKEN_EXPIRATION_TIME', '72h', 'tokenExpirationTime', 259_200_000],
  ['FB_IMAGE_PROCESSORS', '2', 'imageProcessors', 2],
  ['FB_IMG_PROCESSORS', '2', 'imageProcessors', 2],
  ['FB_SOCKET_PERM', '0600', 'socketPerm', 0o600],
  ['FB_NOAUTH', 'noauth', 'noauth', true],
  ['FB_NOAUTH', 'true', 'noauth', true],
  ['FB_DATABASE', 'x.db', 'database', '/home/ann/here/x.db'],
  ['FB_AUTH_TRUSTED_PROXIES', '10.0.0.0/8,::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
  ['STOWAGE_LOG_FORMAT', 'json', 'logFormat', 'json'],
  ['FB_ROOT', '', 'root', cwd],
])('the environment is parsed: %s=%s', (variable, text, key, value) => {
  expect(load([], { env: { [variable]: text } }).config[key]).toEqual(value)
})

/**
 * The flags for serving of File Browser 2.20 and 2.63, with the old and the new spelling where they differ, and the value
 * that our option has for the given text.
 */
const formerFlags: readonly (readonly [readonly string[], string, keyof Config, unknown])[] = [
  [['database'], '/x.db', 'database', '/x.db'],
  [['address'], '0.0.0.0', 'address', '0.0.0.0'],
  [['port'], '81', 'port', 81],
  [['root'], '/srv', 'root', '/srv'],
  [['baseurl', 'baseURL'], '/fb', 'baseURL', '/fb'],
  [['log'], 'stderr', 'log', 'stderr'],
  [['cert'], '/a.pem', 'cert', '/a.pem'],
  [['key'], '/b.pem', 'key', '/b.pem'],
  [['socket'], '/run/x.sock', 'socket', '/run/x.sock'],
  [['socket-perm', 'socketPerm'], '0660', 'socketPerm', 0o660],
  [['cache-dir', 'cacheDir'], '/cache', 'cacheDir', '/cache'],
  [['img-processors', 'imageProcessors'], '3', 'imageProcessors', 3],
  [['disable-thumbnails', 'disableThumbnails'], 'true', 'disableThumbnails', true],
  [['disable-preview-resize', 'disablePreviewResize'], 'true', 'disablePreviewResize', true],
  [['disable-exec', 'disableExec'], 'false', 'disableExec', false],
  [
    ['disable-type-detection-by-header', 'disableTypeDetectionByHeader'],
    'true',
    'disableTypeDetectionByHeader',
    true,
  ],
  [['disableImageResolutionCalc'], 'true', 'disableImageResolutionCalc', true],
  [['followExternalSymlinks'], 'true', 'followExternalSymlinks', true],
  [['tokenExpirationTime'], '3h', 'tokenExpirationTime', 10_800_000],
  [['redisCacheUrl'], 'redis://x', 'redisCacheUrl', 'redis://x'],
  [['noauth'], 'true', 'noauth', true],
  [['username'], 'joe', 'username', 'joe'],
  [['password'], '$2a$10$x', 'password', '$2a$10$x'],
]
const inSnakeCase = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toUpperCase()

test.each(formerFlags)(
  'the flag %s of File Browser is read on the command line, in the environment and in a file',
  (names, value, option, expected) => {
    for (const name of names) {
      const file = '/home/ann/here/.filebrowser.json'
      const loaded = [
        load([`--${name}=${value}`]),
        load([`--${name}`, value]),
        load([], { env: { [`FB_${inSnakeCase(name)}`]: value } }),
        load([], { env: { [`FB_${name.toUpperCase()}`]: value } }),
        load([], { files: { [file]: JSON.stringify({ [name]: value }) } }),
      ]
      expect([name, ...loaded.map(({ config }) => config[option])]).toEqual([
        name,
        ...loaded.map(() => expected),
      ])
    }
  },
)

test.each([
  ['-a', '::1', 'address', '::1'],
  ['-b', '/fb', 'baseURL', '/fb'],
  ['-d', '/x.db', 'database', '/x.db'],
  ['-k', '/b.pem', 'key', '/b.pem'],
  ['-l', 'stderr', 'log', 'stderr'],
  ['-p', '81', 'port', 81],
  ['-r', '/srv', 'root', '/srv'],
  ['-t', '/a.pem', 'cert', '/a.pem'],
] as const)('the short flag %s of File Browser is read', (flag, value, option, expected) => {
  expect(load([flag, value]).config[option]).toBe(expected)
})

test('of several spellings, the STOWAGE_ prefix counts first, then the spelling with underscores', () => {
  const env = { FB_BASE_URL: '/new', FB_BASEURL: '/old' }
  expect(load([], { env }).config.baseURL).toBe('/new')
  expect(load([], { env: { ...env, STOWAGE_BASEURL: '/ours' } }).config.baseURL).toBe('/ours')
})

test.each([
  ['/home/ann/here/.stowage.json', '{"root": "/a"}'],
  ['/home/ann/here/.filebrowser.yaml', 'root: /a'],
  ['/home/ann/.filebrowser.toml', 'root = "/a"'],
  ['/etc/filebrowser/.filebrowser.yml', 'ROOT: /a'],
])('the configuration file %s is found', (file, content) => {
  const { config, sources } = load([], { files: { [file]: content } })
  expect([config.root, sources.root]).toEqual(['/a', 'file'])
})

test.each([
  ['by flag', ['-c', 'settings.json'], {}],
  ['by environment', [], { FB_CONFIG: '/home/ann/here/settings.json' }],
])('a configuration file named %s is the only one that is read', (_how, argv, env) => {
  const files = {
    '/home/ann/here/settings.json': '{"port": 80}',
    '/home/ann/here/.filebrowser.json': '{"root": "/a"}',
  }
  const { config } = load(argv, { env, files })
  expect([config.port, config.root]).toEqual([80, cwd])
})

test('a missing configuration file causes a warning, and an unreadable one is a usage error', () => {
  expect(load(['-c', 'none.json']).warnings).toEqual([
    'there is no configuration file /home/ann/here/none.json',
  ])
  expect(() => load([], { files: { '/home/ann/here/.filebrowser.json': '{' } })).toThrow(UsageError)
})

test('unknown keys are ignored, and named', () => {
  const files = {
    '/home/ann/here/.filebrowser.json': '{"branding": {"name": "x"}, "upcoming": 1, "disable-exec": false}',
  }
  const { config, ignoredKeys, configurationFile } = load([], { files })
  expect([config.disableExec, ignoredKeys, configurationFile]).toEqual([
    false,
    ['branding.name', 'upcoming'],
    '/home/ann/here/.filebrowser.json',
  ])
})

test.each([
  ['/database/filebrowser.db'],
  ['/database.db'],
  ['/config/filebrowser.db'],
  ['/db/database.db'],
  ['/home/ann/here/filebrowser.db'],
])('the database at %s is used when none is named', (file) => {
  const files = { [file]: '', '/home/ann/here/filebrowser.db': '' }
  expect(load([], { files }).config.database).toBe(file)
  expect(load(['-d', 'mine.db'], { files }).config.database).toBe('/home/ann/here/mine.db')
})

test.each([
  ['/database/filebrowser.db'],
  ['/database.db'],
  ['/config/filebrowser.db'],
  ['/db/database.db'],
  ['/home/ann/here/filebrowser.db'],
])('the own database precedes %s, unless that one was taken over, and a warning says so', (local) => {
  const own = '/home/ann/.local/state/stowage/stowage.db'
  for (const [content, expected] of [
    ['', own],
    ['private', local],
  ] as const) {
    const files = { [own]: '', [local]: '', [`${local}.stowage`]: content }
    const { config, warnings } = load([], { files })
    expect([config.database, warnings]).toEqual([
      expected,
      expected === own
        ? [`the state ${own} is used, and not ${local}; name the latter with -d to take it over`]
        : [],
    ])
    expect(load(['-d', local], { files }).config.database).toBe(local)
  }
})

test('a database that was taken over is found when the old file was removed', () => {
  const files = { '/database.db.stowage': '', '/home/ann/here/filebrowser.db': '' }
  expect(load([], { files }).config.database).toBe('/database.db')
})

test.each([
  [['-d', 'postgres://ann:secret@h/x'], {}],
  [[], { STOWAGE_DATABASE: 'postgres://ann:secret@h/x' }],
  [['-c', '/c.json'], {}],
])('the address of a database is kept unchanged: %j %j', (argv, env) => {
  const files = { '/c.json': '{"database":"postgres://ann:secret@h/x"}' }
  expect(load(argv, { env, files }).config.database).toBe('postgres://ann:secret@h/x')
})

test("with a database on a server, the server's own files have a folder for that database", () => {
  const env = { XDG_STATE_HOME: '/state' }
  const folder = (database: string) => load(['-d', database], { env }).config.stateDir
  const own = folder('postgres://ann:secret@h/x')
  expect(own).toMatch(/^\/state\/stowage\/postgres-[0-9a-f]{16}$/)
  expect(folder('postgres://ann:changed@h/x')).toBe(own)
  expect(folder('postgres://ann:secret@h/y')).not.toBe(own)
  expect(load(['-d', 'postgres://h/x', '--stateDir', 'mine']).config.stateDir).toBe('/home/ann/here/mine')
})

test("the server's own files lie beside a database file, unless they have a folder", () => {
  const { config } = load(['-d', '/a/x.db'])
  expect([ownFilesBase(config), previewFolderOf(config)]).toEqual(['/a/x.db', '/a/x.db.previews'])
  const moved = load(['-d', '/a/x.db', '--stateDir', '/b']).config
  expect([ownFilesBase(moved), previewFolderOf(moved)]).toEqual(['/b/stowage', '/b/stowage.previews'])
})

test('the database lies in the state folder of the user', () => {
  expect(load([], { env: { XDG_STATE_HOME: '/state' } }).config.database).toBe('/state/stowage/stowage.db')
})

test.each([
  ['https://files.example.org/', ''],
  ['http://files.example.org:8080/fb/', '/fb'],
  ['HTTPS://files.example.org', ''],
])('of the address %s, only the path counts as the base path, with a warning', (written, base) => {
  const { config, warnings } = load(['-b', written])
  expect([config.baseURL, warnings]).toEqual([
    base,
    [`baseURL is a path: of ${written}, only the path "${base}" counts`],
  ])
})

test.each([
  ['/fb/', '/fb'],
  ['/', ''],
  ['', ''],
  ['fb', '/fb'],
  ['//a///b//', '/a/b'],
])('the base path %j is normalised to %j', (written, base) => {
  expect(load(['-b', written]).config.baseURL).toBe(base)
})

test.each<readonly [string, readonly string[], LoadTestOptions]>([
  ['an unknown flag', ['--no-such'], {}],
  ['an unknown word', ['frob'], {}],
  ['a port that is none', ['-p', 'eighty'], {}],
  ['a port too high', ['-p', '65536'], {}],
  ['a port in the environment', [], { env: { FB_PORT: 'x' } }],
  ['no processors', ['--imageProcessors=0'], {}],
  ['a duration that is none', ['--tokenExpirationTime', 'soon'], {}],
  ['a switch that is none', ['--disableExec=maybe'], {}],
  ['a base path that climbs', ['-b', '/a/../b'], {}],
  ['a base path with a question', ['-b', '/a?b'], {}],
  ['a socket with an address', ['--socket', 's', '-a', '::1'], {}],
  ['a socket with a port', ['--socket', 's', '-p', '80'], {}],
  ['a socket with a certificate', ['--socket', 's', '-t', 'c'], {}],
  [
    'a socket with a port of the file',
    ['--socket', 's'],
    { files: { '/home/ann/here/.filebrowser.json': '{"port":80}' } },
  ],
  ['a log format that is none', ['--logFormat', 'xml'], {}],
])('%s is a usage error of one line', (_case, argv, wish) => {
  expect(() => load(argv, wish)).toThrow(UsageError)
  expect(() => load(argv, wish)).toThrow(/^[^\n]+$/)
})

test.each<readonly [string, readonly string[], LoadTestOptions, string]>([
  ['by flag', ['--auth.trustedProxies', '10.0.0.0/8, nonsense'], {}, '--auth.trustedProxies: "nonsense"'],
  ['by flag', ['--trustedOrigins', 'https://a.example,rubbish'], {}, '--trustedOrigins: "rubbish"'],
  [
    'by environment',
    [],
    { env: { FB_AUTH_TRUSTED_PROXIES: '10.0.0.0/33' } },
    'FB_AUTH_TRUSTED_PROXIES: "10.0.0.0/33"',
  ],
  [
    'by environment',
    [],
    { env: { STOWAGE_TRUSTED_ORIGINS: 'a.example' } },
    'STOWAGE_TRUSTED_ORIGINS: "a.example"',
  ],
  [
    'by file',
    [],
    { files: { '/home/ann/here/.stowage.json': '{"auth":{"trustedProxies":["::1","x"]}}' } },
    '.stowage.json: auth.trustedProxies: "x"',
  ],
  [
    'by file',
    [],
    { files: { '/home/ann/here/.stowage.yml': 'trustedOrigins: [ftp://a.example]' } },
    '.stowage.yml: trustedOrigins: "ftp://a.example"',
  ],
  ['by the database', [], { stored: { 'auth.trustedProxies': 'x' } }, 'stored auth.trustedProxies: "x"'],
])('set %s, an invalid part of a list is a usage error: %j', (_how, argv, wish, named) => {
  expect(() => load(argv, wish)).toThrow(UsageError)
  expect(() => load(argv, wish)).toThrow(/^[^\n]+$/)
  expect(() => load(argv, wish)).toThrow(named)
})

test('a flag replaces an invalid list in the database', () => {
  const { config } = load(['--auth.trustedProxies=10.0.0.1'], { stored: { 'auth.trustedProxies': 'x' } })
  expect(config.trustedProxies).toEqual(['10.0.0.1'])
})

test('a socket or port that is set now overrides one that the database stores', () => {
  expect(load(['-p', '80'], { stored: { socket: '/s' } }).config.socket).toBe('')
  expect(load(['--socket', 's'], { stored: { port: '80' } }).config.socket).toBe('/home/ann/here/s')
  expect(load([], { stored: { socket: '/s' } }).config.socket).toBe('/s')
})

test('no session lasts longer than 30 days, and a longer setting causes a warning (contract 2.9)', () => {
  const [longest, longer] = ['720h', '721h'].map((text) => load(['--tokenExpirationTime', text]))
  const tokenExpirationTime = 30 * 24 * 3_600_000
  expect(longest).toMatchObject({ config: { tokenExpirationTime }, warnings: [] })
  expect(longer).toMatchObject({
    config: { tokenExpirationTime },
    warnings: ['tokenExpirationTime is 30 days: no session lasts longer, however much it is used'],
  })
})

test('TLS with only a certificate or only a key is off, which causes a warning', () => {
  expect(load(['-t', 'cert.pem']).warnings).toEqual(['TLS is off: it needs cert and key'])
  expect(load(['-t', 'cert.pem', '-k', 'key.pem'])).toMatchObject({
    warnings: [],
    config: { cert: '/home/ann/here/cert.pem', key: '/home/ann/here/key.pem' },
  })
})

test('options without an effect cause a warning wherever they are set but in the database, and their default causes none', () => {
  const expected = ['redisCacheUrl', 'disableImageResolutionCalc'].map(
    (name) => `${name} has no effect, and can be removed`,
  )
  const [redisCacheUrl, disableImageResolutionCalc] = ['redis://me:hush@host/0', 'true']
  const file = JSON.stringify({ redisCacheUrl, disableImageResolutionCalc: true })
  const flags = ['--redisCacheUrl', redisCacheUrl, '--disableImageResolutionCalc']
  const env = { FB_REDIS_CACHE_URL: redisCacheUrl, FB_DISABLE_IMAGE_RESOLUTION_CALC: 'true' }
  expect(load(flags).warnings).toEqual(expected)
  expect(load([], { env }).warnings).toEqual(expected)
  expect(load([], { files: { '/home/ann/here/.filebrowser.json': file } }).warnings).toEqual(expected)
  expect(load([], { stored: { redisCacheUrl, disableImageResolutionCalc } }).warnings).toEqual([])
  expect(load(['--disableImageResolutionCalc=false', '--redisCacheUrl', '']).warnings).toEqual([])
})

test('no two options share a name or a short name', () => {
  const options = Object.values(servingOptions) as readonly { name: string; short?: string }[]
  const plain = options.map(({ name }) => name.toLowerCase())
  const shorts = options.flatMap(({ short }) => short ?? [])
  expect([new Set(plain).size, new Set(shorts).size]).toEqual([plain.length, shorts.length])
})

test('files and folders of a real file system are read', () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'files'))
  writeFileSync(path.join(folder, '.filebrowser.json'), '{"root": "files"}')
  const environment = realEnvironment({ HOME: folder }, folder)
  const { config } = loadConfig({ ...environment, argv: [] })
  expect(config.root).toBe(path.join(folder, 'files'))
  requireFolder(config.root)
  expect(() => requireFolder(path.join(folder, 'none'))).toThrow(UsageError)
  expect(() => requireFolder(path.join(folder, '.filebrowser.json'))).toThrow(UsageError)
})
