import { membersByKind } from '../../shared/contract/fields.ts'
import {
  brandingFieldNames,
  brandingFields,
  changeableSettingNames,
  settingFields,
  type BrandingSettings,
  type ChangeableSettingName,
  type SettingKinds,
  type Settings,
} from '../../shared/contract/setting-fields.ts'
import type { RequestedKinds } from '../../shared/contract/settings.ts'
import type { UserDefaults } from '../../shared/contract/user-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { confinedScope } from '../access/caller-factory.ts'

export type SettingsReaders = {
  /** Reads rules out of a request. Throws `bad-request` for rules that cannot be stored. */
  readonly readRules: (sent: unknown) => Promise<Settings['rules']>
  /** Reads the values for new users out of a request. Throws `bad-request` for values that cannot be stored. */
  readonly readDefaults: (sent: unknown, before: UserDefaults) => Promise<UserDefaults>
}

type KindOf<N extends ChangeableSettingName> = (typeof settingFields)[N]['kind']
type ChangeableKind = KindOf<ChangeableSettingName>
type RequestedSettings = { readonly [N in ChangeableSettingName]?: RequestedKinds[KindOf<N>] | undefined }

/** The table of settings, typed so that the kind of a row decides the type of its initial value. */
const changeableFields: {
  readonly [N in ChangeableSettingName]: {
    readonly kind: KindOf<N>
    readonly initial: SettingKinds[KindOf<N>]
  }
} = settingFields

type ChangeReader<K extends ChangeableKind> = (
  sent: NonNullable<RequestedKinds[K]> | undefined,
  initial: SettingKinds[K],
) => SettingKinds[K] | Promise<SettingKinds[K]>
type ChangeReaders = { readonly [K in ChangeableKind]: ChangeReader<K> }

/**
 * Reads the settings that a request changes. Each of them is replaced as a whole: a member that the request leaves out
 * gets its zero value, or the initial value where zero makes no sense (contract 11). Throws `bad-request` for a value
 * that cannot be stored.
 */
export async function readSettingsChanges(
  settingsReaders: SettingsReaders,
  sent: RequestedSettings,
  before: Settings,
): Promise<Partial<Settings>> {
  const readers = changeReaders(settingsReaders, before)
  const read = async <N extends ChangeableSettingName>(name: N) => {
    const { kind, initial } = changeableFields[name]
    const value: RequestedKinds[KindOf<N>] | undefined = sent[name]
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
  branding: (sent) => readBranding(sent ?? {}),
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
  theme: '',
  link: '',
} as const)

/** Reads the branding; a member that the request leaves out is empty, or off. */
const readBranding = (sent: NonNullable<RequestedKinds['branding']>): BrandingSettings => ({
  ...emptyBranding,
  ...Object.fromEntries(brandingFieldNames.map((name) => [name, sent[name] ?? emptyBranding[name]])),
  reportIssueURL: checkedLink(sent.reportIssueURL ?? ''),
})

/** Returns the text when it names a folder of the volume. The homes of new users are made in that folder. */
function checkedFolder(written: string): string {
  if (confinedScope(written) !== null) return written
  throw new AppError('bad-request', { reason: 'the folder of the homes is no path' })
}

/**
 * Returns the address when it leads to a site or opens a letter. People follow it from our own page, so it must not run
 * anything.
 */
function checkedLink(written: string): string {
  if (written === '') return written
  if (/^(https?:\/\/|mailto:)/i.test(written) && URL.canParse(written)) return written
  throw new AppError('bad-request', { reason: 'the address for problems is none' })
}
