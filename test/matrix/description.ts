import type { IncomingHttpHeaders } from 'node:http'
import { Compile } from 'typebox/schema'
import { readTarget } from '../../src/server/http/request/request-target.ts'
import { createRouteMatcher, type RouteMatch } from '../../src/server/http/request/route-table.ts'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import type { TestApp } from '../kit/start-app.ts'

export type SentRequest = { readonly method: string; readonly requestTarget: string }
export type ReceivedResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type JsonSchema = Readonly<Record<string, unknown>>
type MediaTypeObject = { readonly schema: JsonSchema; readonly 'x-itemSchema'?: JsonSchema }
type ResponseObject = {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, MediaTypeObject>>
}
type OperationObject = {
  readonly operationId: string
  readonly responses: Readonly<Record<string, ResponseObject>>
}
type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly responses: Readonly<Record<string, ResponseObject>> }
}

/** A function that returns the parts of a response that the server's OpenAPI description does not mention. */
export type ApiDescriptionCheck = (sent: SentRequest, response: ReceivedResponse | string) => string[]

/**
 * Statuses with which the server refuses a request before it determines the endpoint. The description mentions these
 * statuses once for all endpoints.
 */
const earlyRefusals = [400, 408, 413, 431]
const statusesOutsideRoutes: Readonly<Record<Exclude<RouteMatch['kind'], 'route'>, readonly number[]>> = {
  'wrong-method': [405],
  unknown: [404],
  malformed: [400],
  page: [],
  static: [],
}

/** Fetches the server's OpenAPI description. Returns a function that compares responses with it. */
export async function descriptionOf(app: TestApp): Promise<ApiDescriptionCheck> {
  const document = (await (await app.fetch('/api/openapi.json', { token: null })).json()) as OpenApiDocument
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operations = new Map(all.map((operation) => [operation.operationId, operation]))
  const match = createRouteMatcher(Object.keys(routes) as RouteName[])
  const matchesSchema = createSchemaValidator(document)
  return ({ method, requestTarget }, response) => {
    if (typeof response === 'string') return []
    const target = readTarget(requestTarget, '')
    const matched = target === null ? null : match(method, target.path)
    if (matched?.kind !== 'route') {
      const expected = matched === null ? [] : statusesOutsideRoutes[matched.kind]
      return [...expected, ...earlyRefusals].includes(response.status)
        ? []
        : [`${response.status} without an endpoint`]
    }
    const described = operations.get(matched.name)?.responses[response.status]
    if (described === undefined)
      return earlyRefusals.includes(response.status) && response.headers['x-error'] === undefined
        ? []
        : [`${matched.name}: ${response.status} is not described`]
    const [, , , name = ''] = described.$ref?.split('/') ?? []
    const { content, headers } =
      described.$ref === undefined ? described : (document.components.responses[name] ?? {})
    // A refusal refers to the shared description. Headers that an endpoint sends with every response are listed only
    // in the description of its success.
    const describedHeaders = Object.assign({}, headers, ...successes(operations.get(matched.name)))
    const compared = { response, hasBody: method !== 'HEAD', matchesSchema }
    return [...headerFaults(describedHeaders, response), ...contentFaults(content, compared)].map(
      (fault) => `${matched.name}: ${response.status} ${fault}`,
    )
  }
}

type SchemaValidator = (schema: JsonSchema, value: unknown) => boolean

/**
 * Creates a function that checks values against schemas. Each schema is compiled together with the document, because
 * its references point into the document.
 */
function createSchemaValidator({ components }: OpenApiDocument): SchemaValidator {
  const checks = new Map<JsonSchema, (value: unknown) => boolean>()
  return (schema, value) => {
    const known = checks.get(schema)
    if (known !== undefined) return known(value)
    const compiled = Compile({ ...schema, components })
    const check = (candidate: unknown): boolean => compiled.Check(candidate)
    checks.set(schema, check)
    return check(value)
  }
}

const successes = (operation: OperationObject | undefined): object[] =>
  Object.values(operation?.responses ?? {}).map(({ headers = {} }) => headers)

/**
 * Matches headers that need no description: standard HTTP headers, the header of session renewal, and the security
 * headers of every response.
 */
const needsNoDescription = /^(?!x-)|^x-(content-type-options|frame-options|renew-token)$/

function headerFaults(described: ResponseObject['headers'] = {}, { headers }: ReceivedResponse): string[] {
  const names = new Set(Object.keys(described).map((name) => name.toLowerCase()))
  return Object.keys(headers)
    .filter((name) => !needsNoDescription.test(name) && !names.has(name))
    .map((name) => `has the header ${name}, which is not described`)
}

type ComparedResponse = {
  readonly response: ReceivedResponse
  readonly hasBody: boolean
  readonly matchesSchema: SchemaValidator
}

function contentFaults(
  content: ResponseObject['content'],
  { response, hasBody, matchesSchema }: ComparedResponse,
): string[] {
  const { headers, text } = response
  if (content === undefined) return text === '' ? [] : ['has a body that is not described']
  const type = (headers['content-type'] ?? 'nothing').split(';')[0]?.trim() ?? ''
  const described = content[type] ?? content['*/*']
  if (described === undefined) return [`as ${type} is not described`]
  if (!hasBody || !(type in content)) return []
  const { schema, 'x-itemSchema': lineSchema } = described
  const whole = Buffer.from(text, 'latin1').toString('utf8')
  if (lineSchema !== undefined)
    return whole
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => schemaFaults(matchesSchema, lineSchema, line))
  return type === 'application/json' ? schemaFaults(matchesSchema, schema, whole) : []
}

const schemaFaults = (matchesSchema: SchemaValidator, schema: JsonSchema, text: string): string[] =>
  matchesSchema(schema, JSON.parse(text)) ? [] : [`does not fit its schema: ${text.slice(0, 300)}`]
