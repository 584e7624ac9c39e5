import type { FunctionComponent } from 'react'
import type { ScreenName } from '../router/screens.ts'
import { lazyModule, lazyPart } from '../state/parts/lazy-part.ts'
import { LoadingIndicator } from './loading-indicator.tsx'

// Each screen is a separate chunk, which is loaded when the screen is needed.
const login = lazyModule(() => import('../features/login/login-screen.tsx'))
const frame = lazyModule(() => import('./frame.tsx'))
const files = lazyModule(() => import('../features/files/files-screen.tsx'))

export const LoginScreen = login.part((module) => module.LoginScreen, LoadingIndicator)
export const Frame = frame.part((module) => module.Frame, LoadingIndicator)

/** The screens with the header and the sidebar around them. An address of another screen is shown as an error. */
export const framedScreens: Partial<Readonly<Record<ScreenName, FunctionComponent>>> = {
  files: files.part((module) => module.FilesScreen, LoadingIndicator),
  settings: lazyPart(
    async () => (await import('./settings/settings-screen.tsx')).SettingsScreen,
    LoadingIndicator,
  ),
}

/** Loads the code of the first screen ahead of time. Never rejects. */
export const loadFirstScreen = (isLogin: boolean): Promise<unknown> =>
  Promise.all((isLogin ? [login] : [frame, files]).map(({ prepare }) => prepare()))
