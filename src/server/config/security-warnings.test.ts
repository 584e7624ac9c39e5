import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { securityWarnings } from './security-warnings.ts'
import { loadConfig } from './load-config.ts'
import { realEnvironment } from './config-environment.ts'

/**
 * Creates a certificate, its key and a database with these permission bits. `warned` returns the warnings that a start
 * with the given flags logs.
 */
function world({ key = 0o600, database = 0o600 } = {}) {
  const folder = temporaryFolder()
  const place = (name: string, mode: number): string => {
    const file = path.join(folder, name)
    writeFileSync(file, 'x')
    chmodSync(file, mode)
    return file
  }
  const files = {
    cert: place('cert.pem', 0o644),
    key: place('key.pem', key),
    database: place('x.db', database),
  }
  const warned = (argv: readonly string[], isWithoutLogin = false, isProxyLogin = false) => {
    const { config } = loadConfig({ ...realEnvironment({}, folder), argv: ['-d', 'x.db', ...argv] })
    return securityWarnings({ config, isWithoutLogin, isProxyLogin })
  }
  return { ...files, folder, warned }
}

test('a default installation causes no warnings', () => {
  const { warned } = world()
  expect([warned([]), warned(['-t', 'cert.pem', '-k', 'key.pem'])]).toEqual([[], []])
})

test.each([
  ['the usual address', [], '127.0.0.1 at port 8080'],
  ['an address that was given', ['-a', '0.0.0.0', '-p', '80'], '0.0.0.0 at port 80'],
  ['every address', ['-a', ''], 'any address of this machine at port 8080'],
])('without a login there is a warning that everybody at %s is signed in', (_case, argv, place) => {
  expect(world().warned(argv, true)).toEqual([
    `there is no authentication: everybody who reaches ${place} is signed in`,
  ])
})

test('without a login there is a warning that everybody at the socket is signed in', () => {
  const { warned, folder } = world()
  expect(warned(['--socket', 's'], true)).toEqual([
    `there is no authentication: everybody who reaches the socket ${path.join(folder, 's')} is signed in`,
  ])
})

test('with the login method "proxy" there is a warning of a socket that every account may open', async () => {
  const { warned, folder } = world()
  const warnings = (...argv: readonly string[]) => warned(argv, false, true)
  chmodSync(folder, 0o755)
  expect(warnings('--socket', 's')).toEqual([
    `every account of this machine can log in as every user: the login method "proxy" trusts whoever opens the socket ` +
      `${path.join(folder, 's')}; let only the group of the proxy open it, with --socketPerm 0660 or the mode of its folder`,
  ])
  expect([warnings('--socket', 's', '--socketPerm', '0660'), warnings(), warned(['--socket', 's'])]).toEqual([
    [],
    [],
    [],
  ])
  chmodSync(folder, 0o750)
  expect(warnings('--socket', 's')).toEqual([])
  const { cli, parseServingConfig } = createCliContext()
  expect((await parseServingConfig()).isProxyLogin).toBe(false)
  await cli('config init --auth.method=proxy --auth.header=X-Person')
  expect((await parseServingConfig()).isProxyLogin).toBe(true)
})

test('a key that others can read is named when TLS is on, and a key that only its group can read is not', () => {
  const { warned, key } = world({ key: 0o644 })
  expect(warned(['-t', 'cert.pem', '-k', 'key.pem'])).toEqual([`the TLS key ${key} can be read by others`])
  expect(warned(['-k', 'key.pem'])).toEqual([])
  expect(world({ key: 0o640 }).warned(['-t', 'cert.pem', '-k', 'key.pem'])).toEqual([])
})

test('a database file that others can read is named, and a database on a server has none', () => {
  const { warned, database } = world({ database: 0o604 })
  expect(warned([])).toEqual([`the database ${database} can be read by others`])
  expect(warned(['-d', 'postgres://h/x'])).toEqual([])
})

test('a missing key causes no warning', () => {
  expect(world().warned(['-t', 'cert.pem', '-k', 'x.db/none.pem'])).toEqual([])
})

test('options that open the server further are named', () => {
  expect(world().warned(['--followExternalSymlinks', '--unsafeExec'])).toEqual([
    'links are followed out of the folders of users',
    "people's commands run without a sandbox where there is none",
  ])
})

test('the database decides whether nobody logs in, and --noauth only counts for the first run', async () => {
  const { cli, parseServingConfig } = createCliContext()
  const isWithoutLogin = async (...argv: readonly string[]) =>
    (await parseServingConfig(...argv)).isWithoutLogin
  expect([await isWithoutLogin(), await isWithoutLogin('--noauth')]).toEqual([false, true])
  await cli('config init')
  expect(await isWithoutLogin('--noauth')).toBe(false)
  await cli('config set --auth.method=noauth')
  expect(await isWithoutLogin()).toBe(true)
})
