import { Type } from 'typebox'
import type { Permissions } from '../domain/access.ts'
import type { Sorting } from '../domain/sorting.ts'
import { permissionsSchema, sortingSchema } from './person-schemas.ts'
import { schemaOf } from './wire.ts'
import {
  commonSchemas,
  initialValuesOf,
  fieldNamesOf,
  withFirst,
  type CommonValues,
  type NamesWith,
  type ValuesOf,
} from './fields.ts'

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof viewModes)[number]

/** The type of the values of each kind of user field. */
export type UserKinds = CommonValues & {
  /** The user's folder as it was written. The scope is interpreted and confined when it is used (contract 1.8). */
  readonly scope: string
  /** A language tag; an empty text stands for the language of the browser. */
  readonly language: string
  readonly viewMode: ViewMode
  readonly permissions: Permissions
  readonly sorting: Sorting
  /** A number of bytes; null for no limit. */
  readonly quota: number | null
}

type UserFieldOf<K extends keyof UserKinds> = {
  readonly kind: K
  /** The value of a new user as long as nobody has configured another value. */
  readonly initial: UserKinds[K]
  /** True where administrators can configure the value of new users in `settings.defaults` (contract 11). */
  readonly isInDefaults: boolean
  /**
   * Tells who may change the field over the API: users in their own record, or administrators alone (contract 10.4).
   */
  readonly changedBy: 'user' | 'admin'
  /** True where the token carries the value, for display only (contract 2.1). */
  readonly isInToken: boolean
  /**
   * The flag of the command line that sets the field; null for no flag. The name of the flag is the name of the field
   * by default.
   */
  readonly flag: {
    readonly meaning: string
    readonly name?: string
    /** The default in the manual, where the flag has another default than `initial`. */
    readonly default?: UserKinds[K]
  } | null
  /** Present where only administrators see the value: everybody else sees this value instead. */
  readonly shownToOthers?: UserKinds[K]
  /** Present where a login program may set the field with a line `user.<name>=…` (contract 2.7). */
  readonly isSetByLoginProgram?: true
  /**
   * Present where the original does not know the field. Then a whole record without the field leaves the value as it
   * is, and an export has the field only where the value is not the initial one.
   */
  readonly isUnknownToOriginal?: true
}

/** A row of the table of user fields. */
export type UserField = { readonly [K in keyof UserKinds]: UserFieldOf<K> }[keyof UserKinds]

/**
 * The fields of a user, beside the name, the password and what the server notes about the account. The record in the
 * database, the API, the defaults, the command line, exports and imports all follow from this table. Its order is the
 * order of the fields in JSON. How to add a field: docs/recipes/add-a-user-field.md.
 */
export const userFields = {
  scope: {
    kind: 'scope',
    initial: '.',
    isInDefaults: true,
    changedBy: 'admin',
    isInToken: false,
    flag: { meaning: 'The user’s folder below the root.' },
    shownToOthers: '',
    isSetByLoginProgram: true,
  },
  locale: {
    kind: 'language',
    initial: 'en',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Language; empty for the language of the browser.' },
    isSetByLoginProgram: true,
  },
  lockPassword: {
    kind: 'switch',
    initial: false,
    isInDefaults: false,
    changedBy: 'admin',
    isInToken: true,
    flag: { meaning: 'The user cannot change the password.' },
  },
  viewMode: {
    kind: 'viewMode',
    initial: 'mosaic',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Layout of listings.', default: 'list' },
    isSetByLoginProgram: true,
  },
  singleClick: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'A single click opens an entry.' },
    isSetByLoginProgram: true,
  },
  /** The view follows the entries that the user copied or moved to their new folder. */
  redirectAfterCopyMove: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'The view follows copied or moved entries to their new folder.' },
    isSetByLoginProgram: true,
  },
  perm: {
    kind: 'permissions',
    initial: {
      admin: false,
      execute: true,
      create: true,
      rename: true,
      modify: true,
      delete: true,
      share: true,
      download: true,
    },
    isInDefaults: true,
    changedBy: 'admin',
    isInToken: true,
    flag: { meaning: 'The permission' },
  },
  commands: {
    kind: 'words',
    initial: [],
    isInDefaults: true,
    changedBy: 'admin',
    isInToken: true,
    flag: { meaning: 'Commands that the user may run, separated by commas.' },
    isSetByLoginProgram: true,
  },
  sorting: {
    kind: 'sorting',
    initial: { by: '', asc: false },
    isInDefaults: true,
    changedBy: 'user',
    isInToken: false,
    flag: { meaning: 'Sort key of listings.' },
    isSetByLoginProgram: true,
  },
  rules: {
    kind: 'rules',
    initial: [],
    isInDefaults: false,
    changedBy: 'admin',
    isInToken: false,
    flag: null,
  },
  hideDotfiles: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Names that begin with a dot are hidden.' },
    isSetByLoginProgram: true,
  },
  dateFormat: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Shows absolute dates.' },
  },
  aceEditorTheme: {
    kind: 'text',
    initial: '',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Theme of the editor.' },
  },
  /** The files within the scope may hold this number of bytes together. */
  quotaBytes: {
    kind: 'quota',
    initial: null,
    isInDefaults: true,
    changedBy: 'admin',
    isInToken: false,
    flag: {
      name: 'quota',
      meaning: 'Limit for the total size of the files in the user’s folder; `none` for no limit.',
    },
    isUnknownToOriginal: true,
  },
} as const satisfies Readonly<Record<string, UserField>>

export type UserFieldName = keyof typeof userFields
/** The values of all fields in the table. */
export type UserFieldValues = ValuesOf<typeof userFields, UserKinds>
/** The value of the fields that administrators configure for new users (contract 11). */
export type UserDefaults = Pick<UserFieldValues, NamesWith<typeof userFields, { isInDefaults: true }>>
export type TokenFieldName = NamesWith<typeof userFields, { isInToken: true }>

/** Returns a row of the table, with its optional properties. */
export const userField = (name: UserFieldName): UserField => userFields[name]

export const userFieldNames = fieldNamesOf(userFields)

/** The fields of `settings.defaults`, in the order in which the original writes them. */
export const defaultFieldNames: readonly (keyof UserDefaults)[] = withFirst(
  userFieldNames.filter((name): name is keyof UserDefaults => userFields[name].isInDefaults),
  ['scope', 'locale', 'viewMode', 'singleClick', 'redirectAfterCopyMove', 'sorting'],
)

/** The fields in the token, in the order in which the original writes them. */
export const tokenFieldNames: readonly TokenFieldName[] = withFirst(
  userFieldNames.filter((name): name is TokenFieldName => userFields[name].isInToken),
  ['locale', 'viewMode', 'singleClick', 'redirectAfterCopyMove', 'perm', 'commands', 'lockPassword'],
)

/** The values of a new user in an installation that nobody has configured. */
export const initialUserValues = initialValuesOf<typeof userFields, UserKinds>(userFields)

/** The schema of the values of each kind in answers. */
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
