import { expect, test } from 'vitest'
import { loadConfig } from '../../src/server/config/load-config.ts'
import { commandsOf, readPage, sectionTitles } from './pages.ts'

const pages = [
  ['nginx', 'nginx'],
  ['caddy', 'caddy'],
  ['apache', 'apache'],
  ['haproxy', 'haproxy'],
  ['traefik', 'yaml'],
] as const

const load = (command: string) =>
  loadConfig({
    argv: command.split(' ').slice(1),
    env: {},
    cwd: '/',
    home: '/',
    readFile: () => null,
    exists: () => false,
    isPrivate: () => false,
  }).config

test.each(pages)('the page about %s has each section', (name, language) => {
  expect(readPage(name, language).map(({ title }) => title)).toEqual(sectionTitles)
})

test.each(pages)(
  'the page about %s has a configuration that leads to where Stowage listens',
  (name, language) => {
    const sections = readPage(name, language).filter(({ configuration }) => configuration !== null)
    expect(sections.length).toBeGreaterThanOrEqual(5)
    for (const { title, configuration, commands } of sections) {
      const { root, port, socket, cert } = load(commands.at(-1) ?? '')
      const target = socket === '' ? `127.0.0.1:${port}` : socket.replace('/var/lib/haproxy/', '/')
      expect([title, root]).toEqual([title, '/srv/files'])
      expect([title, configuration]).toEqual([title, expect.stringContaining(target)])
      expect([title, cert !== '']).toEqual([title, title === 'To Stowage over TLS'])
    }
  },
)

test.each(pages)('the base path on the page about %s is the one of the proxy', (name, language) => {
  const section = readPage(name, language).find(({ title }) => title === 'Below a path')
  expect(load(section?.commands.at(-1) ?? '').baseURL).toBe('/files')
  expect(section?.configuration).toContain('/files')
})

test('the commands of the page about all proxies start', () => {
  expect(load(commandsOf('Which proxies are trusted')[0] ?? '').trustedProxies.map(String)).toEqual([
    '172.30.84.2',
  ])
  expect(load(commandsOf('Without a proxy')[0] ?? '').port).toBe(443)
})
