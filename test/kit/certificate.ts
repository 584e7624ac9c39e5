import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** The files of a certificate and its private key. */
export type CertificateFiles = { readonly cert: string; readonly key: string }

/** Creates a self-signed certificate for a name, and its key, with the program `openssl`. */
export function createCertificate(folder: string, name: string): CertificateFiles {
  const [cert, key] = ['cert', 'key'].map((kind) => path.join(folder, `${name}.${kind}`)) as [string, string]
  const subject = ['-subj', `/CN=${name}`, '-days', '1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-out', cert, '-keyout', key], {
    stdio: 'ignore',
  })
  return { cert, key }
}
