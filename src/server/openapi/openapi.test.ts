import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { routes } from '../../shared/contract/routes.ts'
import { startApp } from '../../../test/kit/start-app.ts'

type JsonObject = { readonly [key: string]: unknown }
type OpenApiDocument = JsonObject & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}
type OperationObject = JsonObject & {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, JsonObject>>
}

const file = join(import.meta.dirname, '../../../docs/generated/api.json')
const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/**
 * Returns the rules of OpenAPI 3.1.0 (chapter 4.8) that the document breaks. Only rules for the parts that this server
 * uses are checked.
 */
function violationsIn(document: OpenApiDocument): string[] {
  const info = document['info'] as JsonObject | undefined
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  return [
    ...(/^3\.1\.\d+$/.test(String(document['openapi'])) ? [] : ['openapi is no 3.1']),
    ...(typeof info?.['title'] === 'string' ? [] : ['info.title is missing']),
    ...(typeof info?.['version'] === 'string' ? [] : ['info.version is missing']),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`),
    ...brokenReferences(document),
    ...operations.flatMap(({ path, verb, operation }) => [
      ...(path.startsWith('/') ? [] : [`${path} does not begin with a slash`]),
      ...(methods.includes(verb) ? [] : [`${verb} ${path} is no method`]),
      ...operationViolations(document, operation, path).map((fault) => `${operation.operationId}: ${fault}`),
    ]),
  ]
}

function operationViolations(document: OpenApiDocument, operation: OperationObject, path: string): string[] {
  const { parameters, responses } = operation
  const parameterNames = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => `path ${name ?? ''}`)
  const schemes = (document['components'] as JsonObject)['securitySchemes'] as JsonObject
  const security = (operation['security'] ?? []) as readonly JsonObject[]
  return [
    ...parameterNames
      .filter((name, index) => parameterNames.indexOf(name) !== index)
      .map((name) => `${name} is there twice`),
    ...inPath.filter((name) => !parameterNames.includes(name)).map((name) => `${name} is not declared`),
    ...parameterNames
      .filter((name) => name.startsWith('path ') && !inPath.includes(name))
      .map((name) => `${name} is not in the path`),
    ...parameters
      .filter((parameter) => parameter.in === 'path' && !parameter.required)
      .map(({ name }) => `${name} must be required`),
    ...parameters.filter((parameter) => !('schema' in parameter)).map(({ name }) => `${name} has no schema`),
    ...(Object.keys(responses).length === 0 ? ['no answer'] : []),
    ...Object.keys(responses)
      .filter((status) => !/^([1-5]\d\d|[1-5]XX|default)$/.test(status))
      .map((status) => `${status} is no status`),
    ...Object.entries(responses)
      .filter(([, response]) => !('description' in response) && !('$ref' in response))
      .map(([status]) => `${status} has no description`),
    ...security
      .flatMap((way) => Object.keys(way))
      .filter((name) => !(name in schemes))
      .map((name) => `${name} is no way to sign in`),
    ...('requestBody' in operation && !('content' in (operation['requestBody'] as JsonObject))
      ? ['a body without content']
      : []),
  ]
}

function brokenReferences(document: JsonObject): string[] {
  const found = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  const valueAt = (reference: string) =>
    reference.split('/').reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], document)
  return [...new Set(Array.from(found, ([, reference = '']) => reference))]
    .filter((reference) => valueAt(reference) === undefined)
    .map((reference) => `${reference} leads nowhere`)
}

test('the description follows OpenAPI 3.1', () => expect(violationsIn(document)).toEqual([]))

test('a validator accepts the description', async () => {
  const validator = new Validator()
  expect(await validator.validate({ ...document })).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(await validator.validate({ ...document, paths: { 'no-slash': {} } })).toMatchObject({ valid: false })
})

test('a description that violates OpenAPI 3.1 is noticed', () => {
  const broken = {
    openapi: '3.0.0',
    info: { title: 'x' },
    paths: {
      '/a/{id}': {
        get: {
          operationId: 'a',
          parameters: [{ name: 'other', in: 'path', required: false }],
          responses: { 2: {}, 404: { $ref: '#/components/responses/404' } },
          security: [{ key: [] }],
        },
        fetch: {
          operationId: 'a',
          parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
          responses: {},
        },
      },
    },
    components: { securitySchemes: {} },
  }
  expect(violationsIn(broken as unknown as OpenApiDocument)).toEqual([
    'openapi is no 3.1',
    'info.version is missing',
    'a is there twice',
    'components/responses/404 leads nowhere',
    'a: path id is not declared',
    'a: path other is not in the path',
    'a: other must be required',
    'a: other has no schema',
    'a: 2 is no status',
    'a: 2 has no description',
    'a: key is no way to sign in',
    'fetch /a/{id} is no method',
    'a: no answer',
  ])
})

test('the description has every call with its method and the failures that follow from its declaration', () => {
  for (const [name, { method, pattern }] of Object.entries(routes)) {
    const operation = document.paths[pattern.replace('*', '{path}')]?.[method.toLowerCase()]
    expect([name, operation?.operationId]).toEqual([name, name])
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['400', '500']))
  }
})

test('a call that needs a session describes its authentication and the response 401', () => {
  expect(document.paths['/api/raw/{path}']?.['get']).toMatchObject({
    description: 'Needs the permission `download`.',
    security: [{ token: [] }, { cookie: [] }, { queryToken: [] }],
    responses: { 401: {}, 403: {}, 404: {}, 416: {} },
  })
  expect(document.paths['/api/users/{id}']?.['put']).toMatchObject({ security: [{ token: [] }] })
  expect(document.paths['/health']?.['get']).toMatchObject({ security: [] })
})

test.each([
  ['post', '/api/tus/{path}', ['Upload-Length']],
  ['patch', '/api/tus/{path}', ['Upload-Offset']],
  ['get', '/api/public/share/{path}', ['X-SHARE-PASSWORD']],
  ['get', '/api/public/dl/{path}', ['X-SHARE-PASSWORD', 'Range', 'If-None-Match']],
  ['put', '/api/resources/{path}', ['If-Match']],
  ['get', '/api/raw/{path}', ['Range', 'If-Range', 'If-None-Match']],
])('the description of %s %s contains the headers that the call reads', (verb, path, names) => {
  const headers = document.paths[path]?.[verb]?.parameters.filter((parameter) => parameter.in === 'header')
  expect(headers?.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

test('refusals are described with the header that names the refused value or the missing permission', () => {
  expect(document.components).toMatchObject({
    responses: { 400: { headers: { 'x-refused': {} } }, 403: { headers: { 'x-permission': {} } } },
  })
})

test('the parts of an upload have the media type of the protocol, and the responses have the offset', () => {
  const begin = document.paths['/api/tus/{path}']?.['post']
  expect(begin?.responses['201']).toMatchObject({ headers: { Location: {} } })
  expect(document.paths['/api/tus/{path}']?.['patch']).toMatchObject({
    requestBody: { content: { 'application/offset+octet-stream': {} } },
    responses: { 204: { headers: { 'Upload-Offset': { schema: { type: 'integer' } } } } },
  })
})

test('the description contains the status 429 for sign-ups and for share passwords', () => {
  expect(document.paths['/api/signup']?.['post']).toMatchObject({ responses: { 405: {}, 409: {}, 429: {} } })
  for (const call of ['share', 'dl'])
    expect(document.paths[`/api/public/${call}/{path}`]?.['get']).toMatchObject({
      responses: { 401: {}, 403: {}, 429: {} },
    })
})

test('every successful response with content describes its schema', () => {
  const contents = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.entries(content as JsonObject).map(([type, of]) => ({
          operationId,
          type,
          of: of as JsonObject,
        })),
      ),
    )
  expect(contents.length).toBeGreaterThan(30)
  expect(contents.filter(({ of }) => Object.keys((of['schema'] ?? {}) as JsonObject).length === 0)).toEqual(
    [],
  )
  expect(document.paths['/api/users']?.['get']?.responses['200']).toMatchObject({
    content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/User' } } } },
  })
})

test('anyone gets the same description, with the base path of the server', async () => {
  const app = await startApp({ basePath: '/fb' })
  const reply = await app.fetch('/api/openapi.json', { token: null })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  const served = (await reply.json()) as OpenApiDocument
  expect(served).toMatchObject({ servers: [{ url: '/fb' }], info: { version: 'test' } })
  expect({ ...served, servers: document['servers'], info: document['info'] }).toEqual(document)
})
