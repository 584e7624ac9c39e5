import type { Config } from '../config/serving-options.ts'
import type { MemoryBudget } from '../config/memory-budget.ts'
import type { HttpOptions } from '../http/http-options.ts'
import { openCertificate } from '../http/certificate.ts'

export type HttpOptionsDependencies = {
  readonly config: Config
  readonly memoryBudget: MemoryBudget
  readonly runtime: { readonly clientFolder: string | null; readonly log: (line: string) => void }
}

/** Returns the options of the HTTP server. The folder of the client is served only when the client was built. */
export async function composeHttpOptions(
  { config, memoryBudget, runtime }: HttpOptionsDependencies,
  isClientBuilt: boolean,
): Promise<HttpOptions> {
  const { cert, key, trustedOrigins, trustedProxies, disableTokenInUrl, logFormat } = config
  const isEncrypted = cert !== '' && key !== ''
  return {
    basePath: config.baseURL,
    trustedOrigins,
    trustedProxies,
    disableTokenInUrl,
    logFormat: logFormat === 'json' ? 'json' : 'text',
    limits: responseLimits(memoryBudget),
    staticFolder: isClientBuilt ? runtime.clientFolder : null,
    ...(isEncrypted && { tls: await openCertificate({ cert, key }, runtime.log) }),
  }
}

/** One person may hold a third of what is in memory until clients have read it. */
const responseLimits = ({ readingBytes, responseBytes }: MemoryBudget) => ({
  readingBytes,
  readingBytesPerPerson: Math.floor(readingBytes / 3),
  largeResponseBytes: responseBytes,
  largeResponseBytesPerPerson: Math.floor(responseBytes / 3),
})
