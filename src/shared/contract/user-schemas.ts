import { Type, type TBoolean } from 'typebox'
import { permissions, type Permission, type Permissions, type AccessRule } from '../domain/access.ts'
import type { SortPreference } from '../domain/sorting.ts'
import { pathText, schemaOf } from './wire.ts'

const flags = Object.fromEntries(permissions.map((name) => [name, Type.Boolean()])) as Record<
  Permission,
  TBoolean
>

export const permissionsSchema = schemaOf<Permissions>()(Type.Object(flags, { title: 'Permissions' }))

export const ruleSchema = schemaOf<AccessRule>()(
  Type.Object(
    {
      regex: Type.Boolean(),
      allow: Type.Boolean(),
      path: Type.String(),
      regexp: Type.Union([Type.Object({ raw: Type.String() }), Type.Null()]),
    },
    { title: 'Rule' },
  ),
)

/** A rule that is tried, which need not be short enough to be stored. */
export const triedRuleSchema = schemaOf<AccessRule>()(
  Type.Object({
    regex: Type.Boolean(),
    allow: Type.Boolean(),
    path: pathText,
    regexp: Type.Union([Type.Object({ raw: pathText }), Type.Null()]),
  }),
)

export const sortingSchema = schemaOf<SortPreference>()(
  Type.Object(
    {
      by: Type.Union([
        Type.Literal('name'),
        Type.Literal('size'),
        Type.Literal('modified'),
        Type.Literal(''),
      ]),
      asc: Type.Boolean(),
    },
    { title: 'Sorting' },
  ),
)
