import { expect, test } from 'vitest'
import { clientProduct } from './client-product.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['curl/8.5.0', 'curl/8'],
  ['python-requests/2.31.0', 'python-requests/2'],
  ['FileBrowserClient/3.2.1 CFNetwork/1490.0.4 Darwin/23.2.0', 'FileBrowserClient/3'],
  ['rclone', 'rclone'],
  ['Wget/1.21.4 (linux-gnu; a (nested) comment)', 'Wget/1'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/120.0.0.0 Safari/537.36`, 'Chrome/120'],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/120.0.0.0 Safari/537.36 Edg/121.0`, 'Edg/121'],
  ['Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/122.0', 'Firefox/122'],
  ['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML) Version/17.2 Mobile/15E148 Safari/604.1', 'Safari/17'],
  ['Mozilla/5.0', 'Mozilla/5'],
  ['', ''],
  ['((((((', ''],
  ['))) ok/1', 'ok/1'],
  ['-/-', ''],
  ['<script>alert(1)</script>', 'scriptalert'],
  ['a\u202eb\u0000/9', 'ab/9'],
  ['x/99999999999999999999', 'x/999999'],
  ['__proto__/1', '__proto__/1'],
])('%j is %s', (agent, product) => {
  expect(clientProduct(agent)).toBe(product)
})

test('a product is short and harmless, whatever the header contains', () => {
  const hostile = [
    'a'.repeat(100_000),
    '(/'.repeat(50_000),
    'é"\'<&/'.repeat(9000),
    `${'b'.repeat(60)}/123456`,
  ]
  for (const agent of hostile) expect(clientProduct(agent)).toMatch(/^[A-Za-z0-9._+/-]{0,40}$/)
})
