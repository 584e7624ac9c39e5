import { mapFields, withFirst } from '../../../shared/contract/fields/fields.ts'
import {
  brandingFieldNames,
  brandingFields,
  themes,
} from '../../../shared/contract/fields/branding-fields.ts'
import {
  authMethods,
  settingField,
  settingFields,
  settingNames,
  tusFieldNames,
  tusFields,
  type SettingName,
  type Settings,
} from '../../../shared/contract/setting-fields.ts'
import { accentColor, integer, oneOf, text, toggle, type OptionKind } from '../../config/option-kinds.ts'
import type { LoginMethodSettings } from '../../records/settings.ts'
import { flagSetter, type FlagSetter } from '../verb/flag-setter.ts'

/**
 * The values that the flags of `config init` and `config set` change, except the serving options and the defaults of
 * users.
 */
export type SettingsDraft = { readonly settings: Settings; readonly signIn: LoginMethodSettings }

type SettingsFlag = FlagSetter<SettingsDraft>

type SettingWithFlag<T> = {
  readonly initial: T
  readonly flag: {
    readonly meaning: string
    readonly name?: string
    readonly short?: string
  } | null
}

/** Creates the flag of a setting. The list is empty for a setting without a flag. */
const oneFlag =
  <T>(kind: OptionKind<T>) =>
  (name: string, { initial, flag }: SettingWithFlag<T>): readonly SettingsFlag[] => {
    if (flag === null) return []
    return [
      flagSetter({ name, ...flag, kind, default: initial }, (draft, value) =>
        withSettings(draft, { [name]: value }),
      ),
    ]
  }

const withSettings = (draft: SettingsDraft, changes: Partial<Settings>): SettingsDraft => ({
  ...draft,
  settings: { ...draft.settings, ...changes },
})

/** Creates a flag whose value is a program with its arguments, separated by spaces. */
const wordsFlag = (
  name: string,
  { flag: { meaning } }: { readonly flag: { readonly meaning: string } },
): readonly SettingsFlag[] => [
  flagSetter({ name, kind: text, default: '', meaning }, (draft, value) =>
    withSettings(draft, { [name]: value.split(' ').filter((word) => word !== '') }),
  ),
]

const oneBrandingFlag =
  <T>(kind: OptionKind<T>) =>
  (
    name: string,
    { initial, flag }: { readonly initial: T; readonly flag: { readonly meaning: string } },
  ): SettingsFlag =>
    flagSetter({ ...flag, name: `branding.${name}`, kind, default: initial }, (draft, value) =>
      withSettings(draft, { branding: { ...draft.settings.branding, [name]: value } }),
    )

const brandingFlagsByField = mapFields(brandingFields, brandingFieldNames, {
  text: oneBrandingFlag(text),
  path: oneBrandingFlag(text),
  color: oneBrandingFlag(text),
  accent: oneBrandingFlag(accentColor),
  switch: oneBrandingFlag(toggle),
  theme: oneBrandingFlag(oneOf(...themes)),
  link: oneBrandingFlag(text),
})

const brandingFlags = withFirst(brandingFieldNames, [
  'name',
  'accent',
  'color',
  'files',
  'reportIssueURL',
  'disableExternal',
  'disableUsedPercentage',
  'theme',
]).map((name) => brandingFlagsByField[name])

const tusFlag = (
  name: string,
  { initial, flag, range: [least, most] }: (typeof tusFields)[keyof typeof tusFields],
): SettingsFlag =>
  flagSetter({ ...flag, name: `tus.${name}`, kind: integer(least, most), default: initial }, (draft, value) =>
    withSettings(draft, { tus: { ...draft.settings.tus, [name]: value } }),
  )

const tusFlags = tusFieldNames.map((name) => tusFlag(name, tusFields[name]))

const settingFlagsByField = mapFields(settingFields, settingNames, {
  switch: oneFlag(toggle),
  text: oneFlag(text),
  nonEmptyText: oneFlag(text),
  folder: oneFlag(text),
  number: (name, { range: [least, most], ...field }) => oneFlag(integer(least, most))(name, field),
  words: wordsFlag,
  authMethod: oneFlag(oneOf(...authMethods)),
  rules: () => [],
  userDefaults: () => [],
  hookLines: () => [],
  branding: () => [],
  tus: () => [],
})

/** The settings with flags, in the order in which the help shows the flags (contract 14.2). */
const settingsWithFlags: readonly SettingName[] = withFirst(
  settingNames.filter((name) => settingField(name).flag !== null),
  [
    'signup',
    'hideLoginButton',
    'createUserDir',
    'userHomeBasePath',
    'minimumPasswordLength',
    'shell',
    'authMethod',
    'logoutPage',
  ],
)

const signInFlag = (name: string, meaning: string, key: 'header' | 'command'): SettingsFlag =>
  flagSetter({ name, kind: text, default: '', meaning }, (draft, value) => ({
    ...draft,
    signIn: { ...draft.signIn, [key]: value },
  }))

const initialCaptcha = { host: 'https://www.google.com', key: '', secret: '' }

const captchaFlag = (key: 'host' | 'key' | 'secret', meaning: string): SettingsFlag =>
  flagSetter(
    { name: `recaptcha.${key}`, kind: text, default: initialCaptcha[key], meaning },
    (draft, value) => ({
      ...draft,
      signIn: { ...draft.signIn, recaptcha: { ...initialCaptcha, ...draft.signIn.recaptcha, [key]: value } },
    }),
  )

/** The setting flags of `config init` and `config set` (contract 14.2). */
export const settingFlags: readonly SettingsFlag[] = [
  ...settingsWithFlags.flatMap((name) => settingFlagsByField[name]),
  signInFlag('auth.header', 'Header with the name of the user, for `proxy`.', 'header'),
  signInFlag('auth.command', 'Program that checks logins, for `hook`.', 'command'),
  captchaFlag('host', 'Address of the captcha service.'),
  captchaFlag('key', 'The captcha’s site key.'),
  captchaFlag('secret', 'The captcha’s secret.'),
  ...brandingFlags,
  ...tusFlags,
]
