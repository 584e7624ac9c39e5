import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../src/server/config/load-config.ts'
import { stateFolder } from './image/start-plan.js'

type ComposeFile = {
  readonly services: Readonly<
    Record<
      'stowage' | 'proxy',
      {
        readonly environment?: Readonly<Record<string, string | number>>
        readonly volumes: readonly string[]
        readonly command?: string
        readonly networks: { readonly 'behind-proxy': { readonly ipv4_address: string } }
      }
    >
  >
  readonly networks: {
    readonly 'behind-proxy': { readonly ipam: { readonly config: readonly [{ readonly subnet: string }] } }
  }
}

const { services, networks } = parse(
  readFileSync(path.join(import.meta.dirname, 'compose.yaml'), 'utf8'),
) as ComposeFile
const addressOf = (name: keyof typeof services) => services[name].networks['behind-proxy'].ipv4_address

test('the compose file trusts the proxy at its fixed address, and nobody else', () => {
  const env = Object.fromEntries(
    Object.entries(services.stowage.environment ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const { config } = loadConfig({
    argv: [],
    env,
    cwd: '/',
    home: '/',
    readFile: () => null,
    exists: () => false,
    isPrivate: () => false,
  })
  expect(config.trustedProxies.map(String)).toEqual([addressOf('proxy')])
})

test('both addresses of the compose file are in its network', () => {
  const [address = '', prefix = ''] = networks['behind-proxy'].ipam.config[0].subnet.split('/')
  const network = new BlockList()
  network.addSubnet(address, Number(prefix))
  expect([addressOf('proxy'), addressOf('stowage')].every((one) => network.check(one))).toBe(true)
})

test('the compose file has one volume for files and one for the state', () => {
  const targets = services.stowage.volumes.map((volume) => volume.split(':')[1])
  expect(targets).toEqual(['/srv', stateFolder])
})
