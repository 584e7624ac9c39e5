import { expect, test } from 'vitest'
import type { IncomingMessage } from 'node:http'
import { clientOf, createAddressList } from './client-address.ts'

const isTrusted = createAddressList(['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8', 'rubbish', '1.2.3.4/99'])
const from = (peer: string | undefined, headers: Record<string, string> = {}) =>
  clientOf({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage, isTrusted)

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '9.9.9.9, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '9.9.9.9, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['127.0.0.1', '10.1.2.3, 10.1.2.4', '10.1.2.3'],
  ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['127.0.0.1', 'nonsense', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1, nonsense', '127.0.0.1'],
  ['127.0.0.1', 'fe80::1%eth0', '127.0.0.1'],
  ['127.0.0.1', `9.9.9.9, fe80::1%${'a'.repeat(46)}`, '127.0.0.1'],
  ['127.0.0.1', `[fe80::1%${'a'.repeat(46)}]:80, 198.51.100.1`, '198.51.100.1'],
  ['127.0.0.1', '0000:0000:0000:0000:0000:ffff:198.051.100.001', '127.0.0.1'],
  [
    '127.0.0.1',
    '2001:0db8:0000:0000:0000:0000:198.51.100.100',
    '2001:0db8:0000:0000:0000:0000:198.51.100.100',
  ],
  ['fd12::1', '2001:db8::1', '2001:db8::1'],
  ['1.2.3.4', '198.51.100.1', '1.2.3.4'],
  [undefined, '198.51.100.1', '198.51.100.1'],
  [undefined, undefined, '127.0.0.1'],
])('the client of a request from %s with X-Forwarded-For %s is %s', (peer, forwarded, address) => {
  expect(from(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }).address).toBe(address)
})

test.each([
  ['127.0.0.1', 'https', true],
  ['127.0.0.1', 'https, http', false],
  ['127.0.0.1', 'http', false],
  ['203.0.113.9', 'https', false],
])('a request from %s with X-Forwarded-Proto %s is secure: %s', (peer, proto, isSecure) => {
  expect(from(peer, { 'x-forwarded-proto': proto }).isSecure).toBe(isSecure)
})
