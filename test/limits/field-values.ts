import { Create } from 'typebox/value'
import type { TSchema } from 'typebox'
import type { RequestField, RequestSchema } from '../../scripts/docs/request-fields.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { jsonOf, sampleOf } from '../matrix/samples.ts'

const schemaOfPlace = (endpoint: Endpoint, { place }: RequestField): RequestSchema =>
  ((place === 'query' ? endpoint.query : endpoint.schema) ?? {}) as RequestSchema

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
  return steps.reduce<RequestSchema>((at, step) => childOf(at, step) ?? {}, schema) as TSchema
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
