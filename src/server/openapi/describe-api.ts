import { STATUS_CODES } from 'node:http'
import type { Endpoint, NamedHeader } from '../../shared/contract/endpoint.ts'
import { errorHeader, errorStatus } from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import { failuresOf } from './failures-of.ts'
import { withReferences, type Schemas } from './references.ts'

/** What the description says of the server beside its calls. */
export type Described = { readonly version: string; readonly basePath: string }

/** A document of OpenAPI 3.1 about the calls: their schemas are JSON Schema already, so they are put in as they are. */
export function describeApi(endpoints: readonly Endpoint[], { version, basePath }: Described) {
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
        'A failure is one line of text; its word is in the header `X-Error`. Every path answers 405 and `Allow` to a method that is ' +
        'not listed, and what is no request of HTTP is answered 400, 408, 413 or 431 before any call is reached.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths: sorted(paths),
    components: {
      schemas: sorted(schemas),
      securitySchemes,
      headers: sharedHeaders,
      responses: failureAnswers(),
    },
  }
}

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'X-Auth', description: 'The text that logging in answers.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'Set by logging in; it reads only.' },
  address: { type: 'apiKey', in: 'query', name: 'auth', description: 'The same text as in `X-Auth`.' },
}

/** Headers that many calls tell, to be referred to. */
const sharedHeaders = {
  'X-Renew-Token': {
    description:
      'Whether the token should be renewed: it ends soon, or its user was changed. Left out otherwise',
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
      ...(endpoint.takes ?? []).map(headerParameter),
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

const headerParameter = ({ name, says, isRequired = false, schema = anyText }: NamedHeader) => ({
  name,
  in: 'header',
  description: says,
  required: isRequired,
  schema,
})

const anyText = { type: 'string' }

function bodyOf({ body, schema = {}, sends = '*/*' }: Endpoint) {
  if (body === 'none') return {}
  if (body === 'bytes') {
    return { requestBody: { content: { [sends]: { schema: { type: 'string', format: 'binary' } } } } }
  }
  const { anyOf } = schema as { readonly anyOf?: readonly Kind[] }
  const sent = anyOf?.filter((kind) => !isNothing(kind))
  const isRequired = sent === undefined || sent.length === anyOf?.length
  const content = { 'application/json': { schema: isRequired ? schema : { anyOf: sent } } }
  return { requestBody: { required: isRequired, content } }
}

type Kind = { readonly type?: string }

/** A body that may be left out is no type of JSON, but a body that is not required. */
const isNothing = ({ type }: Kind): boolean => type === 'undefined'

const lineOfStatus = { 'text/plain': anyText }

/** Each success with what it carries and tells; those of 204 and 304 carry nothing. */
function successOf(endpoint: Endpoint) {
  const { succeeds = [200], isSocket = false } = endpoint
  if (isSocket) return { 101: { description: 'The socket is open' } }
  const headers = headersOf(endpoint)
  const content = contentOf(endpoint)
  return Object.fromEntries(
    succeeds.map((status) => [
      status,
      { description: STATUS_CODES[status], headers, ...(isEmpty(status) ? {} : { content }) },
    ]),
  )
}

/** What a line holds has its word from OpenAPI 3.2 on; in 3.1 it is an extension of the same name. */
const contentOf = ({ gives = lineOfStatus, lines = {} }: Endpoint) =>
  Object.fromEntries(
    Object.entries(gives).map(([type, schema]) => [
      type,
      { schema, ...(type in lines ? { 'x-itemSchema': lines[type] } : {}) },
    ]),
  )

const headersOf = ({ tells = [], headers = {}, who }: Endpoint) => ({
  ...Object.fromEntries(tells.map(headerTold)),
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { schema: { const: value } }])),
  ...(who === 'anyone' ? {} : { 'X-Renew-Token': { $ref: '#/components/headers/X-Renew-Token' } }),
})

const isEmpty = (status: number): boolean => status === 204 || status === 304

const headerTold = ({ name, says, schema = anyText }: NamedHeader) => [name, { description: says, schema }]

const referencesTo = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((code) => [errorStatus[code], { $ref: `#/components/responses/${errorStatus[code]}` }]),
  )

/** One answer for each status of the catalogue, with the words that it may carry. */
function failureAnswers() {
  const statuses = Object.values(errorStatus).toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(errorStatus).flatMap(([code, its]) => (its === status ? [code] : []))
      const word = { description: 'What went wrong, as a word', schema: { enum: codes } }
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
  416: { 'Content-Range': { description: 'How many bytes there are', schema: anyText } },
  429: later,
  500: { 'X-Request-Id': { description: 'What the log has it under', schema: anyText } },
  503: later,
}

/** Which of the ways to show one's session counts (contract 2.2). */
function securityOf({ route, who, takesTokenInQuery, takesCookieForChange }: Endpoint) {
  if (who === 'anyone') return []
  const takesCookie = routes[route].method === 'GET' || takesCookieForChange === true
  return [
    { token: [] },
    ...(takesCookie ? [{ cookie: [] }] : []),
    ...(takesTokenInQuery === true ? [{ address: [] }] : []),
  ]
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
