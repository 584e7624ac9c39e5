import { readFile, stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createSecureContext, Server as TlsServer } from 'node:tls'

/** A certificate and its private key in PEM format. */
export type CertificatePair = { readonly cert: Buffer; readonly key: Buffer }

/** The certificate of a server, which other programs renew while the server runs. */
export type Certificate = {
  readonly current: () => CertificatePair
  /**
   * Reads the files again when they have changed. Returns the new pair; null when the current pair stays, because nothing
   * has changed or because the new files do not belong together. The latter is logged once.
   */
  readonly renew: () => Promise<CertificatePair | null>
}

type CertificateFiles = { readonly cert: string; readonly key: string }

/** Reads a certificate and its key. Throws when they cannot be read or do not belong together. */
export async function openCertificate(
  files: CertificateFiles,
  log: (line: string) => void,
): Promise<Certificate> {
  let version = await versionOf(files)
  let pair = await readPair(files)
  return {
    current: () => pair,
    async renew() {
      const found = await versionOf(files)
      if (found === version) return null
      version = found
      try {
        pair = await readPair(files)
      } catch (error) {
        log(
          `Warning: the certificate ${files.cert} has changed and cannot be used: ${String(error)}; the former one stays`,
        )
        return null
      }
      log(`The certificate ${files.cert} was read again`)
      return pair
    },
  }
}

async function readPair({ cert, key }: CertificateFiles): Promise<CertificatePair> {
  const pair = { cert: await readFile(cert), key: await readFile(key) }
  createSecureContext(pair)
  return pair
}

/** Returns a text that differs when one of the files was replaced or written, or when a link leads elsewhere. */
async function versionOf({ cert, key }: CertificateFiles): Promise<string> {
  const stats = await Promise.all(
    [cert, key].map((file) =>
      stat(file).catch(({ code }: NodeJS.ErrnoException) => ({ ino: code, size: 0, mtimeMs: 0 })),
    ),
  )
  return stats.map(({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`).join(' ')
}

/** The interval in milliseconds at which the files of the certificate are looked at. */
const intervalMs = 10_000

/**
 * Looks at regular intervals whether the certificate was renewed. New connections then get the new one, and open
 * connections go on. `renew` looks at once. Both do nothing for a server without TLS.
 */
export function watchCertificate(
  server: Server,
  certificate: Certificate | undefined,
): { readonly renew: () => Promise<void>; readonly stop: () => void } {
  if (certificate === undefined || !(server instanceof TlsServer))
    return { renew: async () => {}, stop: () => {} }
  const renew = async (): Promise<void> => {
    const pair = await certificate.renew()
    if (pair !== null) server.setSecureContext(pair)
  }
  const timer = setInterval(() => void renew(), intervalMs).unref()
  return { renew, stop: () => clearInterval(timer) }
}
