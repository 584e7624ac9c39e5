import { lazyModule, lazyPart } from '../state/parts/lazy-part.ts'
import { LoadingIndicator } from './loading-indicator.tsx'

// Each screen is a separate chunk, which is loaded when the screen is needed.
const login = lazyModule(() => import('../features/login/login-screen.tsx'))
const frame = lazyModule(() => import('./frame.tsx'))
const files = lazyModule(() => import('../features/files/files-screen.tsx'))

export const LoginScreen = login.part((module) => module.LoginScreen, LoadingIndicator)
export const Frame = frame.part((module) => module.Frame, LoadingIndicator)
export const FilesScreen = files.part((module) => module.FilesScreen, LoadingIndicator)
export const SettingsScreen = lazyPart(
  async () => (await import('./settings/settings-screen.tsx')).SettingsScreen,
  LoadingIndicator,
)

/** Loads the code of the first screen ahead of time. Never rejects. */
export const loadFirstScreen = (isLogin: boolean): Promise<unknown> =>
  Promise.all((isLogin ? [login] : [frame, files]).map(({ prepare }) => prepare()))
