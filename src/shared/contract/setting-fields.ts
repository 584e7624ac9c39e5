import { Type } from 'typebox'
import { hookEvents } from './hook-events.ts'
import {
  commonSchemas,
  initialValuesOf,
  membersByKind,
  fieldNamesOf,
  withFirst,
  type CommonValues,
  type NamesWith,
  type ValuesOf,
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

/** The four ways in which the server finds out who is calling (contract 2.7). */
export const authMethods = ['json', 'noauth', 'proxy', 'hook'] as const
export type AuthMethod = (typeof authMethods)[number]

/** The type of the values of each kind of field in the branding of an installation. */
export type BrandingKinds = Pick<CommonValues, 'switch' | 'text'> & {
  readonly theme: (typeof themes)[number]
  /** An address that people follow from the page: it leads to a site or opens a letter. Empty for none. */
  readonly link: string
}

type FlagOf<Value> = {
  readonly meaning: string
  readonly name?: string
  readonly short?: string
  /** The default in the manual, where the flag has another default than `initial`. */
  readonly default?: Value
}

type BrandingFieldOf<K extends keyof BrandingKinds> = {
  readonly kind: K
  readonly initial: BrandingKinds[K]
  /** The flag `branding.<name>` of the command line. */
  readonly flag: FlagOf<BrandingKinds[K]>
}

export type BrandingField = { readonly [K in keyof BrandingKinds]: BrandingFieldOf<K> }[keyof BrandingKinds]

/** The fields of `settings.branding`; see `settingFields`. */
export const brandingFields = {
  name: { kind: 'text', initial: '', flag: { meaning: 'Name of the installation.' } },
  disableExternal: { kind: 'switch', initial: false, flag: { meaning: 'Hides links to other sites.' } },
  disableUsedPercentage: {
    kind: 'switch',
    initial: false,
    flag: { meaning: 'Hides how full the disk is.' },
  },
  /** The folder with the installation's own images and style; empty for none. */
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

export type BrandingSettings = ValuesOf<typeof brandingFields, BrandingKinds>
export const brandingFieldNames = fieldNamesOf(brandingFields)

/** The type of the values of each kind of setting. */
export type SettingKinds = CommonValues & {
  readonly number: number
  /** A text that is never empty: the initial value stands for an empty one. */
  readonly nonEmptyText: string
  /** A folder of the volume; the initial value stands for an empty text. */
  readonly folder: string
  readonly authMethod: AuthMethod
  readonly userDefaults: UserDefaults
  readonly branding: BrandingSettings
  /** Lines by event, as in `before_upload`. Lines of events that Stowage does not know are kept. */
  readonly hookLines: Readonly<Record<string, readonly string[]>>
  readonly tus: { readonly chunkSize: number; readonly retryCount: number }
}

type SettingFieldOf<K extends keyof SettingKinds> = {
  readonly kind: K
  /** The value as long as nobody has stored another value. */
  readonly initial: SettingKinds[K]
  /** Tells what administrators can do with the setting over the API. The command line can do everything. */
  readonly overApi: 'change' | 'read' | 'nothing'
  /**
   * The flag of the command line; null where a kind has several flags, or none. Its name is the name of the setting by
   * default.
   */
  readonly flag: FlagOf<SettingKinds[K]> | null
  /** Present where the original does not know the setting: an import without the setting stores the initial value. */
  readonly isUnknownToOriginal?: true
} & (K extends 'number' ? { readonly range: readonly [least: number, most: number] } : unknown)

/** A row of the table of settings. */
export type SettingField = { readonly [K in keyof SettingKinds]: SettingFieldOf<K> }[keyof SettingKinds]

const noHookLines: SettingKinds['hookLines'] = Object.fromEntries(
  hookEvents.flatMap(({ name }) => [
    [`after_${name}`, []],
    [`before_${name}`, []],
  ]),
)

/** The values that an upload in parts uses unless an administrator sets others (contract 11). */
const initialTus = { chunkSize: 10 * 1024 * 1024, retryCount: 5 }

/**
 * What administrators decide (contract 11, 14.3). The record in the database, the API, the initial settings, the
 * command line, exports and imports all follow from this table. Its order is the order of the settings in the database
 * and in exports.
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
    initial: true,
    overApi: 'change',
    flag: { meaning: 'Pages for guests show no login button.', default: false },
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
    initial: initialValuesOf<typeof brandingFields, BrandingKinds>(brandingFields),
    overApi: 'change',
    flag: null,
  },
  shell: {
    kind: 'words',
    initial: [],
    overApi: 'change',
    flag: { meaning: 'Program, with arguments, that runs hook lines; empty for none.' },
  },
  /** Each known event is a member, with no lines at first (contract 12.2). */
  commands: { kind: 'hookLines', initial: noHookLines, overApi: 'change', flag: null },
  tus: { kind: 'tus', initial: initialTus, overApi: 'change', flag: null },
  trash: { kind: 'switch', initial: true, overApi: 'change', flag: null, isUnknownToOriginal: true },
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
/** The values of all settings. Secrets are stored beside them: how people log in, and the signing key. */
export type Settings = ValuesOf<typeof settingFields, SettingKinds>

export type ChangeableSettingName = NamesWith<typeof settingFields, { overApi: 'change' }>
type ReadableSettingName = NamesWith<typeof settingFields, { overApi: 'change' | 'read' }>

/** Returns a row of the table, with its optional properties. */
export const settingField = (name: SettingName): SettingField => settingFields[name]

export const settingNames = fieldNamesOf(settingFields)

const readableInTableOrder = settingNames.filter(
  (name): name is ReadableSettingName => settingFields[name].overApi !== 'nothing',
)

/** The settings in answers, in the order in which the original writes them. */
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

/** The settings that a request can change, in the order of answers. */
export const changeableSettingNames: readonly ChangeableSettingName[] = readableSettingNames.filter(
  (name): name is ChangeableSettingName => settingFields[name].overApi === 'change',
)

/** The settings of an installation that nobody has configured: no signup, and a trash (contract 11, 14.3). */
export const defaultSettings = initialValuesOf<typeof settingFields, SettingKinds>(settingFields)

const brandingKindSchemas = {
  switch: commonSchemas.switch,
  text: commonSchemas.text,
  theme: schemaOf<BrandingKinds['theme']>()(
    Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
  ),
  link: commonSchemas.text,
}

/** The schema of the values of each kind of setting in answers. */
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
