import { Create } from 'typebox/value'
import type { TSchema } from 'typebox'
import type { RequestField, RequestSchema } from '../../scripts/docs/request-fields.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { jsonOf, sampleOf } from '../matrix/samples.ts'

const schemaOfPlace = (endpoint: Endpoint, { place }: RequestField): RequestSchema =>
  (place === 'query' ? endpoint.query : endpoint.schema) ?? {}

/** Returns a value for a field that has the given number of characters, items or members, or is the given number. */
export function valueOfSize(endpoint: Endpoint, field: RequestField, size: number): unknown {
  if (field.kind === 'characters') return 'x'.repeat(size)
  if (field.kind === 'number') return size
  // JSON has no undefined, which is the smallest value of a schema that accepts any value.
  const smallest: unknown = Create(memberOf(schemaOfPlace(endpoint, field), field)) ?? null
  if (field.kind === 'items') return Array.from({ length: size }, () => smallest)
  return Object.fromEntries(Array.from({ length: size }, (_, n) => [`member${n}`, smallest]))
}

/** Returns the schema of the items of a list, or of the members of an object. */
function memberOf(schema: RequestSchema, { path, kind }: RequestField): TSchema {
  const steps = [...path, kind === 'items' ? '[]' : '{}']
  return steps.reduce<RequestSchema>((at, step) => childOf(at, step) ?? {}, schema)
}

/** Returns the schema to which a step of a path leads, through the alternatives of a union. */
function childOf(schema: RequestSchema, step: string): RequestSchema | undefined {
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((branch) => childOf(branch, step)).find((child) => child !== undefined)
  if (step === '[]') return schema.items
  return step === '{}' ? Object.values(schema.patternProperties ?? {})[0] : schema.properties?.[step]
}

/** Returns the query or the body of a request that the endpoint accepts apart from the value of one field. */
export function requestWith(
  endpoint: Endpoint,
  field: RequestField,
  value: unknown,
): { readonly query?: string; readonly body?: string } {
  const schema = schemaOfPlace(endpoint, field)
  const json = endpoint.body === 'json' ? jsonOf(endpoint) : undefined
  if (field.place === 'query') {
    const query = { ...sampleOf(endpoint).query, ...(placed(schema, field.path, value) as object) }
    return {
      query: new URLSearchParams(query as Record<string, string>).toString(),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }
  }
  const [name = ''] = field.path
  const placedBody = placed(schema, field.path, value) as Readonly<Record<string, unknown>>
  return {
    query: new URLSearchParams(sampleOf(endpoint).query).toString(),
    body: JSON.stringify({ ...placedBody, ...(json as object), [name]: placedBody[name] }),
  }
}

/** Returns a value of a schema in which the field at a path has the given value, and all other fields are as small as possible. */
function placed(schema: RequestSchema, path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const child = placed(childOf(schema, step) ?? {}, rest, value)
  if (step === '[]') return [child]
  if (step === '{}') return { member: child }
  const branch = schema.anyOf?.find((one) => childOf(one, step) !== undefined) ?? schema
  return { ...(Create(branch as TSchema) as object), [step]: child }
}

/**
 * Returns a query and a body in which every short text has its maximum length, and every list one item. Of the long texts, one
 * has its maximum length, which is another one for each `turn`, so that neither the head nor the body becomes large.
 */
export function fieldsAtLimit(
  endpoint: Endpoint,
  textOf: (length: number) => string,
  turn: number,
): { readonly query: string; readonly body: string | undefined } {
  const query = fullest(endpoint.query ?? {}, inTurn(textOf, turn, maxTextInHead))
  const sample = (endpoint.body === 'json' && jsonOf(endpoint)) || {}
  const values = fullest(endpoint.schema ?? {}, inTurn(textOf, turn, maxTextInBody))
  // A login accepts any body, so its texts have no schema.
  const body = values ?? Object.fromEntries(Object.keys(sample).map((name) => [name, textOf(maxTextOfLogin)]))
  return {
    query: new URLSearchParams((query ?? {}) as Record<string, string>).toString(),
    body: endpoint.body === 'json' ? JSON.stringify({ ...sample, ...body }) : undefined,
  }
}

/** Heads above 16 KiB and bodies above 64 KiB are large. A login has three texts in 16 kB. */
const maxTextInHead = 12 * 1024
const maxTextInBody = 32 * 1024
const maxTextOfLogin = 5 * 1024

const shortText = 1024
/** More than the long texts of any request. */
const turns = 8

/** Returns a function that makes texts, of which the long ones have their full length in turn. */
function inTurn(textOf: (length: number) => string, turn: number, maxText: number) {
  let longTexts = 0
  return (length: number): string => {
    if (length <= shortText) return textOf(length)
    longTexts += 1
    return textOf((turn + longTexts) % turns === 0 ? Math.min(length, maxText) : shortText)
  }
}

/** Returns a value of a schema that is as full as its limits allow, and null for a schema that accepts any value. */
function fullest(schema: RequestSchema, textOf: (length: number) => string): unknown {
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find(({ type }) => ['string', 'object', 'array'].includes(type ?? ''))
    return fullest(branch ?? schema.anyOf[0] ?? {}, textOf)
  }
  if ('const' in schema) return schema.const
  const inner = (child: RequestSchema): unknown => fullest(child, textOf)
  switch (schema.type) {
    case 'string':
      return textOf(schema.maxLength ?? Number.POSITIVE_INFINITY)
    case 'integer':
    case 'number':
      return schema.maximum ?? 1
    case 'boolean':
      return false
    case 'array':
      return [inner(schema.items ?? {})]
    case 'object': {
      const [values] = Object.values(schema.patternProperties ?? {})
      const name = textOf(schema.propertyNames?.maxLength ?? Number.POSITIVE_INFINITY)
      return {
        ...Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, child]) => [name, inner(child)]),
        ),
        ...(values !== undefined && { [name]: inner(values) }),
      }
    }
    default:
      return null
  }
}
