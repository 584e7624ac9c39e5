import { expect, test } from 'vitest'
import { belowBase, routeOf, safeRedirect } from './location.ts'

test.each([
  ['/files/', '/', true],
  ['/files/Docs/', '/Docs', true],
  ['/files/a%252Fb.txt', '/a%2Fb.txt', false],
  ['/files/100%25.txt', '/100%.txt', false],
  ['/files/%5Bx%5D/y', '/[x]/y', false],
  ['/files/%231%20%3Fx.txt', '/#1 ?x.txt', false],
  ['/files/a;b+c.txt', '/a;b+c.txt', false],
  ['/files/cafe%CC%81', '/cafe\u0301', false],
  ['/files/..hidden', '/..hidden', false],
])('the address %s is the path %s', (rawPath, path, isFolder) => {
  expect(routeOf(rawPath, '')).toEqual({ screen: 'files', path, isFolder, rawPath, query: '' })
})

test.each(['/files/a%2Fb', '/files/%2e%2e/x', '/files/%00'])('the address %s is no path', (rawPath) => {
  expect(routeOf(rawPath, '')).toMatchObject({ screen: 'files', path: null })
})

test.each([
  ['/', '', '/files/'],
  ['/files', '?q=x', '/files/?q=x'],
  ['/anything/x', '', '/files/anything/x'],
  ['/anything%20else/', '', '/files/anything%20else/'],
  ['/settings', '', '/settings/profile'],
  ['/settings/', '', '/settings/profile'],
])('%s%s leads to %s', (rawPath, query, redirect) => {
  expect(routeOf(rawPath, query)).toEqual({ redirect })
})

test.each(['login', '403', '404', '500', 'share', 'settings/profile'])(
  '/%s is a screen of its own',
  (screen) => {
    expect(routeOf(`/${screen}`, '')).toMatchObject({ screen: screen.split('/')[0] })
  },
)

test.each([
  ['/fm/files/', '/fm', '/files/'],
  ['/fm', '/fm', '/'],
  ['/fmx/files/', '/fm', null],
  ['/files/', '', '/files/'],
])('%s below the base %s is %s', (pathname, base, below) => {
  expect(belowBase(pathname, base)).toBe(below)
})

const page = { origin: 'http://nas:8080', base: '/fm' }

test.each([
  ['/files/Docs/', '/files/Docs/'],
  ['/files/a%2520b?q=1', '/files/a%2520b?q=1'],
  ['/settings/profile', '/settings/profile'],
])('a login may lead to %s', (wanted, address) => {
  expect(safeRedirect(wanted, page)).toBe(address)
})

test.each([
  null,
  '',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  'javascript:alert(1)',
  'files/',
  '/../../etc',
  '/login',
])('a login does not lead to %s', (wanted) => {
  expect(safeRedirect(wanted, page)).toBe(null)
})
