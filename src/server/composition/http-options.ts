import { readFile } from 'node:fs/promises'
import type { Config } from '../config/serving-options.ts'
import type { HttpOptions } from '../http/http-options.ts'

/** Returns the options of the HTTP server. `staticFolder` is the folder of the built client. */
export async function composeHttpOptions(config: Config, staticFolder: string | null): Promise<HttpOptions> {
  const { cert, key, trustedOrigins, trustedProxies, disableTokenInUrl, logFormat } = config
  const tls =
    cert === '' || key === '' ? {} : { tls: { cert: await readFile(cert), key: await readFile(key) } }
  return {
    basePath: config.baseURL,
    trustedOrigins,
    trustedProxies,
    disableTokenInUrl,
    logFormat: logFormat === 'json' ? 'json' : 'text',
    staticFolder,
    ...tls,
  }
}
