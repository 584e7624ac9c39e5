import { STATUS_CODES } from 'node:http'
import type { Endpoint, HeaderDeclaration } from '../../shared/contract/endpoint.ts'
import {
  errorHeader,
  errorStatus,
  permissionHeader,
  receivedHostHeader,
  refusedHeader,
} from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes.ts'
import { headerCharacters } from '../../shared/domain/header-limits.ts'
import { refusedValues, type ErrorCode } from '../../shared/domain/failure.ts'
import { failuresOf } from './failures-of.ts'
import { withReferences, type NamedSchemas } from './references.ts'

/** The values in the OpenAPI document that cannot be derived from the endpoints. */
export type ApiDescriptionOptions = { readonly version: string; readonly basePath: string }

/**
 * Creates an OpenAPI 3.1 document that describes the endpoints. The schemas of the endpoints are JSON Schema and are
 * used unchanged.
 */
export function describeApi(endpoints: readonly Endpoint[], { version, basePath }: ApiDescriptionOptions) {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: NamedSchemas = {}
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
        'HEAD works wherever GET does. `{path}` consists of percent-encoded names, separated by slashes, and may be empty. ' +
        'A failure is one line of text; its code is in the header `X-Error`. Every path responds with 405 and `Allow` to a method that is ' +
        'not listed. The response to malformed HTTP is 400, 408, 413 or 431, before any call is reached.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths: sortByKey(paths),
    components: {
      schemas: sortByKey(schemas),
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
    description: 'The session token, which a login returns.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'auth',
    description:
      'Set by a login. It authorises GET and HEAD requests, sockets and the logout, and no other change.',
  },
  queryToken: {
    type: 'apiKey',
    in: 'query',
    name: 'auth',
    description: 'The same token as in `X-Auth`, or a ticket.',
  },
}

/** Response headers of many calls. The document defines them once and refers to this definition. */
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
    ...requestBodyOf(endpoint),
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

const headerParameter = ({
  name,
  description,
  isRequired = false,
  schema = { ...stringSchema, maxLength: headerCharacters.get(name.toLowerCase()) },
}: HeaderDeclaration) => ({
  name,
  in: 'header',
  description,
  required: isRequired,
  schema,
})

const stringSchema = { type: 'string' }

function requestBodyOf({ body, schema = {}, bodyMediaType = '*/*' }: Endpoint) {
  if (body === 'none') return {}
  if (body === 'bytes') {
    return { requestBody: { content: { [bodyMediaType]: { schema: { type: 'string', format: 'binary' } } } } }
  }
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchemaType[] }
  const bodySchemas = anyOf?.filter((bodySchema) => !isMissingBody(bodySchema))
  const isRequired = bodySchemas === undefined || bodySchemas.length === anyOf?.length
  const content = { 'application/json': { schema: isRequired ? schema : { anyOf: bodySchemas } } }
  return { requestBody: { required: isRequired, content } }
}

type JsonSchemaType = { readonly type?: string }

/**
 * True for the schema of a missing body. JSON Schema has no type for a missing value, so the document declares that the
 * body is not required.
 */
const isMissingBody = ({ type }: JsonSchemaType): boolean => type === 'undefined'

const statusLineContent = { 'text/plain': stringSchema }

/** Describes the successful responses with their content and headers. The statuses 204 and 304 have no content. */
function successOf(endpoint: Endpoint) {
  const { successStatuses = [200], isSocket = false } = endpoint
  if (isSocket) return { 101: { description: 'The socket is open' } }
  const headers = headersOf(endpoint)
  const content = contentOf(endpoint)
  return Object.fromEntries(
    successStatuses.map((status) => [
      status,
      { description: STATUS_CODES[status], headers, ...(hasNoContent(status) ? {} : { content }) },
    ]),
  )
}

/**
 * Describes the content of successful responses. OpenAPI 3.2 has a keyword (`itemSchema`) for the schema of one line of
 * a stream. This document uses OpenAPI 3.1, where the same name is an extension with the prefix `x-`.
 */
const contentOf = ({ responses = statusLineContent, lineSchemas = {} }: Endpoint) =>
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

const hasNoContent = (status: number): boolean => status === 204 || status === 304

const responseHeader = ({ name, description, schema = stringSchema }: HeaderDeclaration) => [
  name,
  { description, schema },
]

const referencesTo = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((code) => [errorStatus[code], { $ref: `#/components/responses/${errorStatus[code]}` }]),
  )

/** Describes one response per failure status, with the error codes that the response may contain. */
function failureResponses() {
  const statuses = Object.values(errorStatus).toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(errorStatus).flatMap(([code, statusOfCode]) =>
        statusOfCode === status ? [code] : [],
      )
      const codeHeader = { description: 'The code of the failure', schema: { enum: codes } }
      return [
        status,
        {
          description: codes.join(', '),
          headers: { [errorHeader]: codeHeader, ...failureHeaders[status] },
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      ]
    }),
  )
}

const retryAfterHeader = {
  'Retry-After': { description: 'Seconds to wait, if the server knows them', schema: { type: 'integer' } },
}

const failureHeaders: Readonly<Record<number, object>> = {
  400: { [refusedHeader]: { description: 'The value that is refused', schema: { enum: refusedValues } } },
  403: {
    [permissionHeader]: { description: 'The permission that is missing', schema: stringSchema },
    [receivedHostHeader]: {
      description: 'The host for which a request arrived that is refused because of its origin or host',
      schema: stringSchema,
    },
  },
  405: { Allow: { description: 'The methods that the path supports', schema: stringSchema } },
  416: { 'Content-Range': { description: 'The number of bytes of the file', schema: stringSchema } },
  429: retryAfterHeader,
  500: { 'X-Request-Id': { description: 'The id of the failure in the log', schema: stringSchema } },
  503: retryAfterHeader,
}

/** Lists the authentication methods that the endpoint accepts (contract 2.2). */
function securityOf({ route, audience, takesTokenInQuery, takesCookieForChange }: Endpoint) {
  if (audience === 'anyone') return []
  const takesCookie = routes[route].method === 'GET' || takesCookieForChange === true
  return [
    { token: [] },
    ...(takesCookie ? [{ cookie: [] }] : []),
    ...(takesTokenInQuery === true ? [{ queryToken: [] }] : []),
  ]
}

const sortByKey = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
