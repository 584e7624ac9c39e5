import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

const knownHosts = [
  '127.0.0.1:8080',
  'LOCALHOST',
  'app.localhost:3000',
  '[::1]:8080',
  '203.0.113.7',
  'nas',
  'stowage:8080',
  'nas.',
  'nas.local',
  'files.home.arpa:81',
  'box.lan',
  'files.internal',
  'files.trusted.example:8443',
]
const unknownHosts = [
  'evil.example',
  'evil.example:8080',
  'evil.example.',
  '127.0.0.1.evil.example',
  'nas.local.evil.example',
  'trusted.example',
  'x@127.0.0.1.evil.example',
  'a b',
]

test('without a login method, only hosts that no page of another site can use get a token', async () => {
  const app = await startApp({
    user: { perm: { admin: true } },
    settings: { authMethod: 'noauth' },
    config: { trustedOrigins: ['https://files.trusted.example'] },
  })
  const { port } = new URL(app.url)
  const answerTo = (headers: Record<string, string | string[]>) =>
    new Promise<string>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port,
        path: '/api/login',
        method: 'POST',
        headers,
        agent: false,
      })
      sent.once('response', (answer) => {
        const code = String(answer.headers['x-error'] ?? answer.statusCode)
        answer.resume().once('end', () => resolve(code))
      })
      sent.once('error', reject).end()
    })
  const answersTo = (hosts: readonly string[]) =>
    Promise.all(hosts.map(async (host) => [host, await answerTo({ host })]))
  expect(await answersTo(knownHosts)).toEqual(knownHosts.map((host) => [host, '200']))
  expect(await answersTo(unknownHosts)).toEqual(unknownHosts.map((host) => [host, 'unknown-host']))
  expect(app.lines.at(-1)).toContain('needs no login and does not know the host')
  const forwarded = (...values: string[]) => answerTo({ host: '127.0.0.1', 'x-forwarded-host': values })
  expect([
    await forwarded('files.trusted.example'),
    await forwarded('evil.example'),
    await forwarded('127.0.0.1', 'evil.example'),
    await forwarded('127.0.0.1, evil.example, nas'),
  ]).toEqual(['200', 'unknown-host', 'unknown-host', 'unknown-host'])
})
