import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from '../api/config.ts'
import { startSession } from '../api/session.ts'
import { startLanguage } from '../i18n/languages.ts'
import { locale } from '../i18n/translate.ts'
import { checkGuards, location as currentLocation, navigate, startRouter } from '../router/router.ts'
import { followOtherTabs, savedToken, session, userOfToken } from '../state/session.ts'
import { setTitle } from '../state/page-title.ts'
import { startTheme } from '../state/theme.ts'
import { App } from './app.tsx'
import { guardOf } from './guard.ts'
import { titleOf } from './title-of.ts'
import { fetchFiles, fetchFrame, fetchLogin } from './screens.tsx'

/**
 * Starts the client inside an element: renews the saved session, loads the language, starts the router, and renders the
 * first screen.
 */
export async function start(element: HTMLElement): Promise<void> {
  const { BaseURL: base, LoginPage, Theme } = config()
  startTheme(Theme)
  followOtherTabs()
  const firstScreen = fetchFirstScreen(savedToken() === null && LoginPage)
  await Promise.all([renewSavedSession(), startLanguage(''), firstScreen])
  startRouter({ base, guardOf: (route) => guardOf(route, { origin: location.origin, base }) })
  session.subscribe(onSession)
  onSession()
  followTitle()
  createRoot(element).render(
    <StrictMode>
      <App onRetryStart={() => void renewSavedSession()} />
    </StrictMode>,
  )
}

/** Updates the title of the tab whenever the address or the language changes. */
function followTitle(): void {
  currentLocation.subscribe(showTitle)
  locale.subscribe(showTitle)
  showTitle()
}

const showTitle = (): void => setTitle(titleOf(currentLocation.get()))

/**
 * Renews the saved session. When the server cannot be reached, the session stays `starting`, and the page offers a
 * retry.
 */
const renewSavedSession = (): Promise<void> => startSession().catch(() => undefined)

/**
 * The id of the last user of this page, or null when no user has signed in. The initial value comes from the saved
 * token, even when its session has ended, because the address of the page belongs to the user of that session.
 */
let lastUserId = userOfToken(savedToken() ?? '')?.id ?? null

/**
 * Applies the language of the current user and checks the address again. When one user has replaced another user, the
 * root folder is opened.
 */
function onSession(): void {
  const current = session.get()
  if (current.kind === 'starting' || current.kind === 'ended') return
  void startLanguage(current.kind === 'user' ? current.user.locale : '')
  const userId = current.kind === 'user' ? current.user.id : null
  const isOtherUser = lastUserId !== null && userId !== null && userId !== lastUserId
  lastUserId = userId ?? lastUserId
  if (current.kind === 'guest' && current.reason === 'logged-out') showLogoutPage()
  else if (isOtherUser) navigate('/files/', { replace: true })
  else checkGuards()
}

/**
 * Navigates to the login page after a logout, or to the logout page that the server configures (for example the page of
 * a proxy). The login page is a new history entry, so that Back leads to an address that also requires a login.
 */
function showLogoutPage(): void {
  const { LogoutPage } = config()
  if (LogoutPage === '/login' || LogoutPage === '') navigate('/login')
  else location.assign(LogoutPage)
}

/** Loads the code of the first screen while the session is being renewed. */
const fetchFirstScreen = (isLogin: boolean): Promise<unknown> =>
  Promise.all((isLogin ? [fetchLogin] : [fetchFrame, fetchFiles]).map((load) => load()))
