import { expect, test } from 'vitest'
import { checkOrigin } from './origin.ts'

type SentHeaders = {
  site?: string
  origin?: string
  host?: string
  /** The values of `X-Forwarded-Host` and `X-Forwarded-Port` that a trusted proxy sends. */
  forwarded?: { host?: string; port?: string }
}

const verdict = (headers: SentHeaders) =>
  checkOrigin(
    {
      site: headers.site,
      origin: headers.origin,
      host: headers.host ?? 'h:80',
      forwarded: headers.forwarded ? { host: headers.forwarded.host, port: headers.forwarded.port } : null,
    },
    ['https://trusted.example'],
  ).kind

test.each([
  [{ site: 'same-origin' }, 'own'],
  [{ site: 'none' }, 'own'],
  [{ site: 'same-site' }, 'foreign'],
  [{ site: 'cross-site' }, 'foreign'],
  [{ site: 'SAME-ORIGIN' }, 'foreign'],
  [{ site: 'same-origin', origin: 'https://evil.example' }, 'own'],
  [{ site: 'cross-site', origin: 'http://h' }, 'foreign'],
  [{}, 'unmarked'],
  [{ origin: 'http://h', host: 'h' }, 'own'],
  [{ origin: 'http://h', host: 'h:80' }, 'own'],
  [{ origin: 'http://h:80', host: 'h' }, 'foreign'],
  [{ origin: 'https://h', host: 'h' }, 'own'],
  [{ origin: 'https://h', host: 'h:443' }, 'own'],
  [{ origin: 'http://h', host: 'H' }, 'own'],
  [{ origin: 'http://h:8080', host: 'h:8080' }, 'own'],
  [{ origin: 'http://[::1]:8080', host: '[::1]:8080' }, 'own'],
  [{ origin: 'http://h:8081', host: 'h:8080' }, 'foreign'],
  [{ origin: 'http://h.evil.example', host: 'h' }, 'foreign'],
  [{ origin: 'null' }, 'foreign'],
  [{ origin: '' }, 'foreign'],
  [{ origin: 'rubbish', host: 'rubbish' }, 'foreign'],
  [{ origin: 'file://', host: '' }, 'foreign'],
  [{ origin: 'https://trusted.example' }, 'own'],
  [{ origin: 'http://trusted.example' }, 'foreign'],
  [{ origin: 'https://trusted.example.evil.example' }, 'foreign'],
  [{ site: 'same-site', origin: 'https://trusted.example' }, 'own'],
  [{ site: 'cross-site', origin: 'https://trusted.example' }, 'foreign'],
  // `proxy_set_header Host $host` drops the port, and other headers may tell it.
  [{ origin: 'http://h.example:8443', host: 'h.example' }, 'foreign'],
  [{ origin: 'http://h.example:8443', host: 'h.example', forwarded: {} }, 'own-host'],
  [{ origin: 'http://h.example:8443', host: 'h.example', forwarded: { port: '8443' } }, 'own'],
  [{ origin: 'http://h.example:8443', host: 'h.example', forwarded: { port: '8443, 80' } }, 'own'],
  [{ origin: 'http://h.example:8443', host: 'h.example', forwarded: { port: '80' } }, 'own-host'],
  [{ origin: 'http://h.example:8443', host: 'h.example', forwarded: { host: 'h.example:8443' } }, 'own'],
  [{ origin: 'https://h.example', host: 'h.example:80', forwarded: { port: '443' } }, 'own'],
  [{ origin: 'http://[fd00::1]:81', host: '[fd00::1]', forwarded: { port: '81' } }, 'own'],
  // A bare `proxy_pass` sends the address of the upstream as `Host`.
  [{ origin: 'http://h.example', host: 'up:80', forwarded: { host: 'h.example' } }, 'own'],
  [{ origin: 'http://h.example:81', host: 'up:80', forwarded: { host: 'h.example', port: '81' } }, 'own'],
  [{ origin: 'http://h.example:81', host: 'up:80', forwarded: { host: 'h.example' } }, 'own-host'],
  [{ origin: 'http://h.example', host: 'up:80', forwarded: { host: 'h.example, inner' } }, 'own'],
  [{ origin: 'http://h.example', host: 'up:80', forwarded: { host: 'inner, h.example' } }, 'own'],
  [{ origin: 'http://h.example', host: 'up:80', forwarded: {} }, 'foreign'],
  [{ origin: 'http://evil.example', host: 'h', forwarded: { host: 'h.example', port: '80' } }, 'foreign'],
  [
    { origin: 'http://h.example:8443', host: 'h.example', forwarded: { port: '8443@evil.example' } },
    'own-host',
  ],
  [{ origin: 'null', host: 'h', forwarded: { host: 'null' } }, 'foreign'],
])('a request with the headers %j is %s', (headers, expected) => {
  expect(verdict(headers)).toBe(expected)
})
