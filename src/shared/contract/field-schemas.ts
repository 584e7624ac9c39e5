import { Type, type TBoolean } from 'typebox'
import { permissions, type Permission, type Permissions, type AccessRule } from '../domain/access.ts'
import type { SortPreference } from '../domain/sorting.ts'
import { brandingFieldNames, brandingFields, type BrandingValueTypes } from './fields/branding-fields.ts'
import { membersByKind, type CommonValueTypes } from './fields/fields.ts'
import { tusFieldNames, tusFields } from './setting-fields.ts'
import { defaultFieldNames, userFields, type ViewMode } from './fields/user-fields.ts'
import { pathText, schemaOf } from './wire.ts'

const flags = Object.fromEntries(permissions.map((name) => [name, Type.Boolean()])) as Record<
  Permission,
  TBoolean
>

const permissionsSchema = schemaOf<Permissions>()(Type.Object(flags, { title: 'Permissions' }))

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

const sortingSchema = schemaOf<SortPreference>()(
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

/** The schemas of field values in responses, by field kind, for the common kinds. */
const commonSchemas = {
  switch: schemaOf<CommonValueTypes['switch']>()(Type.Boolean()),
  text: schemaOf<CommonValueTypes['text']>()(Type.String()),
  words: schemaOf<CommonValueTypes['words']>()(Type.Array(Type.String())),
  rules: schemaOf<CommonValueTypes['rules']>()(Type.Array(ruleSchema)),
}

/** The schemas of user field values in responses, by field kind. */
export const userKindSchemas = {
  ...commonSchemas,
  scope: commonSchemas.text,
  language: commonSchemas.text,
  viewMode: schemaOf<ViewMode>()(
    Type.Union([Type.Literal('list'), Type.Literal('mosaic'), Type.Literal('mosaic gallery')]),
  ),
  permissions: permissionsSchema,
  sorting: sortingSchema,
  quota: schemaOf<number | null>()(Type.Union([Type.Number(), Type.Null()])),
}

export const themeSchema = schemaOf<BrandingValueTypes['theme']>()(
  Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
)

const brandingKindSchemas = {
  switch: commonSchemas.switch,
  text: commonSchemas.text,
  path: commonSchemas.text,
  color: commonSchemas.text,
  accent: commonSchemas.text,
  theme: themeSchema,
  link: commonSchemas.text,
}

/** The schemas of setting values in responses, by field kind. */
export const settingKindSchemas = {
  ...commonSchemas,
  number: Type.Integer(),
  nonEmptyText: commonSchemas.text,
  folder: commonSchemas.text,
  authMethod: Type.String(),
  userDefaults: Type.Object(membersByKind(userFields, defaultFieldNames, userKindSchemas)),
  branding: Type.Object(membersByKind(brandingFields, brandingFieldNames, brandingKindSchemas)),
  hookLines: Type.Record(Type.String(), Type.Array(Type.String())),
  tus: Type.Object(membersByKind(tusFields, tusFieldNames, { size: Type.Integer(), number: Type.Integer() })),
}
