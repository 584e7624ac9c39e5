import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addresses,
  duration,
  frameAncestors,
  integer,
  list,
  mode,
  noauthToggle,
  oneOf,
  origins,
  toggle,
  type OptionKind,
} from './option-kinds.ts'

const cases: readonly (readonly [string, OptionKind<unknown>, string, unknown])[] = [
  ['switch', toggle, 'true', true],
  ['switch', toggle, 'TRUE', true],
  ['switch', toggle, '1', true],
  ['switch', toggle, 't', true],
  ['switch', toggle, 'false', false],
  ['switch', toggle, '0', false],
  ['switch', toggle, 'yes', undefined],
  ['switch', toggle, '', undefined],
  ['switch', toggle, 'constructor', undefined],
  ['noauth', noauthToggle, 'noauth', true],
  ['noauth', noauthToggle, 'false', false],
  ['number', integer(0, 65_535), '0', 0],
  ['number', integer(0, 65_535), '65535', 65_535],
  ['number', integer(0, 65_535), '65536', undefined],
  ['number', integer(0, 65_535), '-1', undefined],
  ['number', integer(0, 65_535), '80.5', undefined],
  ['number', integer(0, 65_535), '0x50', undefined],
  ['number', integer(0, 65_535), '', undefined],
  ['mode', mode, '0666', 0o666],
  ['mode', mode, '438', 0o666],
  ['mode', mode, '0o640', 0o640],
  ['mode', mode, '0', 0],
  ['mode', mode, '0888', undefined],
  ['mode', mode, '99999', undefined],
  ['mode', mode, 'rw-', undefined],
  ['duration', duration, '2h', 7_200_000],
  ['duration', duration, '1h30m', 5_400_000],
  ['duration', duration, '1.5h', 5_400_000],
  ['duration', duration, '72h', 259_200_000],
  ['duration', duration, '90s', 90_000],
  ['duration', duration, '250ms', 250],
  ['duration', duration, '0s', undefined],
  ['duration', duration, '2', undefined],
  ['duration', duration, '-2h', undefined],
  ['duration', duration, '2 h', undefined],
  ['duration', duration, '1d', undefined],
  ['list', list, ' a, b ,,c ', ['a', 'b', 'c']],
  ['list', list, '', []],
  [
    'frame ancestors',
    frameAncestors,
    "self,'self', HTTPS://Dash.example:443/",
    ["'self'", "'self'", 'https://dash.example'],
  ],
  ['frame ancestors', frameAncestors, '*', undefined],
  ['frame ancestors', frameAncestors, 'https://dash.example/path', undefined],
  ['addresses', addresses, ' 10.0.0.1, ::1 ,,fd00::/8 ', ['10.0.0.1', '::1', 'fd00::/8']],
  ['addresses', addresses, '', []],
  ['addresses', addresses, '0.0.0.0/0,::/0,10.0.0.0/32', ['0.0.0.0/0', '::/0', '10.0.0.0/32']],
  ['addresses', addresses, '10.0.0.0/33', undefined],
  ['addresses', addresses, '::1/129', undefined],
  ['addresses', addresses, '10.0.0.0/', undefined],
  ['addresses', addresses, '10.0.0.0/8/8', undefined],
  ['addresses', addresses, '10.0.0', undefined],
  ['addresses', addresses, 'fe80::1%eth0', undefined],
  ['addresses', addresses, '10.0.0.1 10.0.0.2', undefined],
  ['addresses', addresses, '10.0.0.1,proxy.example', undefined],
  [
    'origins',
    origins,
    'https://a.example, http://b.example:8080',
    ['https://a.example', 'http://b.example:8080'],
  ],
  ['origins', origins, 'HTTPS://A.example:443/', ['https://a.example']],
  ['origins', origins, 'http://[::1]:80', ['http://[::1]']],
  ['origins', origins, '', []],
  ['origins', origins, 'a.example', undefined],
  ['origins', origins, 'null', undefined],
  ['origins', origins, '*', undefined],
  ['origins', origins, 'https://', undefined],
  ['origins', origins, 'https://a.example/files', undefined],
  ['origins', origins, 'https://ann@a.example', undefined],
  ['origins', origins, 'https://a.example:99999', undefined],
  ['origins', origins, 'ftp://a.example', undefined],
  ['word', oneOf('text', 'json'), 'json', 'json'],
  ['word', oneOf('text', 'json'), 'JSON', undefined],
]

test.each(cases)('a text is parsed as %s', (_name, kind, text, value) => {
  expect([text, kind.parse(text)]).toEqual([text, value])
})

test('a duration is the sum of its hours, minutes and seconds', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.integer({ min: 1, max: 1000 }), (hours, minutes, seconds) => {
      const sumMs = ((hours * 60 + minutes) * 60 + seconds) * 1000
      expect(duration.parse(`${hours}h${minutes}m${seconds}s`)).toBe(sumMs)
    }),
  )
})
