import { Type } from 'typebox'
import { hookEvents } from './hook-events.ts'
import {
  commonSchemas,
  initialValuesOf,
  membersByKind,
  fieldNamesOf,
  withFirst,
  type CommonValueTypes,
  type FieldNamesWith,
  type FieldValuesOf,
} from './fields.ts'
import { limits } from '../domain/limits.ts'
import {
  defaultFieldNames,
  initialUserValues,
  userFields,
  userKindSchemas,
  type UserDefaults,
} from './user-fields.ts'
import { pickMembers } from './fields.ts'
import { schemaOf } from './wire.ts'

export const themes = ['', 'light', 'dark'] as const

/** The four methods of authentication (contract 2.7). */
export const authMethods = ['json', 'noauth', 'proxy', 'hook'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The types of branding values, by field kind. */
export type BrandingValueTypes = Pick<CommonValueTypes, 'switch' | 'text'> & {
  readonly theme: (typeof themes)[number]
  /**
   * The URL of a link on the page, for example of a web page or a `mailto:` URL. An empty string means that there is no
   * link.
   */
  readonly link: string
}

type FlagDescription = {
  readonly meaning: string
  readonly name?: string
  readonly short?: string
}

type BrandingFieldOf<K extends keyof BrandingValueTypes> = {
  readonly kind: K
  readonly initial: BrandingValueTypes[K]
  /** The command-line flag `branding.<name>`. */
  readonly flag: FlagDescription
}

export type BrandingField = {
  readonly [K in keyof BrandingValueTypes]: BrandingFieldOf<K>
}[keyof BrandingValueTypes]

/** The table of the fields of `settings.branding`. It works like `settingFields`. */
export const brandingFields = {
  name: { kind: 'text', initial: '', flag: { meaning: 'Name of the installation.' } },
  disableExternal: { kind: 'switch', initial: false, flag: { meaning: 'Hides links to other sites.' } },
  disableUsedPercentage: {
    kind: 'switch',
    initial: false,
    flag: { meaning: 'Hides how full the disk is.' },
  },
  /**
   * The path of the folder with the installation's custom images and style sheet. An empty string means that there is
   * no such folder.
   */
  files: {
    kind: 'text',
    initial: '',
    flag: { meaning: 'Folder with the installation’s own images and styles.' },
  },
  theme: {
    kind: 'theme',
    initial: '',
    flag: { meaning: 'Colour theme for people who have not chosen one.' },
  },
  color: { kind: 'text', initial: '', flag: { meaning: 'Colour of the browser’s frame.' } },
  reportIssueURL: {
    kind: 'link',
    initial: '',
    flag: { meaning: 'Address at which people report problems.' },
  },
} as const satisfies Readonly<Record<string, BrandingField>>

export type BrandingSettings = FieldValuesOf<typeof brandingFields, BrandingValueTypes>
export const brandingFieldNames = fieldNamesOf(brandingFields)

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
  readonly tus: { readonly chunkSize: number; readonly retryCount: number }
}

type SettingFieldOf<K extends keyof SettingValueTypes> = {
  readonly kind: K
  /** The value that the setting has until another value is stored. */
  readonly initial: SettingValueTypes[K]
  /**
   * Defines what administrators can do with the setting through the API: change it, only read it, or neither. The
   * command line can read and change every setting.
   */
  readonly overApi: 'change' | 'read' | 'nothing'
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
} & (K extends 'number' ? { readonly range: readonly [least: number, most: number] } : unknown)

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
 * The initial settings for uploads in parts: the size of a part in bytes, and the number of retries. Administrators can
 * change them (contract 11).
 */
const initialTus = { chunkSize: 10 * 1024 * 1024, retryCount: 5 }

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
  },
  hideLoginButton: {
    kind: 'switch',
    initial: false,
    overApi: 'change',
    flag: { meaning: 'Pages for guests show no login button.' },
  },
  createUserDir: {
    kind: 'switch',
    initial: false,
    overApi: 'change',
    flag: { meaning: 'Each new user gets a home folder.' },
  },
  userHomeBasePath: {
    kind: 'folder',
    initial: '/users',
    overApi: 'change',
    flag: { meaning: 'Folder in which home folders are created.' },
  },
  minimumPasswordLength: {
    kind: 'number',
    initial: limits.minimumPasswordLength,
    overApi: 'change',
    flag: { meaning: 'Minimum number of characters of a new password.' },
    range: [0, 1024],
  },
  defaults: {
    kind: 'userDefaults',
    initial: pickMembers(initialUserValues, defaultFieldNames),
    overApi: 'change',
    flag: null,
  },
  rules: { kind: 'rules', initial: [], overApi: 'change', flag: null },
  branding: {
    kind: 'branding',
    initial: initialValuesOf<typeof brandingFields, BrandingValueTypes>(brandingFields),
    overApi: 'change',
    flag: null,
  },
  shell: {
    kind: 'words',
    initial: [],
    overApi: 'change',
    flag: { meaning: 'Program, with arguments, that runs hook lines; empty for none.' },
  },
  /** The initial value has one member with an empty list for each known trigger (contract 12.2). */
  commands: { kind: 'hookLines', initial: noHookLines, overApi: 'change', flag: null },
  tus: { kind: 'tus', initial: initialTus, overApi: 'change', flag: null },
  trash: { kind: 'switch', initial: true, overApi: 'change', flag: null, isUnknownToOriginal: true },
  /** 0 when the database keeps no events (docs/decisions, 64). */
  auditDays: {
    kind: 'number',
    initial: 90,
    overApi: 'change',
    flag: { meaning: 'Days for which the audit log is kept; 0 for no audit log in the database.' },
    isUnknownToOriginal: true,
    range: [0, 3650],
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

const brandingKindSchemas = {
  switch: commonSchemas.switch,
  text: commonSchemas.text,
  theme: schemaOf<BrandingValueTypes['theme']>()(
    Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
  ),
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
  tus: Type.Object({ chunkSize: Type.Integer(), retryCount: Type.Integer() }),
}
