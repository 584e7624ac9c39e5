import { copyFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { getHealth } from '../../shared/contract/server.ts'
import { createCertificate, type CertificateFiles } from '../../../test/kit/certificate.ts'
import { succeeds } from '../../../test/kit/mounts.ts'
import { startHttpServer } from '../../../test/kit/start-http-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { openCertificate } from './certificate.ts'
import { done, route } from './route.ts'

/** Returns the name in the certificate that a server shows to a new connection. */
const nameShownAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.once('error', reject)
  })

test.runIf(succeeds('openssl', 'version'))(
  'a renewed certificate is used without a restart, and one that does not fit its key is not',
  async () => {
    const folder = temporaryFolder()
    const [used, old, renewed] = ['used', 'old', 'renewed'].map((name) =>
      createCertificate(folder, name),
    ) as [CertificateFiles, CertificateFiles, CertificateFiles]
    const replace = (part: 'cert' | 'key', { [part]: source }: typeof old) => copyFileSync(source, used[part])
    replace('cert', old)
    replace('key', old)
    const lines: string[] = []
    const tls = await openCertificate(used, (line) => void lines.push(line))
    const { port, renewCertificate } = await startHttpServer({
      routes: [route(getHealth, async () => done)],
      options: { tls },
    })
    expect(await nameShownAt(port)).toBe('old')
    await renewCertificate()

    replace('cert', renewed)
    await renewCertificate()
    await renewCertificate()
    expect(await nameShownAt(port)).toBe('old')
    expect(lines).toEqual([
      expect.stringMatching(/^Warning: the certificate .* cannot be used: .*the former one stays$/),
    ])

    replace('key', renewed)
    await renewCertificate()
    expect([await nameShownAt(port), lines.slice(1)]).toEqual([
      'renewed',
      [`The certificate ${used.cert} was read again`],
    ])

    writeFileSync(used.cert, '')
    await renewCertificate()
    expect(await nameShownAt(port)).toBe('renewed')
    await expect(openCertificate(used, () => {})).rejects.toThrow('no start line')
  },
)
