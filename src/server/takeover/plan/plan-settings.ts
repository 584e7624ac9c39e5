import type { Settings } from '../../../shared/contract/setting-fields.ts'
import { settingsOfRecord, signInOfRecord, withoutPartialCaptcha } from '../../exchange/config-record.ts'
import { serverOfRecord } from '../../exchange/server-record.ts'
import { privateRanges } from '../../auth/network.ts'
import type { LoginMethodSettings, StoredServingOptions } from '../../records/port.ts'
import type { OriginalState } from '../original/read-original.ts'
import type { RulesPlan } from './plan-rules.ts'
import { planScope } from './plan-scope.ts'
import { countText, takenOver } from './report-lines.ts'
import type { ServedFolder } from './served-folder.ts'

export type SettingsPlan = {
  readonly settings: Settings
  readonly signIn: LoginMethodSettings
  readonly server: StoredServingOptions
  readonly kept: readonly string[]
  readonly changed: readonly string[]
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
    kept: keptLines(settings, signIn),
    changed: [
      ...notes,
      ...(scope.note === null ? [] : [`For new users: ${scope.note}`]),
      ...(written.signup && scope.isDoubtful ? ['Signup is off until you have looked at that folder.'] : []),
      ...loginNotes(settings),
      ...commandNotes(settings, server),
    ],
  }
}

const keptLines = (settings: Settings, { recaptcha }: LoginMethodSettings): readonly string[] => [
  `The login method is ${settings.authMethod}${recaptcha === null ? '' : ', with its captcha'}.`,
  `Signup is ${settings.signup ? 'on' : 'off'}, and new users get the same defaults.`,
  ...(settings.branding.name === '' ? [] : [`The branding "${settings.branding.name}" is taken over.`]),
  ...(settings.rules.length === 0 ? [] : [takenOver(settings.rules.length, 'rule', 'for everybody')]),
]

const loginNotes = ({ authMethod }: Settings): readonly string[] =>
  authMethod === 'proxy'
    ? [
        'The header of the proxy counts only when it comes from a private address. Name your proxy with --auth.trustedProxies.',
      ]
    : []

function commandNotes({ commands }: Settings, server: StoredServingOptions): readonly string[] {
  if (server['disableExec'] === 'false')
    return ['The commands of users run in a sandbox and without a shell. Hook commands run as before.']
  const lines = Object.values(commands).flat().length
  const hooks = lines === 0 ? '' : ` and ${countText(lines, 'hook command')}`
  return [
    `The commands of users${hooks} are taken over but disabled. The flag --disableExec=false enables them.`,
  ]
}
