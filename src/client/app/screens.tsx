import { LoadingIndicator } from './loading-indicator.tsx'
import { lazyPart } from '../state/parts/lazy-part.ts'

// Each screen is a separate chunk, which is loaded when the screen is needed.
export const { Part: LoginScreen, fetch: fetchLogin } = lazyPart(
  async () => (await import('../features/login/login-screen.tsx')).LoginScreen,
  LoadingIndicator,
)
export const { Part: Frame, fetch: fetchFrame } = lazyPart(
  async () => (await import('./frame.tsx')).Frame,
  LoadingIndicator,
)
export const { Part: FilesScreen, fetch: fetchFiles } = lazyPart(
  async () => (await import('../features/files/files-screen.tsx')).FilesScreen,
  LoadingIndicator,
)
export const { Part: SettingsScreen } = lazyPart(
  async () => (await import('./settings/settings-screen.tsx')).SettingsScreen,
  LoadingIndicator,
)
