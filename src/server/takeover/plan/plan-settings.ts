import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { settingsOfRecord, signInOfRecord, withoutPartialCaptcha } from '../../exchange/config-record.ts'
import {
  noteOnNewUsers,
  takeoverNote,
  type TakeoverNote,
} from '../../../shared/domain/takeover/takeover-report.ts'
import type { TakeoverMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { serverOfRecord } from '../../exchange/server-record.ts'
import { privateRanges } from '../../auth/network.ts'
import type { LoginMethodSettings, StoredServingOptions } from '../../records/settings.ts'
import type { OriginalState } from '../original/read-original.ts'
import type { RulesPlan } from './plan-rules.ts'
import { planScope } from './plan-scope.ts'
import type { ServedFolder } from './served-folder.ts'

export type SettingsPlan = {
  readonly settings: Settings
  readonly signIn: LoginMethodSettings
  readonly server: StoredServingOptions
  readonly kept: readonly TakeoverMessage[]
  readonly changed: readonly TakeoverNote[]
}

/** Returns the serving options that the database of File Browser holds, in the form in which they are stored here. */
export const servingOptionsOf = ({ config }: OriginalState): StoredServingOptions =>
  serverOfRecord(config).record

/** Plans the settings, the login method and the options of the server. */
export function planSettings(
  { config, traits }: OriginalState,
  { rules, folder }: { readonly rules: RulesPlan; readonly folder: ServedFolder },
): SettingsPlan {
  const written = settingsOfRecord(config)
  const scope = planScope(written.defaults.scope, folder, traits)
  const settings = {
    ...written,
    // An empty theme was the light one there, and follows the system of each person here.
    branding: { ...written.branding, theme: written.branding.theme || 'light' },
    rules: rules.rules,
    defaults: { ...written.defaults, scope: scope.scope },
    // Whoever signs up would otherwise see a folder that was never meant for new users.
    signup: written.signup && !scope.isDoubtful,
  }
  const signIn = withoutPartialCaptcha(signInOfRecord(config))
  const { record: server, notes } = serverOfRecord(config)
  const isProxy = settings.authMethod === 'proxy'
  return {
    settings,
    signIn,
    server: isProxy ? { 'auth.trustedProxies': privateRanges.join(','), ...server } : server,
    kept: keptNotes(settings, signIn),
    changed: [
      ...notes.map(takeoverNote),
      ...(scope.note === null ? [] : [noteOnNewUsers(scope.note)]),
      ...(written.signup && scope.isDoubtful ? [takeoverNote({ code: 'signup-closed', values: {} })] : []),
      ...(isProxy ? [takeoverNote({ code: 'proxy-address', values: {} })] : []),
      takeoverNote(commandsNote(settings, server)),
    ],
  }
}

const keptNotes = (
  { authMethod: method, signup, branding: { name }, rules }: Settings,
  { recaptcha }: LoginMethodSettings,
): readonly TakeoverMessage[] => [
  { code: recaptcha === null ? 'login-method' : 'login-method-captcha', values: { method } },
  { code: signup ? 'signup-on' : 'signup-off', values: {} },
  ...(name === '' ? [] : [{ code: 'branding', values: { name } } as const]),
  ...(rules.length === 0 ? [] : [{ code: 'rules-kept', values: { count: rules.length } } as const]),
]

function commandsNote({ commands }: Settings, server: StoredServingOptions): TakeoverMessage {
  if (server['disableExec'] === 'false') return { code: 'commands-sandboxed', values: {} }
  const count = Object.values(commands).flat().length
  return count === 0
    ? { code: 'commands-disabled', values: {} }
    : { code: 'hooks-disabled', values: { count } }
}
