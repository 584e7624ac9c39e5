import { hookEvents } from '../../shared/contract/hooks/hook-events.ts'
import { permissions, type Permission } from '../../shared/domain/access.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Settings, SignIn } from './port.ts'

/** Each event without programs before or after it (contract 12.2). */
export const noCommands: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  hookEvents.flatMap(({ name }) => [
    [`after_${name}`, []],
    [`before_${name}`, []],
  ]),
)

/** An installation that nobody has set up: everything allowed but administration, no signup, trash on (contract 11, 14.3). */
export const defaultSettings: Settings = {
  signup: false,
  hideLoginButton: true,
  createUserDir: false,
  userHomeBasePath: '/users',
  minimumPasswordLength: limits.minimumPasswordLength,
  defaults: {
    scope: '.',
    locale: 'en',
    viewMode: 'mosaic',
    singleClick: false,
    redirectAfterCopyMove: true,
    sorting: { by: '', asc: false },
    perm: Object.fromEntries(permissions.map((name) => [name, name !== 'admin'])) as Record<
      Permission,
      boolean
    >,
    commands: [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
    quotaBytes: null,
  },
  rules: [],
  branding: {
    name: '',
    disableExternal: false,
    disableUsedPercentage: false,
    files: '',
    theme: '',
    color: '',
    reportIssueURL: '',
  },
  shell: [],
  commands: noCommands,
  tus: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  trash: true,
  authMethod: 'json',
  logoutPage: '/login',
}

export const defaultSignIn: SignIn = { recaptcha: null, header: '', command: '' }
