import { mapFields, pickMembers } from '../../shared/contract/fields/fields.ts'
import {
  brandingFieldNames,
  brandingFields,
  themes,
  type BrandingSettings,
} from '../../shared/contract/fields/branding-fields.ts'
import {
  authMethods,
  defaultSettings,
  settingField,
  settingFields,
  settingNames,
  tusFields,
  type AuthMethod,
  type Settings,
} from '../../shared/contract/setting-fields.ts'
import { isAccent } from '../../shared/domain/colors/accent.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { LoginMethodSettings } from '../records/settings.ts'
import { faultOfRules } from '../records/user-checks.ts'
import { createRecordReader, textsOf, type RecordReader } from './record-reader.ts'
import { defaultsOfRecord, recordOfDefaults, recordOfRule, rulesOfRecord } from './user-record.ts'

/**
 * Returns the settings in the format of File Browser's exports, with added members for the settings that only Stowage
 * has. The caller adds the signing key and the permission bits of new files and folders.
 */
export const recordOfSettings = ({ defaults, ...settings }: Settings) => ({
  ...settings,
  defaults: recordOfDefaults(defaults),
  rules: settings.rules.map(recordOfRule),
  // The original writes this member, and nothing reads it.
  hideDotfiles: false,
})

/**
 * Returns the member `auther` of an export. Its members depend on the login method (contract 2.7). Values that are
 * stored for other login methods are added to it.
 */
export const recordOfSignIn = (
  { recaptcha, header, command }: LoginMethodSettings,
  { authMethod }: Settings,
) => ({
  ...(authMethod === 'json' || recaptcha !== null ? { recaptcha } : {}),
  ...(authMethod === 'proxy' || header !== '' ? { header } : {}),
  ...(authMethod === 'hook' || command !== '' ? { command } : {}),
})

/**
 * Reads the settings from an export. A missing member has the value that it has for File Browser (contract 15.3).
 * Throws `bad-request` with the reason when the content is invalid.
 */
export function settingsOfRecord(content: RecordReader): Settings {
  if (!content.has('settings')) throw new AppError('bad-request', { reason: 'the file contains no settings' })
  const record = content.members('settings')
  const settings = mapFields(settingFields, settingNames, settingReaders(record))
  const reason = faultOfRules(settings.rules)
  if (reason !== null) throw new AppError('bad-request', { reason })
  const absentNames = settingNames.filter(
    (name) => settingField(name).isUnknownToOriginal === true && !record.has(name),
  )
  return { ...settings, ...pickMembers<Settings, keyof Settings>(defaultSettings, absentNames) }
}

type FieldWithInitial<T> = { readonly initial: T }

const settingReaders = (record: RecordReader) => {
  const nonEmptyText = (name: string, { initial }: FieldWithInitial<string>) => record.text(name) || initial
  return {
    switch: (name: string) => record.toggle(name),
    text: (name: string) => record.text(name),
    nonEmptyText,
    folder: nonEmptyText,
    number: (name: string, { initial }: FieldWithInitial<number>) => record.number(name, 0) || initial,
    words: (name: string) => record.texts(name),
    rules: () => rulesOfRecord(record),
    userDefaults: (name: string, { initial }: FieldWithInitial<Settings['defaults']>) => {
      const defaults = defaultsOfRecord(record.members(name))
      return { ...defaults, locale: defaults.locale || initial.locale }
    },
    branding: (name: string): BrandingSettings =>
      mapFields(brandingFields, brandingFieldNames, brandingReaders(record.members(name))),
    hookLines: (name: string) =>
      Object.fromEntries(
        record
          .members(name)
          .entries()
          .map(([event, lines]) => [event, textsOf(lines, `${name}.${event}`)]),
      ),
    tus: (name: string, { initial }: FieldWithInitial<Settings['tus']>) =>
      tusOf(record.members(name), initial),
    authMethod: (name: string, { initial }: FieldWithInitial<AuthMethod>) =>
      authMethodOf(record.text(name) || initial),
  }
}

const brandingReaders = (record: RecordReader) => ({
  switch: (name: string) => record.toggle(name),
  text: (name: string) => record.text(name),
  path: (name: string) => record.text(name),
  color: (name: string) => record.text(name),
  accent: (name: string) => (isAccent(record.text(name)) ? record.text(name) : ''),
  link: (name: string) => record.text(name),
  theme: (name: string): BrandingSettings['theme'] =>
    themes.find((theme) => theme === record.text(name)) ?? '',
})

function authMethodOf(written: string): AuthMethod {
  const authMethod = authMethods.find((name) => name === written)
  if (authMethod === undefined) throw new AppError('bad-request', { reason: `nobody logs in by ${written}` })
  return authMethod
}

function tusOf(record: RecordReader, initial: Settings['tus']): Settings['tus'] {
  const [chunkSize, retryCount] = [record.number('chunkSize', 0), record.number('retryCount', 0)]
  if (chunkSize === 0) return { chunkSize: initial.chunkSize, retryCount: retryCount || initial.retryCount }
  return { chunkSize: Math.min(chunkSize, tusFields.chunkSize.range[1]), retryCount }
}

/** Reads the parameters of the login methods from the member `auther` of an export. */
export function signInOfRecord(content: RecordReader): LoginMethodSettings {
  const record = content.members('auther')
  const captcha = record.has('recaptcha') ? record.members('recaptcha') : createRecordReader({}, 'recaptcha')
  return {
    recaptcha: { host: captcha.text('host'), key: captcha.text('key'), secret: captcha.text('secret') },
    header: record.text('header'),
    command: record.text('command'),
  }
}

/** Removes a captcha that has no key or no secret, because a captcha cannot work without them. */
export const withoutPartialCaptcha = (signIn: LoginMethodSettings): LoginMethodSettings =>
  signIn.recaptcha?.key && signIn.recaptcha.secret ? signIn : { ...signIn, recaptcha: null }
