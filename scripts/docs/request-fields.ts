import type { Endpoint } from '../../src/shared/contract/endpoint.ts'

/** The parts of JSON Schema that the contract uses for requests. */
export type RequestSchema = {
  readonly type?: string
  readonly anyOf?: readonly RequestSchema[]
  readonly const?: unknown
  readonly items?: RequestSchema
  readonly properties?: Readonly<Record<string, RequestSchema>>
  readonly patternProperties?: Readonly<Record<string, RequestSchema>>
  readonly propertyNames?: RequestSchema
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
}

/** The unit that the limit of a field counts. A field of kind `unknown` may have any value, which the operation checks. */
export type FieldKind = 'characters' | 'items' | 'members' | 'number' | 'unknown'

/** A text, list, number or object of a request, with its limit. Values of a fixed set, such as true and false, are none. */
export type RequestField = {
  readonly place: 'query' | 'body'
  /** The names that lead to the field. `[]` stands for an item of a list, and `{}` for a member of an object. */
  readonly path: readonly string[]
  readonly kind: FieldKind
  /** Undefined for a field without a limit. */
  readonly max: number | undefined
}

/** Returns the fields of the query and of the JSON body of an endpoint. */
export const requestFieldsOf = ({ query, body, schema }: Endpoint): readonly RequestField[] => [
  ...fieldsIn(query as RequestSchema | undefined, []).map((field) => ({ ...field, place: 'query' as const })),
  ...(body === 'json' ? fieldsIn(schema as RequestSchema | undefined, []) : []).map((field) => ({
    ...field,
    place: 'body' as const,
  })),
]

/** Returns the name of a field in documents and tests, such as `settings.update body.rules[]`. */
export const nameOfField = ({ route }: Endpoint, { place, path }: RequestField): string =>
  `${route} ${[place, ...path].join('.').replaceAll('.[]', '[]').replaceAll('.{}', '{}')}`

type PlacelessField = Omit<RequestField, 'place'>

function fieldsIn(schema: RequestSchema | undefined, path: readonly string[]): readonly PlacelessField[] {
  if (schema === undefined || 'const' in schema || 'enum' in schema) return []
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => fieldsIn(branch, path))
  switch (schema.type) {
    case 'string':
      return [{ path, kind: 'characters', max: schema.maxLength }]
    case 'number':
    case 'integer':
      return [{ path, kind: 'number', max: schema.minimum === undefined ? undefined : schema.maximum }]
    case 'array':
      return [{ path, kind: 'items', max: schema.maxItems }, ...fieldsIn(schema.items ?? {}, [...path, '[]'])]
    case 'object':
      return membersIn(schema, path)
    case 'boolean':
    case 'null':
    case 'undefined':
      return []
    default:
      return [{ path, kind: 'unknown', max: undefined }]
  }
}

function membersIn(schema: RequestSchema, path: readonly string[]): readonly PlacelessField[] {
  const fixed = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fieldsIn(property, [...path, name]),
  )
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values === undefined) return fixed
  const hasShortNames = schema.propertyNames?.maxLength !== undefined
  const members = { path, kind: 'members', max: hasShortNames ? schema.maxProperties : undefined } as const
  return [...fixed, members, ...fieldsIn(values, [...path, '{}'])]
}
