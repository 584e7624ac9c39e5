import { expect, test } from 'vitest'
import { serverArguments } from './server-arguments.js'

const ofAnn = { given: [], folder: '/home/ann/files', home: '/home/ann', env: {} }

const call = (given: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  serverArguments({ given, folder: '/home/ann/files', home: '/home/ann', env })

const stateOf = (...given: readonly string[]) => call(given).stateFolder

test('npm start serves the folder of the call, with its state elsewhere', () => {
  const { args, stateFolder } = call([])
  expect(stateFolder).toMatch(/^\/home\/ann\/\.local\/state\/stowage\/[0-9a-f]{16}$/)
  expect(args).toEqual(['-r', '/home/ann/files', '-d', `${stateFolder}/stowage.db`])
})

test('each folder has its own state, however the folder is named', () => {
  expect(stateOf('-r', '/srv')).not.toBe(stateOf())
  expect(stateOf('-r', '../files')).toBe(stateOf())
})

test.each([
  ['-r', 'DIR'],
  ['-r=DIR'],
  ['-rDIR'],
  ['--root', 'DIR'],
  ['--root=DIR'],
  ['--Root', 'DIR'],
  ['--ROOT=DIR'],
])('a folder named by %s %s is served', (...given) => {
  const { args, stateFolder } = call(given)
  expect(args.slice(0, given.length)).toEqual(given)
  expect(args).not.toContain('/home/ann/files')
  expect(stateFolder).toBe(call(['-r', 'DIR']).stateFolder)
})

test.each([['-d', 'a.db'], ['-d=a.db'], ['--database=a.db'], ['--database', 'a.db']])(
  'a database named by %s %s is used',
  (...given) => expect(call(given)).toEqual({ args: [...given, '-r', '/home/ann/files'], stateFolder: null }),
)

test('the environment can name the folder and the database, with both prefixes', () => {
  expect(call([], { STOWAGE_DATABASE: 'a.db', FB_ROOT: '/srv' })).toEqual({ args: [], stateFolder: null })
})

test('XDG_STATE_HOME moves the state folder', () => {
  expect(call([], { XDG_STATE_HOME: '/var/state' }).stateFolder).toMatch(/^\/var\/state\/stowage\//)
})

test('with a configuration file, neither a folder nor a database is added', () => {
  expect(call(['-c', 'stowage.yaml'])).toEqual({ args: ['-c', 'stowage.yaml'], stateFolder: null })
})

test.each(['filebrowser.db', 'filebrowser.db.stowage'])('%s in the folder of the call is used', (name) => {
  const here = `/home/ann/files/${name}`
  const found = serverArguments({ ...ofAnn, exists: (file) => file === here })
  expect(found).toEqual({
    args: ['-r', '/home/ann/files', '-d', '/home/ann/files/filebrowser.db'],
    stateFolder: null,
  })
  // Whoever can write to the folder could put a database with other users there.
  const withOwn = serverArguments({
    ...ofAnn,
    exists: (file) => file === here || file.endsWith('stowage.db'),
  })
  expect(withOwn.stateFolder).not.toBe(null)
})

test('a verb gets the database and no folder to serve', () => {
  const { args, stateFolder } = call(['users', 'ls'])
  expect(args).toEqual(['users', 'ls', '-d', `${stateFolder}/stowage.db`])
  expect(stateFolder).toBe(call([]).stateFolder)
})

test('other flags are passed on', () => {
  expect(call(['-p', '8080', '--noauth']).args.slice(0, 3)).toEqual(['-p', '8080', '--noauth'])
})

test('the dashes of npm are not passed on', () => {
  expect(call(['--', '-r', '/srv'])).toEqual(call(['-r', '/srv']))
})
