import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'

const folder = join(import.meta.dirname, '../../src/shared/contract')

/** Returns all endpoints that the contract declares, in the order of `routes.ts`. */
export async function contractEndpoints(): Promise<readonly Endpoint[]> {
  const endpoints: Endpoint[] = []
  for (const file of readdirSync(folder).filter((name) => /^[\w-]+\.ts$/.test(name))) {
    const exported = Object.values((await import(pathToFileURL(join(folder, file)).href)) as object)
    endpoints.push(...exported.filter(isEndpoint))
  }
  const order = Object.keys(routes)
  return endpoints.toSorted((a, b) => order.indexOf(a.route) - order.indexOf(b.route))
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'route' in value
