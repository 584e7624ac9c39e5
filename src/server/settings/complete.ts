import type { BodyOf } from '../../shared/contract/endpoint.ts'
import type { updateSettings } from '../../shared/contract/settings.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { confinedScope } from '../access/door.ts'
import { defaultSettings, noCommands } from '../records/default-settings.ts'
import type { Branding, Settings, UserDefaults } from '../records/port.ts'

export type CompleteNeeds = {
  /** Both refuse (`bad-request`) what cannot be stored. */
  readonly readRules: (sent: unknown) => Promise<Settings['rules']>
  readonly readDefaults: (sent: unknown, before: UserDefaults) => UserDefaults
}

type Sent = BodyOf<typeof updateSettings>
type Key = Exclude<keyof Sent, 'current_password'>
type Completions = {
  readonly [K in Key]: (sent: NonNullable<Sent[K]> | undefined) => Settings[K] | Promise<Settings[K]>
}

/**
 * The settings that a request changes, each as a whole: members that it leaves out have their zero value, or the usual one where zero
 * makes no sense (contract 11). `bad-request` for what cannot be stored.
 */
export async function complete(
  needs: CompleteNeeds,
  sent: Sent,
  before: Settings,
): Promise<Partial<Settings>> {
  const completions = completionsOf(needs, before)
  const value = async <K extends Key>(key: K): Promise<Settings[K]> =>
    completions[key](sent[key] ?? undefined)
  const keys = (Object.keys(completions) as Key[]).filter((key) => sent[key] !== undefined)
  return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await value(key)] as const)))
}

const usual = defaultSettings

const completionsOf = ({ readRules, readDefaults }: CompleteNeeds, before: Settings): Completions => ({
  signup: (sent) => sent ?? false,
  hideLoginButton: (sent) => sent ?? false,
  createUserDir: (sent) => sent ?? false,
  minimumPasswordLength: (sent) => sent ?? usual.minimumPasswordLength,
  userHomeBasePath: (sent) => folderOf(sent || usual.userHomeBasePath),
  defaults: (sent) => readDefaults(sent, before.defaults),
  rules: readRules,
  branding: (sent) => ({
    name: sent?.name ?? '',
    disableExternal: sent?.disableExternal ?? false,
    disableUsedPercentage: sent?.disableUsedPercentage ?? false,
    files: sent?.files ?? '',
    theme: sent?.theme ?? '',
    color: sent?.color ?? '',
    reportIssueURL: addressOf(sent?.reportIssueURL ?? ''),
  }),
  shell: (sent) => sent ?? [],
  commands: (sent) => ({
    ...noCommands,
    ...Object.fromEntries(Object.entries(sent ?? {}).map(([event, lines]) => [event, lines ?? []])),
  }),
  tus: (sent) => ({
    chunkSize: sent?.chunkSize || usual.tus.chunkSize,
    retryCount: sent?.retryCount ?? (sent?.chunkSize ? 0 : usual.tus.retryCount),
  }),
  trash: (sent) => sent ?? false,
})

/** Where homes are made: any text that names a folder of the volume. */
function folderOf(written: string): string {
  if (confinedScope(written) !== null) return written
  throw new AppError('bad-request', { reason: 'the folder of the homes is no path' })
}

/** People follow it from our own page: it leads to a site or to a letter, and runs nothing. */
function addressOf(written: string): Branding['reportIssueURL'] {
  if (written === '') return written
  if (/^(https?:\/\/|mailto:)/i.test(written) && URL.canParse(written)) return written
  throw new AppError('bad-request', { reason: 'the address for problems is none' })
}
