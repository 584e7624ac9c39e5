import { STATUS_CODES } from 'node:http'
import type { Endpoint, NamedHeader } from '../../shared/contract/endpoint.ts'
import { errorHeader, errorStatus } from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import { failuresOf } from './failures-of.ts'
import { withReferences, type Schemas } from './references.ts'

/** The parts of the OpenAPI document that cannot be derived from the endpoints. */
export type ApiDescriptionOptions = { readonly version: string; readonly basePath: string }

/** Creates an OpenAPI 3.1 document of the endpoints. Their schemas are JSON Schema already and are used unchanged. */
export function describeApi(endpoints: readonly Endpoint[], { version, basePath }: ApiDescriptionOptions) {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Schemas = {}
  for (const endpoint of endpoints) {
    const { method, pattern } = routes[endpoint.route]
    const path = pattern.replace('*', '{path}')
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: withReferences(operationOf(endpoint, path), schemas),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stowage',
      version,
      description:
        'HEAD works wherever GET does. `{path}` holds slashes between names that are percent-encoded each, and may be empty. ' +
        'A failure is one line of text; its code is in the header `X-Error`. Every path answers 405 and `Allow` to a method that is ' +
        'not listed. Malformed HTTP is answered 400, 408, 413 or 431 before any call is reached.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths: sorted(paths),
    components: {
      schemas: sorted(schemas),
      securitySchemes,
      headers: sharedHeaders,
      responses: failureResponses(),
    },
  }
}

const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth',
    description: 'The session token, which logging in answers.',
  },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'Set by logging in; it reads only.' },
  address: {
    type: 'apiKey',
    in: 'query',
    name: 'auth',
    description: 'The same token as in `X-Auth`, or a ticket.',
  },
}

/** Headers that many calls send. The document defines them once and refers to them. */
const sharedHeaders = {
  'X-Renew-Token': {
    description: 'Sent when the token should be renewed: it expires soon, or its user was changed',
    schema: { const: 'true' },
  },
}

function operationOf(endpoint: Endpoint, path: string) {
  const { route, summary, needs } = endpoint
  return {
    operationId: route,
    tags: [route.split('.')[0]],
    summary,
    ...(needs === undefined ? {} : { description: `Needs the permission \`${needs}\`.` }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(endpoint.query),
      ...(endpoint.requestHeaders ?? []).map(headerParameter),
    ],
    ...bodyOf(endpoint),
    responses: { ...successOf(endpoint), ...referencesTo(failuresOf(endpoint)) },
    security: securityOf(endpoint),
  }
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))

function queryParameters(schema: Endpoint['query']) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const headerParameter = ({ name, description, isRequired = false, schema = anyText }: NamedHeader) => ({
  name,
  in: 'header',
  description,
  required: isRequired,
  schema,
})

const anyText = { type: 'string' }

function bodyOf({ body, schema = {}, bodyMediaType = '*/*' }: Endpoint) {
  if (body === 'none') return {}
  if (body === 'bytes') {
    return { requestBody: { content: { [bodyMediaType]: { schema: { type: 'string', format: 'binary' } } } } }
  }
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchemaType[] }
  const sent = anyOf?.filter((kind) => !isNothing(kind))
  const isRequired = sent === undefined || sent.length === anyOf?.length
  const content = { 'application/json': { schema: isRequired ? schema : { anyOf: sent } } }
  return { requestBody: { required: isRequired, content } }
}

type JsonSchemaType = { readonly type?: string }

/**
 * True for the schema of a missing body. JSON Schema has no type for it; the document declares that the body is not
 * required instead.
 */
const isNothing = ({ type }: JsonSchemaType): boolean => type === 'undefined'

const lineOfStatus = { 'text/plain': anyText }

/** Describes the successful responses with their content and headers. The statuses 204 and 304 have no content. */
function successOf(endpoint: Endpoint) {
  const { successStatuses = [200], isSocket = false } = endpoint
  if (isSocket) return { 101: { description: 'The socket is open' } }
  const headers = headersOf(endpoint)
  const content = contentOf(endpoint)
  return Object.fromEntries(
    successStatuses.map((status) => [
      status,
      { description: STATUS_CODES[status], headers, ...(isEmpty(status) ? {} : { content }) },
    ]),
  )
}

/**
 * Describes the content of successful responses. OpenAPI 3.2 has a keyword for the schema of one line. This document
 * uses 3.1, where the keyword is written as an extension with the same name.
 */
const contentOf = ({ responses = lineOfStatus, lineSchemas = {} }: Endpoint) =>
  Object.fromEntries(
    Object.entries(responses).map(([type, schema]) => [
      type,
      { schema, ...(type in lineSchemas ? { 'x-itemSchema': lineSchemas[type] } : {}) },
    ]),
  )

const headersOf = ({ responseHeaders = [], headers = {}, audience }: Endpoint) => ({
  ...Object.fromEntries(responseHeaders.map(responseHeader)),
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { schema: { const: value } }])),
  ...(audience === 'anyone' ? {} : { 'X-Renew-Token': { $ref: '#/components/headers/X-Renew-Token' } }),
})

const isEmpty = (status: number): boolean => status === 204 || status === 304

const responseHeader = ({ name, description, schema = anyText }: NamedHeader) => [
  name,
  { description, schema },
]

const referencesTo = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((code) => [errorStatus[code], { $ref: `#/components/responses/${errorStatus[code]}` }]),
  )

/** Describes one response for each failure status, with the failure codes that the response may contain. */
function failureResponses() {
  const statuses = Object.values(errorStatus).toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(errorStatus).flatMap(([code, its]) => (its === status ? [code] : []))
      const word = { description: 'The code of the failure', schema: { enum: codes } }
      return [
        status,
        {
          description: codes.join(', '),
          headers: { [errorHeader]: word, ...failureHeaders[status] },
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      ]
    }),
  )
}

const later = {
  'Retry-After': { description: 'Seconds to wait, where they are known', schema: { type: 'integer' } },
}

const failureHeaders: Readonly<Record<number, object>> = {
  405: { Allow: { description: 'The methods of the path, where it has others', schema: anyText } },
  416: { 'Content-Range': { description: 'The number of bytes of the file', schema: anyText } },
  429: later,
  500: { 'X-Request-Id': { description: 'The id of the failure in the log', schema: anyText } },
  503: later,
}

/** Lists the methods of authentication that the endpoint accepts (contract 2.2). */
function securityOf({ route, audience, takesTokenInQuery, takesCookieForChange }: Endpoint) {
  if (audience === 'anyone') return []
  const takesCookie = routes[route].method === 'GET' || takesCookieForChange === true
  return [
    { token: [] },
    ...(takesCookie ? [{ cookie: [] }] : []),
    ...(takesTokenInQuery === true ? [{ address: [] }] : []),
  ]
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
