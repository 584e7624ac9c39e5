import { integer, oneOf, text, toggle } from '../config/kinds.ts'
import { authMethods, type Branding, type Settings, type SignIn } from '../records/port.ts'
import { setter, type Setter } from './setter.ts'

/** What `config init` and `config set` change, but for the options of serving and the defaults of users. */
export type SettingsDraft = { readonly settings: Settings; readonly signIn: SignIn }

const captcha = { host: 'https://www.google.com', key: '', secret: '' }
const mostBytes = 1024 * 1024 * 1024

const forSettings = <T>(name: string, meaning: string, rest: Rest<T>): Setter<SettingsDraft> =>
  setter<SettingsDraft, T>({ name, meaning, ...rest.option }, (draft, value) => ({
    ...draft,
    settings: { ...draft.settings, ...rest.change(value, draft.settings) },
  }))

type Rest<T> = {
  readonly option: Pick<Parameters<typeof setter<SettingsDraft, T>>[0], 'kind' | 'default' | 'short'>
  readonly change: (value: T, before: Settings) => Partial<Settings>
}

const switchOf = (key: 'signup' | 'hideLoginButton' | 'createUserDir', meaning: string, short?: string) =>
  forSettings<boolean>(key, meaning, {
    option: { kind: toggle, default: false, ...(short === undefined ? {} : { short }) },
    change: (value) => ({ [key]: value }),
  })

const brandingText = (key: 'name' | 'color' | 'files' | 'reportIssueURL', meaning: string) =>
  forSettings<string>(`branding.${key}`, meaning, {
    option: { kind: text, default: '' },
    change: (value, { branding }) => ({ branding: { ...branding, [key]: value } }),
  })

const brandingSwitch = (key: 'disableExternal' | 'disableUsedPercentage', meaning: string) =>
  forSettings<boolean>(`branding.${key}`, meaning, {
    option: { kind: toggle, default: false },
    change: (value, { branding }) => ({ branding: { ...branding, [key]: value } }),
  })

const tusNumber = (
  key: 'chunkSize' | 'retryCount',
  meaning: string,
  [least, most, usual]: readonly [number, number, number],
) =>
  forSettings<number>(`tus.${key}`, meaning, {
    option: { kind: integer(least, most), default: usual },
    change: (value, { tus }) => ({ tus: { ...tus, [key]: value } }),
  })

const signInText = (name: string, meaning: string, key: 'header' | 'command') =>
  setter<SettingsDraft, string>({ name, kind: text, default: '', meaning }, (draft, value) => ({
    ...draft,
    signIn: { ...draft.signIn, [key]: value },
  }))

const captchaText = (key: 'host' | 'key' | 'secret', meaning: string) =>
  setter<SettingsDraft, string>(
    { name: `recaptcha.${key}`, kind: text, default: captcha[key], meaning },
    (draft, value) => ({
      ...draft,
      signIn: { ...draft.signIn, recaptcha: { ...captcha, ...draft.signIn.recaptcha, [key]: value } },
    }),
  )

/** The setting flags of `config init` and `config set` (contract 14.2). */
export const settingSetters: readonly Setter<SettingsDraft>[] = [
  switchOf('signup', 'Strangers may make themselves an account.', 's'),
  switchOf('hideLoginButton', 'Pages for guests show no way to log in.'),
  switchOf('createUserDir', 'Each new user gets a folder.'),
  forSettings<string>('userHomeBasePath', 'Where those folders are made.', {
    option: { kind: text, default: '/users' },
    change: (userHomeBasePath) => ({ userHomeBasePath }),
  }),
  forSettings<number>('minimumPasswordLength', 'Characters that a new password must have.', {
    option: { kind: integer(0, 1024), default: 12 },
    change: (minimumPasswordLength) => ({ minimumPasswordLength }),
  }),
  forSettings<string>('shell', 'Program, with arguments, that hook lines are handed to; empty for none.', {
    option: { kind: text, default: '' },
    change: (value) => ({ shell: value.split(' ').filter((word) => word !== '') }),
  }),
  forSettings<(typeof authMethods)[number]>('auth.method', 'How people log in.', {
    option: { kind: oneOf(...authMethods), default: 'json' },
    change: (authMethod) => ({ authMethod }),
  }),
  forSettings<string>('auth.logoutPage', 'Where logging out leads.', {
    option: { kind: text, default: '/login' },
    change: (logoutPage) => ({ logoutPage }),
  }),
  signInText('auth.header', 'Header with the name of the user, for `proxy`.', 'header'),
  signInText('auth.command', 'Program that judges logins, for `hook`.', 'command'),
  captchaText('host', 'Where the captcha is asked.'),
  captchaText('key', 'The captcha’s site key.'),
  captchaText('secret', 'The captcha’s secret.'),
  brandingText('name', 'Name of the installation.'),
  brandingText('color', 'Colour of the browser’s frame.'),
  brandingText('files', 'Folder with own images and styles.'),
  brandingText('reportIssueURL', 'Where problems are reported.'),
  brandingSwitch('disableExternal', 'Shows no links to other sites.'),
  brandingSwitch('disableUsedPercentage', 'Does not show how full the disk is.'),
  forSettings<Branding['theme']>('branding.theme', 'Colours, where a person has chosen none.', {
    option: { kind: oneOf('', 'light', 'dark'), default: '' },
    change: (theme, { branding }) => ({ branding: { ...branding, theme } }),
  }),
  tusNumber('chunkSize', 'Bytes of a piece of an upload.', [1, mostBytes, 10 * 1024 * 1024]),
  tusNumber('retryCount', 'How often a piece is tried again.', [0, 100, 5]),
]

/** A host alone is no captcha: without key and secret there is none. */
export const settledSignIn = (signIn: SignIn): SignIn =>
  signIn.recaptcha?.key && signIn.recaptcha.secret ? signIn : { ...signIn, recaptcha: null }
