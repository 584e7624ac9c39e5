import { hookEvents } from './hook-events.ts'
import {
  fieldNamesOf,
  initialValuesOf,
  pickMembers,
  withFirst,
  type CommonValueTypes,
  type FieldForm,
  type FieldNamesWith,
  type FieldValuesOf,
  type FlagDescription,
  type NumberRange,
  type SizeRange,
} from './fields/fields.ts'
import { brandingFields, type BrandingSettings, type BrandingValueTypes } from './fields/branding-fields.ts'
import { clientLimits } from '../domain/limits/client-limits.ts'
import { defaultFieldNames, initialUserValues, type UserDefaults } from './fields/user-fields.ts'

/** The four methods of authentication (contract 2.7). */
export const authMethods = ['json', 'noauth', 'proxy', 'hook'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The types of the values of `tusFields`, by field kind. */
export type TusValueTypes = { readonly number: number; readonly size: number }

/**
 * The table of the fields of `settings.tus`: the settings for uploads in parts, which administrators can change (contract
 * 11). It works like `settingFields`.
 */
export const tusFields = {
  /** The size of a part in bytes. No client sends parts of more than 1 GiB. */
  chunkSize: {
    kind: 'size',
    initial: 10 * 1024 * 1024,
    range: [1, 1024 * 1024 * 1024],
    unitBytes: 1024 * 1024,
    flag: { meaning: 'Size in bytes of a part of an upload.' },
    texts: { label: 'settings.chunkSize' },
  },
  retryCount: {
    kind: 'number',
    initial: 5,
    range: [0, 100],
    flag: { meaning: 'Number of retries for a part of an upload.' },
    texts: { label: 'settings.retryCount' },
  },
} as const satisfies Readonly<
  Record<
    string,
    FieldForm & { readonly initial: number; readonly flag: FlagDescription } & (
        | ({ readonly kind: 'size' } & SizeRange)
        | ({ readonly kind: 'number' } & NumberRange)
      )
  >
>

export type TusSettings = FieldValuesOf<typeof tusFields, TusValueTypes>
export const tusFieldNames = fieldNamesOf(tusFields)

/** The types of setting values, by field kind. */
export type SettingValueTypes = CommonValueTypes & {
  readonly number: number
  /** A string that is never empty: an empty string is replaced by the initial value. */
  readonly nonEmptyText: string
  /** The path of a folder of the volume. An empty string is replaced by the initial value. */
  readonly folder: string
  readonly authMethod: AuthMethod
  readonly userDefaults: UserDefaults
  readonly branding: BrandingSettings
  /** The lines of each hook trigger, such as `before_upload`. Lines of triggers that Stowage does not know are kept. */
  readonly hookLines: Readonly<Record<string, readonly string[]>>
  readonly tus: TusSettings
}

type SettingFieldOf<K extends keyof SettingValueTypes> = {
  readonly kind: K
  /** The value that the setting has until another value is stored. */
  readonly initial: SettingValueTypes[K]
  /**
   * The command-line flag that sets the setting. Null when several flags or no flags set the setting. By default, the
   * flag has the name of the setting.
   */
  readonly flag: FlagDescription | null
  /**
   * True when File Browser does not have the setting. When imported data does not contain the setting, its initial
   * value is stored.
   */
  readonly isUnknownToOriginal?: true
} & (K extends 'number' ? NumberRange : unknown) &
  (ChangeableOverApi | { readonly overApi: 'read' | 'nothing' })

/**
 * The rights of administrators over a setting through the API: change it, only read it, or neither. The command line can read
 * and change every setting. A setting that they can change has texts, because the audit log names it.
 */
type ChangeableOverApi = FieldForm & { readonly overApi: 'change' }

/** The description of one setting: a row of the table `settingFields`. */
export type SettingField = {
  readonly [K in keyof SettingValueTypes]: SettingFieldOf<K>
}[keyof SettingValueTypes]

const noHookLines: SettingValueTypes['hookLines'] = Object.fromEntries(
  hookEvents.flatMap(({ name }) => [
    [`after_${name}`, []],
    [`before_${name}`, []],
  ]),
)

/**
 * The settings of the server, which administrators can change (contract 11, 14.3). The record in the database, the API,
 * the initial settings, the command line, exports and imports are all derived from this table. Its order is the order
 * of the settings in the database and in exports.
 */
export const settingFields = {
  signup: {
    kind: 'switch',
    initial: false,
    overApi: 'change',
    flag: { short: 's', meaning: 'Visitors may create their own account.' },
    texts: { label: 'settings.signup' },
  },
  hideLoginButton: {
    kind: 'switch',
    initial: false,
    overApi: 'change',
    flag: { meaning: 'Pages for guests show no login button.' },
    texts: { label: 'settings.hideLoginButton' },
  },
  createUserDir: {
    kind: 'switch',
    initial: false,
    overApi: 'change',
    flag: { meaning: 'Each new user gets a home folder.' },
    texts: { label: 'settings.createUserDir' },
  },
  userHomeBasePath: {
    kind: 'folder',
    initial: '/users',
    overApi: 'change',
    flag: { meaning: 'Folder in which home folders are created.' },
    texts: { label: 'settings.userHomeBasePath' },
    refusal: { value: 'home-folder', text: 'settings.failed.folder' },
  },
  minimumPasswordLength: {
    kind: 'number',
    initial: clientLimits.minimumPasswordLength,
    overApi: 'change',
    flag: { meaning: 'Minimum number of characters of a new password.' },
    range: [0, 1024],
    texts: { label: 'settings.minimumPasswordLength' },
  },
  defaults: {
    kind: 'userDefaults',
    initial: pickMembers(initialUserValues, defaultFieldNames),
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.defaults', hint: 'settings.defaults.hint' },
  },
  rules: {
    kind: 'rules',
    initial: [],
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.rules', heading: 'settings.rules', hint: 'settings.rules.hint' },
    refusal: { value: 'rules', text: 'settings.rules.refused' },
  },
  branding: {
    kind: 'branding',
    initial: initialValuesOf<typeof brandingFields, BrandingValueTypes>(brandingFields),
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.branding', heading: 'settings.branding', hint: 'settings.branding.hint' },
  },
  shell: {
    kind: 'words',
    initial: [],
    overApi: 'change',
    flag: { meaning: 'Program, with arguments, that runs hook lines; empty for none.' },
    texts: {
      label: 'settings.shell.program',
      heading: 'settings.shell',
      hint: 'settings.shell.hint',
      example: 'settings.shell.example',
    },
    needsCommands: true,
  },
  /** The initial value has one member with an empty list for each known trigger (contract 12.2). */
  commands: {
    kind: 'hookLines',
    initial: noHookLines,
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.runner', hint: 'settings.runner.hint' },
    needsCommands: true,
  },
  tus: {
    kind: 'tus',
    initial: initialValuesOf<typeof tusFields, TusValueTypes>(tusFields),
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.uploads', heading: 'settings.uploads' },
  },
  trash: {
    kind: 'switch',
    initial: true,
    overApi: 'change',
    flag: null,
    texts: { label: 'settings.audit.field.trash' },
    isUnknownToOriginal: true,
  },
  /** 0 when the database keeps no events (docs/decisions, 64). */
  auditDays: {
    kind: 'number',
    initial: 90,
    overApi: 'change',
    flag: { meaning: 'Days for which the audit log is kept; 0 for no audit log in the database.' },
    isUnknownToOriginal: true,
    range: [0, 3650],
    texts: { label: 'settings.auditDays', hint: 'settings.auditDays.hint' },
  },
  authMethod: {
    kind: 'authMethod',
    initial: 'json',
    overApi: 'read',
    flag: { name: 'auth.method', meaning: 'How people log in.' },
  },
  logoutPage: {
    kind: 'nonEmptyText',
    initial: '/login',
    overApi: 'nothing',
    flag: { name: 'auth.logoutPage', meaning: 'Page that is shown after logging out.' },
  },
} as const satisfies Readonly<Record<string, SettingField>>

export type SettingName = keyof typeof settingFields
/** The values of all settings. Secrets, such as the signing key, are stored separately. */
export type Settings = FieldValuesOf<typeof settingFields, SettingValueTypes>

export type ChangeableSettingName = FieldNamesWith<typeof settingFields, { overApi: 'change' }>
type ReadableSettingName = FieldNamesWith<typeof settingFields, { overApi: 'change' | 'read' }>

/**
 * The settings of each card of the screen, in the order of the screen. A setting that no card has stands in `none`. How to
 * add a setting: docs/recipes/add-a-setting.md.
 */
export const settingForms = {
  general: [
    'signup',
    'createUserDir',
    'userHomeBasePath',
    'minimumPasswordLength',
    'hideLoginButton',
    'auditDays',
    'rules',
    'shell',
    'branding',
    'tus',
  ],
  defaults: ['defaults'],
  hooks: ['commands'],
  none: ['trash'],
} as const satisfies Readonly<Record<string, readonly ChangeableSettingName[]>>

/** The fields of `settings.tus` in the order of the screen. */
export const tusForm = ['chunkSize', 'retryCount'] as const satisfies readonly (keyof TusSettings)[]

/** Returns the description of a setting. The type of the result includes the optional properties. */
export const settingField = (name: SettingName): SettingField => settingFields[name]

export const settingNames = fieldNamesOf(settingFields)

const readableInTableOrder = settingNames.filter(
  (name): name is ReadableSettingName => settingFields[name].overApi !== 'nothing',
)

/** The settings in responses, in the order in which File Browser writes them. */
export const readableSettingNames: readonly ReadableSettingName[] = withFirst(readableInTableOrder, [
  'signup',
  'hideLoginButton',
  'createUserDir',
  'minimumPasswordLength',
  'userHomeBasePath',
  'defaults',
  'rules',
  'authMethod',
])

/** The settings that a request can change, in the order of responses. */
export const changeableSettingNames: readonly ChangeableSettingName[] = readableSettingNames.filter(
  (name): name is ChangeableSettingName => settingFields[name].overApi === 'change',
)

/** The settings of a new installation, for example without sign-up and with a trash (contract 11, 14.3). */
export const defaultSettings = initialValuesOf<typeof settingFields, SettingValueTypes>(settingFields)
