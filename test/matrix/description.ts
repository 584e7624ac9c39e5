import type { IncomingHttpHeaders } from 'node:http'
import { Compile } from 'typebox/schema'
import { readTarget } from '../../src/server/http/request/request-target.ts'
import { createRouteTable, type Match } from '../../src/server/http/request/route-table.ts'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import type { App } from '../kit/start-app.ts'

export type Sent = { readonly method: string; readonly address: string }
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

type Schema = Readonly<Record<string, unknown>>
type Content = { readonly schema: Schema; readonly 'x-itemSchema'?: Schema }
type Response = {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, Content>>
}
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Response>> }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

/** What the server's own description says nothing about, in an answer to what was sent. */
export type Undescribed = (sent: Sent, answer: Answer | string) => string[]

/** What is refused before any call is reached is described for all of them, in words. */
const refusedEarly = [400, 408, 413, 431]
const outside: Readonly<Record<Exclude<Match['kind'], 'route'>, readonly number[]>> = {
  'wrong-method': [405],
  unknown: [404],
  malformed: [400],
  page: [],
  static: [],
}

/** Holds answers against the description that the server gives of itself. */
export async function descriptionOf(app: App): Promise<Undescribed> {
  const document = (await (await app.fetch('/api/openapi.json', { token: null })).json()) as Document
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operations = new Map(all.map((operation) => [operation.operationId, operation]))
  const match = createRouteTable(Object.keys(routes) as RouteName[])
  const fits = createFits(document)
  return ({ method, address }, answer) => {
    if (typeof answer === 'string') return []
    const target = readTarget(address, '')
    const led = target === null ? null : match(method, target.path)
    if (led?.kind !== 'route') {
      const expected = led === null ? [] : outside[led.kind]
      return [...expected, ...refusedEarly].includes(answer.status) ? [] : [`${answer.status} of no call`]
    }
    const response = operations.get(led.name)?.responses[answer.status]
    if (response === undefined)
      return refusedEarly.includes(answer.status) && answer.headers['x-error'] === undefined
        ? []
        : [`${led.name}: ${answer.status} is not described`]
    const [, , , name = ''] = response.$ref?.split('/') ?? []
    const { content, headers } =
      response.$ref === undefined ? response : (document.components.responses[name] ?? {})
    // A refusal refers to what all calls share; what a call tells in every answer is said beside its success.
    const told = Object.assign({}, headers, ...successes(operations.get(led.name)))
    const held = { answer, hasBody: method !== 'HEAD', fits }
    return [...headerFaults(told, answer), ...contentFaults(content, held)].map(
      (fault) => `${led.name}: ${answer.status} ${fault}`,
    )
  }
}

type Fits = (schema: Schema, value: unknown) => boolean

/** References lead into the document, which is put beside each schema for that. */
function createFits({ components }: Document): Fits {
  const checks = new Map<Schema, (value: unknown) => boolean>()
  return (schema, value) => {
    const known = checks.get(schema)
    if (known !== undefined) return known(value)
    const compiled = Compile({ ...schema, components })
    const check = (it: unknown): boolean => compiled.Check(it)
    checks.set(schema, check)
    return check(value)
  }
}

const successes = (operation: Operation | undefined): object[] =>
  Object.values(operation?.responses ?? {}).map(({ headers = {} }) => headers)

/** Those of HTTP and of the session need no description; those of security are the same everywhere. */
const isKnown = /^(?!x-)|^x-(content-type-options|frame-options|renew-token)$/

function headerFaults(described: Response['headers'] = {}, { headers }: Answer): string[] {
  const names = new Set(Object.keys(described).map((name) => name.toLowerCase()))
  return Object.keys(headers)
    .filter((name) => !isKnown.test(name) && !names.has(name))
    .map((name) => `tells ${name}, which is not described`)
}

type Held = { readonly answer: Answer; readonly hasBody: boolean; readonly fits: Fits }

function contentFaults(content: Response['content'], { answer, hasBody, fits }: Held): string[] {
  const { headers, text } = answer
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

const misfit = (fits: Fits, schema: Schema, text: string): string[] =>
  fits(schema, JSON.parse(text)) ? [] : [`does not fit its schema: ${text.slice(0, 300)}`]
