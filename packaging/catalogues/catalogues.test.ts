import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { stateFolder } from '../image/start-plan.js'

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
const { version } = JSON.parse(read('../package.json')) as { version: string }

/** All variables of the product, as the generated document lists them, and those of the image. */
const variables = [
  ...[...read('../docs/generated/configuration.md').matchAll(/`(STOWAGE_\w+)`/g)].map((match) => match[1]),
  'PUID',
  'PGID',
  'UMASK',
  'TZ',
]

type CasaOsApp = {
  readonly services: {
    readonly stowage: {
      readonly image: string
      readonly environment: Readonly<Record<string, string>>
      readonly ports: readonly { readonly target: number; readonly published: string }[]
      readonly volumes: readonly { readonly target: string }[]
    }
  }
  readonly 'x-casaos': { readonly main: string; readonly port_map: string }
}

test('the app of CasaOS has the version, the volumes, the port and the variables of the image', () => {
  const { services, 'x-casaos': store } = parse(read('catalogues/casaos.yaml')) as CasaOsApp
  const { image, environment, ports, volumes } = services.stowage
  expect(image).toBe(`stowage:${version}`)
  expect(volumes.map(({ target }) => target)).toEqual(['/srv', stateFolder])
  expect(ports.map(({ target }) => target)).toEqual([8080])
  expect([store.main, store.port_map]).toEqual(['stowage', ports[0]?.published])
  expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)))
})

test('the template of Unraid has the version, the volumes, the port and the variables of the image', () => {
  const template = read('catalogues/unraid.xml')
  const targetsOf = (type: string) =>
    [...template.matchAll(/<Config [^>]*Target="([^"]*)"[^>]*Type="(\w+)"/g)]
      .filter((match) => match[2] === type)
      .map((match) => match[1])
  expect(template).toContain(`<Repository>stowage:${version}</Repository>`)
  expect(targetsOf('Path')).toEqual(['/srv', stateFolder])
  const [, served = ''] = /Name="Files" [^>]*>([^<]*)</.exec(template) ?? []
  const [, state = ''] = /Name="State" [^>]*>([^<]*)</.exec(template) ?? []
  expect([served, state.startsWith(`${served}/`)]).toEqual(['/mnt/user/media', false])
  expect(targetsOf('Port')).toEqual(['8080'])
  expect(variables).toEqual(expect.arrayContaining(targetsOf('Variable')))
  expect(targetsOf('Variable').length).toBeGreaterThan(3)
})

test('the chart for Kubernetes has the version, the volumes and the port of the image', () => {
  const chart = parse(read('helm/Chart.yaml')) as { version: string; appVersion: string }
  expect([chart.version, chart.appVersion]).toEqual([version, version])
  const deployment = read('helm/templates/deployment.yaml')
  expect([...deployment.matchAll(/mountPath: (.*)/g)].map((match) => match[1])).toEqual([
    '/srv',
    stateFolder,
    '/tmp',
  ])
  expect(deployment).toContain('containerPort: 8080')
  // Kubernetes would set STOWAGE_PORT, an option of the server, to the address of a service called "stowage".
  expect(deployment).toContain('enableServiceLinks: false')
  const named = [...deployment.matchAll(/name: (STOWAGE_\w+)/g)].map((match) => match[1])
  expect(named.length).toBeGreaterThan(0)
  expect(variables).toEqual(expect.arrayContaining(named))
})
