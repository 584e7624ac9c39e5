import { expect, test } from 'vitest'
import { checkOrigin } from './origin.ts'

const verdict = (headers: { site?: string; origin?: string; host?: string }) =>
  checkOrigin(
    {
      site: headers.site,
      origin: headers.origin,
      host: headers.host ?? 'h:80',
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
])('a request with the headers %j is %s', (headers, expected) => {
  expect(verdict(headers)).toBe(expected)
})
