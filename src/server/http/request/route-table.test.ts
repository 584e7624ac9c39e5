import { expect, test } from 'vitest'
import { routes, type RouteName } from '../../../shared/contract/routes.ts'
import { createRouteMatcher } from './route-table.ts'

const match = createRouteMatcher(Object.keys(routes) as RouteName[])
const route = (name: RouteName, rest = '/', params = {}) => ({ kind: 'route', name, rest, params })

test.each([
  ['GET', '/api/resources', route('resources.get')],
  ['GET', '/api/resources/', route('resources.get')],
  ['GET', '/api/resources/a%2Fb/', route('resources.get', '/a%2Fb/')],
  ['HEAD', '/api/resources/a', route('resources.get', '/a')],
  ['GET', '/api/resources//a', route('resources.get', '//a')],
  ['GET', '/api/resources/recursive', route('resources.get', '/recursive')],
  ['GET', '/api/resources/recursive/', route('resources.recursive')],
  ['HEAD', '/api/resources/recursive/a/', route('resources.recursive', '/a/')],
  ['GET', '/api/resources/recursive2/a', route('resources.get', '/recursive2/a')],
  ['PUT', '/api/resources/recursive/a', route('resources.save', '/recursive/a')],
  ['GET', '/api/resourcesfoo', { kind: 'unknown' }],
  ['GET', '/api/re%73ources/a', { kind: 'unknown' }],
  ['GET', '/API/resources/a', { kind: 'page' }],
  ['PATCH', '/api/resources/a', route('resources.transfer', '/a')],
  [
    'OPTIONS',
    '/api/resources/a',
    { kind: 'wrong-method', allow: expect.arrayContaining(['GET', 'HEAD', 'DELETE']) },
  ],
  ['GET', '/api/login', { kind: 'wrong-method', allow: ['POST'] }],
  ['GET', '/api/login/', { kind: 'unknown' }],
  ['GET', '/api/users/1', route('users.get', '/', { id: 1 })],
  ['GET', '/api/users/12345678', route('users.get', '/', { id: 12345678 })],
  ['GET', '/api/preview/big/a%2Fb', route('preview.get', '/a%2Fb', { size: 'big' })],
  ['GET', '/api/preview//a', route('preview.get', '/a', { size: '' })],
  ['GET', '/api/users/0', { kind: 'unknown' }],
  ['GET', '/api/users/01', { kind: 'unknown' }],
  ['GET', '/api/users/-1', { kind: 'unknown' }],
  ['GET', '/api/users/1/', { kind: 'unknown' }],
  ['GET', '/api/users/me', { kind: 'unknown' }],
  ['GET', '/api/users/99999999999999999', { kind: 'unknown' }],
  ['GET', '/api', { kind: 'unknown' }],
  ['GET', '/api/', { kind: 'unknown' }],
  ['GET', '/api/nope', { kind: 'unknown' }],
  ['GET', '/health', route('health.get')],
  ['OPTIONS', '/health', route('health.get')],
  ['GET', '/healthy', { kind: 'page' }],
  ['GET', '/apis', { kind: 'page' }],
  ['GET', '/', { kind: 'page' }],
  ['HEAD', '/files/a', { kind: 'page' }],
  ['POST', '/files/a', { kind: 'unknown' }],
  ['GET', '/static/a.js', { kind: 'static', rest: '/a.js' }],
  ['GET', '/static', { kind: 'static', rest: '' }],
  ['POST', '/static/a.js', { kind: 'unknown' }],
])('%s %s matches its route', (method, path, expected) => {
  expect(match(method, path)).toEqual(expected)
})
