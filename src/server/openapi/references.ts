/** JSON schemas by their titles. */
export type NamedSchemas = Record<string, unknown>

/**
 * Copies a value and replaces each schema that has a title with a reference. Each replaced schema is added to
 * `schemas`.
 */
export function withReferences(value: unknown, schemas: NamedSchemas): unknown {
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
