import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from '../../src/server/openapi/describe-api.ts'
import { contractEndpoints } from './contract-endpoints.ts'

/** Returns the OpenAPI description of a server without a base path. */
export async function apiPage(): Promise<string> {
  const document = describeApi(await contractEndpoints(), { version: versionOfPackage(), basePath: '' })
  return `${JSON.stringify(document, null, 2)}\n`
}

function versionOfPackage(): string {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
