import type { SettingsResource } from '../../shared/contract/settings.ts'
import type { Settings } from '../records/port.ts'

/** Settings as answered, named one by one: what is not named here is never sent (contract 11). */
export const settingsResource = (settings: Settings): SettingsResource => ({
  signup: settings.signup,
  hideLoginButton: settings.hideLoginButton,
  createUserDir: settings.createUserDir,
  minimumPasswordLength: settings.minimumPasswordLength,
  userHomeBasePath: settings.userHomeBasePath,
  defaults: settings.defaults,
  rules: settings.rules,
  authMethod: settings.authMethod,
  branding: settings.branding,
  shell: settings.shell,
  commands: settings.commands,
  tus: settings.tus,
  trash: settings.trash,
})
