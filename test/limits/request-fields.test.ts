import { readFileSync } from 'node:fs'
import { globSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Type } from 'typebox'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { nameOfField, requestFieldsOf } from '../../scripts/docs/request-fields.ts'
import { endpoint as declare } from '../../src/shared/contract/endpoint.ts'
import { headerCharacters, otherHeaderCharacters } from '../../src/shared/domain/header-limits.ts'
import { converse } from '../kit/start-http-server.ts'
import { openApp, type SignedInUser, type TestApp } from '../kit/start-app.ts'
import { methodOf, requestTargetOf } from '../matrix/samples.ts'
import { requestWith, valueOfSize } from './field-values.ts'

/**
 * These tests go through every field of every query and JSON body, and through every header that the server reads. A new
 * field is found by itself, and fails the tests until it has a limit.
 */
const endpoints = await contractEndpoints()
const allFields = endpoints.flatMap((endpoint) =>
  requestFieldsOf(endpoint).map((field) => ({ endpoint, field, name: nameOfField(endpoint, field) })),
)

/** Fields whose values are limited where they are read. Other tests show their limits. */
const readElsewhere: Readonly<Record<string, string>> = {
  'sessions.login body': 'the body of a login has at most 16 kB',
  'sessions.signup body': 'the body of a signup has at most 16 kB',
  'users.create body.data{}': 'the theme of the editor has at most 256 characters',
  'users.update body.data{}': 'the commands of a user have at most 32 KiB as JSON',
  'settings.update body.defaults{}': 'the theme of the editor has at most 256 characters',
  'settings.update body.rules[]': 'a rule has at most 1 kB',
}

const unlimited = (fields: typeof allFields): string[] =>
  fields.filter(({ field }) => field.max === undefined).map(({ name }) => name)

test('every text, list, number and object of a request has a limit', () => {
  expect(allFields.length).toBeGreaterThan(80)
  expect(unlimited(allFields).toSorted()).toEqual(Object.keys(readElsewhere).toSorted())
  const tests = globSync('*.ts', { cwd: import.meta.dirname })
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  for (const title of Object.values(readElsewhere)) expect(tests).toContain(`limit: '${title}'`)
})

test('a field without a limit is reported, wherever it is', () => {
  const endpoint = declare({
    route: 'tickets.create',
    summary: '',
    audience: 'session',
    body: 'json',
    query: Type.Object({ a: Type.Optional(Type.String()) }),
    schema: Type.Object({
      b: Type.Array(Type.String({ maxLength: 1 })),
      c: Type.Union([Type.Null(), Type.Object({ d: Type.Integer({ minimum: 0 }) })]),
      e: Type.Record(Type.String(), Type.Boolean(), { maxProperties: 2 }),
      f: Type.Array(Type.Object({ g: Type.String() }), { maxItems: 2 }),
      h: Type.Unknown(),
    }),
  })
  const fields = requestFieldsOf(endpoint).map((field) => ({
    endpoint,
    field,
    name: nameOfField(endpoint, field),
  }))
  expect(unlimited(fields)).toEqual(
    ['query.a', 'body.b', 'body.c.d', 'body.e', 'body.f[].g', 'body.h'].map((it) => `tickets.create ${it}`),
  )
})

let app: TestApp
let ada: SignedInUser
beforeAll(async () => {
  app = await openApp({
    files: { docs: { 'a.txt': 'A', sub: {} } },
    users: { ada: { perm: { admin: true } } },
  })
  ada = await app.signIn('ada')
})
afterAll(() => app.close())

const schemaRefusal = 'does not match the schema'

const limitedFields = allFields.filter(({ field }) => field.kind !== 'unknown')

test.each(limitedFields)('$name has two sides', async ({ endpoint, field }) => {
  const max = field.max ?? 0
  const send = async (size: number): Promise<string> => {
    const { query, body } = requestWith(endpoint, field, valueOfSize(endpoint, field, size))
    const target = requestTargetOf(endpoint, { id: ada.user.id, query: query ?? '' })
    const response = await ada.fetch(target, {
      method: methodOf(endpoint),
      ...(body !== undefined && { body }),
    })
    return `${response.status} ${await response.text()}`
  }
  expect(await send(max + 1)).toMatch(new RegExp(`^400 .*${schemaRefusal}`))
  const longest = await send(max)
  expect(longest).not.toContain(schemaRefusal)
  expect(longest).not.toMatch(/^(413|431|500)/)
})

const statusWithHeader = async (name: string, value: string): Promise<string> => {
  const host = name === 'host' ? '' : 'Host: h\r\n'
  const text = `GET /api/usage/ HTTP/1.1\r\n${host}${name}: ${value}\r\nConnection: close\r\n\r\n`
  const response = await converse(Number(new URL(app.url).port), text, 10_000)
  return /^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? response
}

/** Headers that the HTTP parser of Node reads first, and refuses when they have another value than it expects. */
const readByNode = ['content-length', 'expect', 'transfer-encoding', 'upgrade']

/** A header whose operation permits less: test/limits/of-requests.ts shows both sides of its limit. */
const limitedFurther = ['x-origin']

test.each(
  Array.from(headerCharacters).filter(([name]) => ![...readByNode, ...limitedFurther].includes(name)),
)('the header %s may have %i characters', async (name, max) => {
  const value = name === 'host' ? 'h'.repeat(max) : 'a'.repeat(max)
  expect([await statusWithHeader(name, value), await statusWithHeader(name, `${value}a`)]).toEqual([
    '401',
    '400',
  ])
})

/** Returns a value that is sent in several headers of the same name. */
const inHeaders = (count: number) =>
  Array.from({ length: count }, () => 'a'.repeat(250)).join('\r\nX-Upload-Id: ')

test('a header that occurs several times has the same limit', async () => {
  expect(await Promise.all([1, 2].map((count) => statusWithHeader('X-Upload-Id', inHeaders(count))))).toEqual(
    ['401', '400'],
  )
})

const source = path.resolve(import.meta.dirname, '../../src')

/** Returns the names of request headers that a text of source code reads. */
const headersReadIn = (text: string): string[] =>
  [
    ...text.matchAll(/\bheader\(\s*'([\w-]+)'/g),
    ...text.matchAll(/\bheaders(?:\[')([\w-]+)'\]/g),
    ...text.matchAll(/\brequest\.headers\.(\w+)/g),
  ].map(([, name = '']) => name)

test('every header that the server reads is in the table', () => {
  const texts = globSync('server/**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(source, file), 'utf8'))
  const declared = endpoints.flatMap(({ requestHeaders = [] }) =>
    requestHeaders.map(({ name }) => name.toLowerCase()),
  )
  const read = new Set([...texts.flatMap(headersReadIn), ...declared])
  expect(read.size).toBeGreaterThan(25)
  expect([...read].filter((name) => !headerCharacters.has(name))).toEqual([])
  const sample = `request.headers.abc, request.headers['x-b'], header('x-c')`
  expect(headersReadIn(sample).toSorted()).toEqual(['abc', 'x-b', 'x-c'])
})

test('a header that is not in the table has a limit where it is read', async () => {
  const { headerReader } = await import('../../src/server/http/exchange.ts')
  const read = (length: number) =>
    headerReader({ headers: { 'x-user': 'a'.repeat(length) } } as never)('x-user')
  expect(read(otherHeaderCharacters)).toHaveLength(otherHeaderCharacters)
  expect(() => read(otherHeaderCharacters + 1)).toThrow('bad-request')
})
