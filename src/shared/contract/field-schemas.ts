import { Type } from 'typebox'
import type { CommonValueTypes } from './fields.ts'
import { membersByKind } from './fields.ts'
import { brandingFieldNames, brandingFields, type BrandingValueTypes } from './branding-fields.ts'
import { tusFieldNames, tusFields } from './setting-fields.ts'
import { defaultFieldNames, userFields, type ViewMode } from './user-fields.ts'
import { permissionsSchema, ruleSchema, sortingSchema } from './user-schemas.ts'
import { schemaOf } from './wire.ts'

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
