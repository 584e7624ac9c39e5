import { expect, test } from 'vitest'
import { serveWords } from './serve-words.js'

const call = (given: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  serveWords({ given, folder: '/home/ann/files', home: '/home/ann', env })

const stateOf = (...given: readonly string[]) => call(given).stateFolder

test('serves the folder that it was called from, with its state elsewhere', () => {
  const { words, stateFolder } = call([])
  expect(stateFolder).toMatch(/^\/home\/ann\/\.local\/state\/stowage\/[0-9a-f]{16}$/)
  expect(words).toEqual(['-r', '/home/ann/files', '-d', `${stateFolder}/stowage.db`])
})

test('another folder has other state, the same folder the same, however it is named', () => {
  expect(stateOf('-r', '/srv')).not.toBe(stateOf())
  expect(stateOf('-r', '../files')).toBe(stateOf())
})

test.each([['-r', 'DIR'], ['-r=DIR'], ['-rDIR'], ['--root', 'DIR'], ['--root=DIR']])(
  'a folder given as %s %s is served',
  (...given) => {
    const { words, stateFolder } = call(given)
    expect(words.slice(0, given.length)).toEqual(given)
    expect(words).not.toContain('/home/ann/files')
    expect(stateFolder).toBe(call(['-r', 'DIR']).stateFolder)
  },
)

test.each([['-d', 'a.db'], ['-d=a.db'], ['--database=a.db'], ['--database', 'a.db']])(
  'a database given as %s %s is used',
  (...given) =>
    expect(call(given)).toEqual({ words: [...given, '-r', '/home/ann/files'], stateFolder: null }),
)

test('the environment counts as given, under both names', () => {
  expect(call([], { STOWAGE_DATABASE: 'a.db', FB_ROOT: '/srv' })).toEqual({ words: [], stateFolder: null })
})

test('the folder for state may be elsewhere', () => {
  expect(call([], { XDG_STATE_HOME: '/var/state' }).stateFolder).toMatch(/^\/var\/state\/stowage\//)
})

test('a configuration file says both', () => {
  expect(call(['-c', 'stowage.yaml'])).toEqual({ words: ['-c', 'stowage.yaml'], stateFolder: null })
})

test('a verb is given the database, and no folder to serve', () => {
  const { words, stateFolder } = call(['users', 'ls'])
  expect(words).toEqual(['users', 'ls', '-d', `${stateFolder}/stowage.db`])
  expect(stateFolder).toBe(call([]).stateFolder)
})

test('other flags are passed on', () => {
  expect(call(['-p', '8080', '--noauth']).words.slice(0, 3)).toEqual(['-p', '8080', '--noauth'])
})

test('the dashes of npm are no word of the server', () => {
  expect(call(['--', '-r', '/srv'])).toEqual(call(['-r', '/srv']))
})
