import type { Permissions } from '../../domain/access.ts'
import type { SortPreference } from '../../domain/sorting.ts'
import {
  initialValuesOf,
  fieldNamesOf,
  withFirst,
  type ChoiceForm,
  type CommonValueTypes,
  type FieldForm,
  type FieldNamesWith,
  type FieldValuesOf,
  type SizeRange,
} from './fields.ts'

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof viewModes)[number]

/** The types of user field values, by field kind. */
export type UserValueTypes = CommonValueTypes & {
  /**
   * The path of the user's folder as it was entered. Each use of the path interprets it and confines it to the served
   * folder (contract 1.8).
   */
  readonly scope: string
  /** A language tag. An empty string means the language of the browser. */
  readonly language: string
  readonly viewMode: ViewMode
  readonly permissions: Permissions
  readonly sorting: SortPreference
  /** The maximum size in bytes of all files of the user together. Null for no limit. */
  readonly quota: number | null
}

type UserFieldOf<K extends keyof UserValueTypes> = {
  readonly kind: K
  /** The value that new users get until an administrator configures another one. */
  readonly initial: UserValueTypes[K]
  /** True when administrators can configure the value of new users in `settings.defaults` (contract 11). */
  readonly isInDefaults: boolean
  /**
   * Defines who may change the field through the API: `user` allows users to change it in their own record, and `admin`
   * allows only administrators to change it (contract 10.4).
   */
  readonly changedBy: 'user' | 'admin'
  /** True when the session token contains the value. Clients only display it (contract 2.1). */
  readonly isInToken: boolean
  /**
   * The command-line flag that sets the field. Null when no flag sets the field. By default, the flag has the name of
   * the field.
   */
  readonly flag: {
    readonly meaning: string
    readonly name?: string
    /** The default value that the manual states for the flag. Only set when it differs from `initial`. */
    readonly default?: UserValueTypes[K]
  } | null
  /**
   * The value that all users except administrators see instead of the real value. Without this property, all users see
   * the real value.
   */
  readonly shownToOthers?: UserValueTypes[K]
  /** True when a login program may set the field with a line `user.<name>=…` (contract 2.7). */
  readonly isSetByLoginProgram?: true
  /**
   * True when File Browser does not have the field. A complete record without the field then leaves the value
   * unchanged, and an export contains the field only where its value differs from the initial value.
   */
  readonly isUnknownToOriginal?: true
} & FieldForm &
  (K extends 'quota' ? SizeRange : K extends 'viewMode' ? ChoiceForm<ViewMode> : unknown)

/** The description of one user field: a row of the table `userFields`. */
export type UserField = { readonly [K in keyof UserValueTypes]: UserFieldOf<K> }[keyof UserValueTypes]

/**
 * The fields of a user, except the name, the password and the data that the server records about the account. The
 * record in the database, the API, the defaults, the command line, exports and imports are all derived from this table.
 * Its order is the order of the fields in JSON. How to add a field: docs/recipes/add-a-user-field.md.
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
    texts: { label: 'settings.scope' },
  },
  locale: {
    kind: 'language',
    initial: 'en',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Language; empty for the language of the browser.' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.language' },
  },
  lockPassword: {
    kind: 'switch',
    initial: false,
    isInDefaults: false,
    changedBy: 'admin',
    isInToken: true,
    flag: { meaning: 'The user cannot change the password.' },
    texts: { label: 'settings.users.lockPassword' },
  },
  viewMode: {
    kind: 'viewMode',
    initial: 'mosaic',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Layout of listings.', default: 'list' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.viewMode' },
    choices: {
      list: 'settings.viewMode.list',
      mosaic: 'settings.viewMode.mosaic',
      'mosaic gallery': 'settings.viewMode.gallery',
    },
  },
  singleClick: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'A single click opens an entry.' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.singleClick' },
  },
  /** When true, the view opens the destination folder after entries were copied or moved. */
  redirectAfterCopyMove: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'The view follows copied or moved entries to their new folder.' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.redirectAfterCopyMove' },
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
    texts: { label: 'settings.permissions' },
  },
  commands: {
    kind: 'words',
    initial: [],
    isInDefaults: true,
    changedBy: 'admin',
    isInToken: true,
    flag: { meaning: 'Commands that the user may run, separated by commas.' },
    isSetByLoginProgram: true,
    texts: {
      label: 'settings.userCommands',
      hint: 'settings.userCommands.hint',
      example: 'settings.userCommands.example',
    },
    needsCommands: true,
  },
  sorting: {
    kind: 'sorting',
    initial: { by: '', asc: false },
    isInDefaults: true,
    changedBy: 'user',
    isInToken: false,
    flag: { meaning: 'Sort key of listings.' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.audit.field.sorting' },
  },
  rules: {
    kind: 'rules',
    initial: [],
    isInDefaults: false,
    changedBy: 'admin',
    isInToken: false,
    flag: null,
    texts: { label: 'settings.rules', heading: 'settings.rules', hint: 'settings.users.rules' },
    refusal: { value: 'rules', text: 'settings.rules.refused' },
  },
  hideDotfiles: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Names that begin with a dot are hidden.' },
    isSetByLoginProgram: true,
    texts: { label: 'settings.hideDotfiles' },
  },
  dateFormat: {
    kind: 'switch',
    initial: false,
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Shows absolute dates.' },
    texts: { label: 'settings.dateFormat' },
  },
  aceEditorTheme: {
    kind: 'text',
    initial: '',
    isInDefaults: true,
    changedBy: 'user',
    isInToken: true,
    flag: { meaning: 'Theme of the editor.' },
    texts: { label: 'settings.audit.field.aceEditorTheme' },
  },
  /** The maximum total size in bytes of the files in the user's scope. */
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
    range: [0, Number.MAX_SAFE_INTEGER],
    unitBytes: 1024 ** 3,
    texts: {
      label: 'settings.quota',
      hint: 'settings.quota.hint',
      logged: 'settings.audit.field.quotaBytes',
    },
  },
} as const satisfies Readonly<Record<string, UserField>>

export type UserFieldName = keyof typeof userFields
/** The values of all user fields. */
export type UserFieldValues = FieldValuesOf<typeof userFields, UserValueTypes>
/** The values that administrators configure for new users (contract 11). */
export type UserDefaults = Pick<UserFieldValues, FieldNamesWith<typeof userFields, { isInDefaults: true }>>
export type TokenFieldName = FieldNamesWith<typeof userFields, { isInToken: true }>

/** The fields of the account that stand in columns of their own, and not in `userFields`. */
export const accountFields = {
  username: {
    kind: 'username',
    texts: { label: 'settings.users.username' },
    refusal: { value: 'username', text: 'settings.users.badName' },
  },
  password: { kind: 'newPassword', texts: { label: 'settings.users.password' } },
  isDisabled: {
    kind: 'switch',
    texts: { label: 'settings.users.disable', hint: 'settings.users.disable.hint' },
  },
} as const satisfies Readonly<Record<string, FieldForm & { readonly kind: string }>>

/** The types of the values of `accountFields`, by field kind. */
export type AccountValueTypes = Pick<CommonValueTypes, 'switch'> & {
  readonly username: string
  /** A new password. An empty string stands for the stored one. */
  readonly newPassword: string
}

/**
 * The fields of each form in the order of the screen: of the form of a user, of the settings for new users, and of the
 * preferences that users change themselves. A field that no form has stands in `none`.
 */
export const userForms = {
  user: [
    'username',
    'password',
    'scope',
    'locale',
    'quotaBytes',
    'lockPassword',
    'isDisabled',
    'perm',
    'commands',
    'rules',
  ],
  defaults: [
    'scope',
    'locale',
    'viewMode',
    'hideDotfiles',
    'singleClick',
    'dateFormat',
    'redirectAfterCopyMove',
    'quotaBytes',
    'perm',
    'commands',
  ],
  preferences: ['hideDotfiles', 'singleClick', 'dateFormat', 'redirectAfterCopyMove', 'locale'],
  none: ['sorting', 'aceEditorTheme'],
} as const satisfies {
  readonly user: readonly (UserFieldName | keyof typeof accountFields)[]
  readonly defaults: readonly (keyof UserDefaults)[]
  readonly preferences: readonly TokenFieldName[]
  readonly none: readonly UserFieldName[]
}

/** Returns the description of a field. The type of the result includes the optional properties. */
export const userField = (name: UserFieldName): UserField => userFields[name]

export const userFieldNames = fieldNamesOf(userFields)

/** The fields of `settings.defaults`, in the order in which File Browser writes them. */
export const defaultFieldNames: readonly (keyof UserDefaults)[] = withFirst(
  userFieldNames.filter((name): name is keyof UserDefaults => userFields[name].isInDefaults),
  ['scope', 'locale', 'viewMode', 'singleClick', 'redirectAfterCopyMove', 'sorting'],
)

/** The fields in the session token, in the order in which File Browser writes them. */
export const tokenFieldNames: readonly TokenFieldName[] = withFirst(
  userFieldNames.filter((name): name is TokenFieldName => userFields[name].isInToken),
  ['locale', 'viewMode', 'singleClick', 'redirectAfterCopyMove', 'perm', 'commands', 'lockPassword'],
)

/** The values of a new user while no administrator has configured other defaults. */
export const initialUserValues = initialValuesOf<typeof userFields, UserValueTypes>(userFields)
