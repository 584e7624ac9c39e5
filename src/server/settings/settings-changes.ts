import { stat } from 'node:fs/promises'
import { membersByKind } from '../../shared/contract/fields/fields.ts'
import {
  brandingFieldNames,
  brandingFields,
  type BrandingSettings,
} from '../../shared/contract/fields/branding-fields.ts'
import {
  changeableSettingNames,
  settingFields,
  type ChangeableSettingName,
  type SettingValueTypes,
  type Settings,
} from '../../shared/contract/setting-fields.ts'
import type { RequestValueTypes } from '../../shared/contract/settings.ts'
import type { UserDefaults } from '../../shared/contract/fields/user-fields.ts'
import { isAccent } from '../../shared/domain/colors/accent.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { confinedScope } from '../access/narrow-to-user.ts'

export type SettingsReaders = {
  /** Reads rules from a request. Throws `bad-request` for rules that cannot be stored. */
  readonly readRules: (sent: unknown) => Promise<Settings['rules']>
  /** Reads the defaults for new users from a request. Throws `bad-request` for values that cannot be stored. */
  readonly readDefaults: (sent: unknown, before: UserDefaults) => Promise<UserDefaults>
}

type SettingKindOf<N extends ChangeableSettingName> = (typeof settingFields)[N]['kind']
type ChangeableKind = SettingKindOf<ChangeableSettingName>
/** Settings as a request contains them. */
export type RequestedSettings = {
  readonly [N in ChangeableSettingName]?: RequestValueTypes[SettingKindOf<N>] | undefined
}

/** The table of settings, typed so that the kind of a setting determines the type of its initial value. */
const changeableFields: {
  readonly [N in ChangeableSettingName]: {
    readonly kind: SettingKindOf<N>
    readonly initial: SettingValueTypes[SettingKindOf<N>]
  }
} = settingFields

type ChangeReader<K extends ChangeableKind> = (
  sent: NonNullable<RequestValueTypes[K]> | undefined,
  initial: SettingValueTypes[K],
) => SettingValueTypes[K] | Promise<SettingValueTypes[K]>
type ChangeReaders = { readonly [K in ChangeableKind]: ChangeReader<K> }

/**
 * Reads the settings that a request changes. Each setting in the request is replaced as a whole. A member that the
 * request does not contain gets its zero value, or the initial value where zero is not a valid value (contract 11).
 * Throws `bad-request` for a value that cannot be stored.
 */
export async function readSettingsChanges(
  settingsReaders: SettingsReaders,
  sent: RequestedSettings,
  before: Settings,
): Promise<Partial<Settings>> {
  const readers = changeReaders(settingsReaders, before)
  const read = async <N extends ChangeableSettingName>(name: N) => {
    const { kind, initial } = changeableFields[name]
    const value: RequestValueTypes[SettingKindOf<N>] | undefined = sent[name]
    return readers[kind](value ?? undefined, initial)
  }
  const names = changeableSettingNames.filter((name) => sent[name] !== undefined)
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)))
}

const changeReaders = ({ readRules, readDefaults }: SettingsReaders, before: Settings): ChangeReaders => ({
  switch: (sent) => sent ?? false,
  number: (sent, initial) => sent ?? initial,
  folder: (sent, initial) => checkedFolder(sent || initial),
  words: (sent) => sent ?? [],
  userDefaults: (sent) => readDefaults(sent, before.defaults),
  rules: readRules,
  branding: (sent) => readBranding(sent ?? {}, before.branding),
  hookLines: (sent, initial) => ({
    ...initial,
    ...Object.fromEntries(Object.entries(sent ?? {}).map(([event, lines]) => [event, lines ?? []])),
  }),
  tus: (sent, initial) => ({
    chunkSize: sent?.chunkSize || initial.chunkSize,
    retryCount: sent?.retryCount ?? (sent?.chunkSize ? 0 : initial.retryCount),
  }),
})

const emptyBranding = membersByKind(brandingFields, brandingFieldNames, {
  switch: false,
  text: '',
  path: '',
  color: '',
  accent: '',
  theme: '',
  link: '',
} as const)

/** Reads the branding. A member that the request does not contain is an empty text or false. */
async function readBranding(
  sent: NonNullable<RequestValueTypes['branding']>,
  before: BrandingSettings,
): Promise<BrandingSettings> {
  const { reportIssueURL, files, accent } = sent
  return {
    ...emptyBranding,
    ...Object.fromEntries(brandingFieldNames.map((name) => [name, sent[name] ?? emptyBranding[name]])),
    reportIssueURL: checkedLink(reportIssueURL ?? ''),
    // Pages of File Browser send no accent, and must not remove it.
    accent: accent === undefined || accent === null ? before.accent : checkedAccent(accent),
    files: files === before.files ? files : await checkedBrandingFolder(files ?? ''),
  }
}

/** Returns an accent unchanged. Throws `bad-request` for a colour whose shades cannot be computed. */
function checkedAccent(written: string): string {
  if (isAccent(written)) return written
  throw new AppError('bad-request', { reason: 'the accent is not a colour as #rrggbb', refused: 'accent' })
}

/**
 * Returns the path of the branding folder unchanged. Throws `bad-request` when there is no such folder on the machine. A path that
 * was stored before is not checked, so that a folder which has gone does not prevent other changes.
 */
async function checkedBrandingFolder(written: string): Promise<string> {
  if (written === '') return written
  const isFolder = await stat(written).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return written
  throw new AppError('bad-request', {
    reason: 'the branding folder is not a folder of the machine',
    refused: 'branding-folder',
  })
}

/**
 * Returns the path of the folder for home folders unchanged. Throws `bad-request` when it is not a valid path in the
 * volume.
 */
function checkedFolder(written: string): string {
  if (confinedScope(written) !== null) return written
  throw new AppError('bad-request', {
    reason: 'the folder for home folders is not a valid path',
    refused: 'home-folder',
  })
}

/**
 * Returns a web or mail address unchanged. Throws `bad-request` for any other address, such as a `javascript:` URL,
 * because the page shows the address as a link.
 */
function checkedLink(written: string): string {
  if (written === '') return written
  if (/^(https?:\/\/|mailto:)/i.test(written) && URL.canParse(written)) return written
  throw new AppError('bad-request', {
    reason: 'the URL for problem reports is invalid',
    refused: 'report-url',
  })
}
