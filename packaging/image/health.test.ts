import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'health-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The command line of the server in the image, without its options. */
const server = ['/opt/stowage/runtime/node', '/opt/stowage/bin/stowage.js']

type Container = {
  readonly processes?: Readonly<Record<string, readonly string[]>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The text of /proc/net/unix. */
  readonly sockets?: string
}

/** Runs the health check in a container with these processes. The output is the address that it asks. */
function check({ args = [], processes = { 1: [...server, ...args] }, env = {}, sockets = '' }: Container) {
  for (const [number, words] of Object.entries(processes))
    write(`proc/${number}/cmdline`, words.map((word) => `${word}\0`).join(''))
  write('proc/net/unix', sockets)
  // In place of wget: prints its last word.
  write('bin/wget', '#!/bin/sh\nfor word; do :; done\necho "$word"\n', 0o755)
  const { status, stdout } = spawnSync('/bin/sh', [script, path.join(folder, 'proc')], {
    env: { ...env, PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  })
  return { status, output: stdout.trim() }
}

const script = path.join(import.meta.dirname, 'health.sh')

function write(name: string, text: string, mode = 0o644): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
  return file
}

test.each([
  [['--address=', '--port=80'], {}, 'http://127.0.0.1:80/health'],
  [[], {}, 'http://127.0.0.1:8080/health'],
  [['-p', '9000'], { FB_PORT: '9001' }, 'http://127.0.0.1:9000/health'],
  [[], { FB_PORT: '9001', STOWAGE_CERT: '/c.pem' }, 'https://127.0.0.1:9001/health'],
  [['-a', '192.0.2.7'], {}, 'http://192.0.2.7:8080/health'],
  [['-a', '0.0.0.0'], {}, 'http://127.0.0.1:8080/health'],
  [[], { STOWAGE_ADDRESS: '2001:db8::1' }, 'http://[2001:db8::1]:8080/health'],
])('with the options %j and the variables %j, the health check asks %s', (args, env, address) =>
  expect(check({ args, env })).toEqual({ status: 0, output: address }),
)

test('the server is found below the init of a container runtime, and a command beside it is not asked', () => {
  const processes = {
    1: ['/sbin/docker-init', '--', '/usr/bin/stowage'],
    7: [...server, '--address=', '--port=80'],
    12: [...server, 'users', 'ls', '-p', '1'],
  }
  expect(check({ processes }).output).toBe('http://127.0.0.1:80/health')
})

test('without a server, the health check fails', () =>
  expect(check({ processes: { 1: ['/bin/sh'] } })).toEqual({ status: 1, output: 'The server does not run.' }))

test.each([
  ['json', '{"port": 9000, "baseURL": "/files", "address": "192.0.2.7"}'],
  ['json', '{\n  "address": "192.0.2.7",\n  "port": "9000"\n}'],
  ['toml', '# port = 1\nport = 9000 # of the proxy\naddress = "192.0.2.7"\n'],
  ['yaml', "port: 9000\naddress: '192.0.2.7'\n"],
])('the health check reads a configuration file that the command line names (%s: %j)', (ending, text) => {
  const file = write(`my.${ending}`, text)
  expect(check({ args: ['-c', file] }).output).toBe('http://192.0.2.7:9000/health')
  expect(check({ args: [`--config=${file}`, '-p', '1'] }).output).toBe('http://192.0.2.7:1/health')
})

/** The text of /proc/net/unix with one socket. */
const socketWith = (flags: string) =>
  `Num       RefCount Protocol Flags    Type St Inode Path\n0000000000000000: 00000002 00000000 ${flags} 0001 01 12345 /run/s\n`

test('of a socket, the health check asks whether a process accepts connections', () => {
  const env = { STOWAGE_SOCKET: '/run/s' }
  expect(check({ env, sockets: socketWith('00010000') }).status).toBe(0)
  expect(check({ env, sockets: socketWith('00000000') }).status).toBe(1)
  expect(check({ args: ['--socket', '/run/other'], sockets: socketWith('00010000') }).status).toBe(1)
})
