import { lazyScreen } from '../api/lazy-screen.ts'

// Each screen is a separate chunk, which is loaded when the screen is needed.
export const { Screen: LoginScreen, fetch: fetchLogin } = lazyScreen(() =>
  import('../features/login/login-screen.tsx').then(({ LoginScreen }) => LoginScreen),
)
export const { Screen: Frame, fetch: fetchFrame } = lazyScreen(() =>
  import('./frame.tsx').then(({ Frame }) => Frame),
)
export const { Screen: FilesScreen, fetch: fetchFiles } = lazyScreen(() =>
  import('../features/files/files-screen.tsx').then(({ FilesScreen }) => FilesScreen),
)
export const { Screen: SettingsScreen } = lazyScreen(() =>
  import('./settings/settings-screen.tsx').then(({ SettingsScreen }) => SettingsScreen),
)
