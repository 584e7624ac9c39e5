import { lazyScreen } from './lazy-screen.ts'

/** The code of each screen, fetched when it is needed. */
export const loadLogin = () =>
  import('../features/login/login-screen.tsx').then(({ LoginScreen }) => LoginScreen)
export const loadFrame = () => import('./frame.tsx').then(({ Frame }) => Frame)
export const loadFiles = () =>
  import('../features/files/files-screen.tsx').then(({ FilesScreen }) => FilesScreen)

export const LoginScreen = lazyScreen(loadLogin)
export const Frame = lazyScreen(loadFrame)
export const FilesScreen = lazyScreen(loadFiles)
