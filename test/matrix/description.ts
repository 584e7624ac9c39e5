import type { IncomingHttpHeaders } from 'node:http'
import { Compile } from 'typebox/schema'
import { readTarget } from '../../src/server/http/request/request-target.ts'
import { createRouteTable, type RouteMatch } from '../../src/server/http/request/route-table.ts'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import type { App } from '../kit/start-app.ts'

export type SentRequest = { readonly method: string; readonly address: string }
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
 * Statuses of refusals before the server determines the endpoint. The description mentions them once for all endpoints.
 */
const refusedEarly = [400, 408, 413, 431]
const outside: Readonly<Record<Exclude<RouteMatch['kind'], 'route'>, readonly number[]>> = {
  'wrong-method': [405],
  unknown: [404],
  malformed: [400],
  page: [],
  static: [],
}

/** Fetches the server's OpenAPI description. Returns a function that compares answers with it. */
export async function descriptionOf(app: App): Promise<ApiDescriptionCheck> {
  const document = (await (await app.fetch('/api/openapi.json', { token: null })).json()) as OpenApiDocument
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operations = new Map(all.map((operation) => [operation.operationId, operation]))
  const match = createRouteTable(Object.keys(routes) as RouteName[])
  const fits = createFits(document)
  return ({ method, address }, response) => {
    if (typeof response === 'string') return []
    const target = readTarget(address, '')
    const led = target === null ? null : match(method, target.path)
    if (led?.kind !== 'route') {
      const expected = led === null ? [] : outside[led.kind]
      return [...expected, ...refusedEarly].includes(response.status) ? [] : [`${response.status} of no call`]
    }
    const described = operations.get(led.name)?.responses[response.status]
    if (described === undefined)
      return refusedEarly.includes(response.status) && response.headers['x-error'] === undefined
        ? []
        : [`${led.name}: ${response.status} is not described`]
    const [, , , name = ''] = described.$ref?.split('/') ?? []
    const { content, headers } =
      described.$ref === undefined ? described : (document.components.responses[name] ?? {})
    // A refusal refers to the shared description. Headers that an endpoint sends with every response are listed only
    // in the description of its success.
    const told = Object.assign({}, headers, ...successes(operations.get(led.name)))
    const held = { response, hasBody: method !== 'HEAD', fits }
    return [...headerFaults(told, response), ...contentFaults(content, held)].map(
      (fault) => `${led.name}: ${response.status} ${fault}`,
    )
  }
}

type SchemaCheck = (schema: JsonSchema, value: unknown) => boolean

/**
 * Creates a function that checks values against schemas. Each schema is compiled together with the document, because
 * its references point into the document.
 */
function createFits({ components }: OpenApiDocument): SchemaCheck {
  const checks = new Map<JsonSchema, (value: unknown) => boolean>()
  return (schema, value) => {
    const known = checks.get(schema)
    if (known !== undefined) return known(value)
    const compiled = Compile({ ...schema, components })
    const check = (it: unknown): boolean => compiled.Check(it)
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
const isKnown = /^(?!x-)|^x-(content-type-options|frame-options|renew-token)$/

function headerFaults(described: ResponseObject['headers'] = {}, { headers }: ReceivedResponse): string[] {
  const names = new Set(Object.keys(described).map((name) => name.toLowerCase()))
  return Object.keys(headers)
    .filter((name) => !isKnown.test(name) && !names.has(name))
    .map((name) => `tells ${name}, which is not described`)
}

type ComparedResponse = {
  readonly response: ReceivedResponse
  readonly hasBody: boolean
  readonly fits: SchemaCheck
}

function contentFaults(
  content: ResponseObject['content'],
  { response, hasBody, fits }: ComparedResponse,
): string[] {
  const { headers, text } = response
  if (content === undefined) return text === '' ? [] : ['has a body that is not described']
  const type = (headers['content-type'] ?? 'nothing').split(';')[0]?.trim() ?? ''
  const described = content[type] ?? content['*/*']
  if (described === undefined) return [`as ${type} is not described`]
  if (!hasBody || !(type in content)) return []
  const { schema, 'x-itemSchema': ofLine } = described
  const whole = Buffer.from(text, 'latin1').toString('utf8')
  if (ofLine !== undefined)
    return whole
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => misfit(fits, ofLine, line))
  return type === 'application/json' ? misfit(fits, schema, whole) : []
}

const misfit = (fits: SchemaCheck, schema: JsonSchema, text: string): string[] =>
  fits(schema, JSON.parse(text)) ? [] : [`does not fit its schema: ${text.slice(0, 300)}`]
