import { describe, expectTypeOf, test } from 'vitest'
import type { FileResource, FolderResource } from '../../shared/contract/resources.ts'
import type { RouteName } from '../../shared/contract/routes.ts'
import type { FileSystemUsage } from '../../shared/contract/usage.ts'
import type { EndpointOf } from '../../shared/contract/endpoints.ts'
import { root } from '../../shared/domain/path.ts'
import { call, callJson } from './call.ts'
import { href } from './href.ts'

/**
 * Functions that are only compiled and never called. Only the compiler checks them: it fails when an expected type error
 * is missing. The tests with such functions always pass at run time.
 */
type UncalledFunctions = readonly (() => unknown)[]

test('every call has exactly one endpoint in the types of the contract', () => {
  type EndpointRouteNames = { [Name in RouteName]: EndpointOf<Name>['route'] }
  expectTypeOf<EndpointRouteNames>().toEqualTypeOf<{ [Name in RouteName]: Name }>()
})

describe('the URL of a call', () => {
  test('takes the parameters of the pattern', () =>
    expectTypeOf<UncalledFunctions>([
      () => href('users.get', { id: 3 }),
      () => href('preview.get', { size: 'thumb', path: root }),
      () => href('users.list'),
      // @ts-expect-error: the pattern has an {id}
      () => href('users.get'),
      // @ts-expect-error: an id is a number
      () => href('users.get', { id: 'me' }),
      // @ts-expect-error: the pattern has no {id}
      () => href('users.list', { id: 3 }),
      // @ts-expect-error: the pattern has a {size}
      () => href('preview.get', { path: root }),
    ]).toExtend<object>())

  test('takes a path exactly where the pattern has one', () =>
    expectTypeOf<UncalledFunctions>([
      () => href('resources.get', { path: root, isFolder: true }),
      // @ts-expect-error: the pattern has a path
      () => href('resources.get'),
      // @ts-expect-error: the pattern has no path
      () => href('settings.get', { path: root }),
    ]).toExtend<object>())

  test('takes the keys of the query that the endpoint declares', () =>
    expectTypeOf<UncalledFunctions>([
      () => href('raw.get', { path: root, query: { inline: true, algo: undefined } }),
      // @ts-expect-error: the endpoint has no query key `inlined`
      () => href('raw.get', { path: root, query: { inlined: true } }),
      // @ts-expect-error: the endpoint has no query
      () => href('users.list', { query: { inline: true } }),
    ]).toExtend<object>())
})

describe('a call', () => {
  test('takes the body that the endpoint declares', () =>
    expectTypeOf<UncalledFunctions>([
      () => call('users.update', { id: 1, body: { what: 'user', which: ['locale'], data: { id: 1 } } }),
      () => call('users.remove', { id: 1 }),
      () => call('resources.create', { path: root, body: new Uint8Array() }),
      // @ts-expect-error: the body is required
      () => call('users.update', { id: 1 }),
      // @ts-expect-error: the body requires the field `data`
      () => call('users.update', { id: 1, body: { what: 'user' } }),
      // @ts-expect-error: a file is sent as bytes
      () => call('resources.create', { path: root, body: { name: 'a' } }),
      // @ts-expect-error: the endpoint accepts no body
      () => call('users.list', { body: {} }),
    ]).toExtend<object>())

  test('returns the JSON that the endpoint declares', () => {
    expectTypeOf(callJson<'resources.get'>).returns.resolves.toEqualTypeOf<FolderResource | FileResource>()
    expectTypeOf<UncalledFunctions>([
      async () => (await callJson('users.list')).map(({ username }) => username.trim()),
      async () => (await (await call('usage.get', { path: root })).json()).used.toFixed(),
      async () => (await callJson('settings.get')).branding.color.trim(),
      // @ts-expect-error: the usage has no field `free`
      async () => (await (await call('usage.get', { path: root })).json()).free,
      // @ts-expect-error: a user has no field `nickname`
      async () => (await callJson('users.list')).map(({ nickname }) => nickname),
    ]).toExtend<object>()
  })

  test('returns no JSON where the endpoint declares none, and never a type that the caller chooses', () =>
    expectTypeOf<UncalledFunctions>([
      // @ts-expect-error: the response of a logout is text, not JSON
      () => callJson('sessions.logout'),
      // @ts-expect-error: the type of the response is derived from the name
      () => callJson<FileSystemUsage>('users.list'),
    ]).toExtend<object>())
})
