/** Schemas by their title. */
export type Schemas = Record<string, unknown>

/** What it is given, with a reference in place of each schema that has a title; those are put among the others, once each. */
export function withReferences(value: unknown, schemas: Schemas): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withReferences(item, schemas))
  const { title } = value as { readonly title?: unknown }
  const plain = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withReferences(member, schemas)]),
  )
  if (typeof title !== 'string') return plain
  schemas[title] = plain
  return { $ref: `#/components/schemas/${title}` }
}
