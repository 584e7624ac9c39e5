import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from '../api/config.ts'
import { requestEarlyListing } from '../api/early-listing.ts'
import { startSession } from '../api/session.ts'
import { locale } from '../i18n/locale.ts'
import { belowBase, routeOf } from '../router/location.ts'
import { checkGuards, location as currentLocation, navigate, startRouter } from '../router/router.ts'
import { followOtherTabs, savedToken, session, userOfToken } from '../state/session.ts'
import { setTitle } from '../state/page-title.ts'
import { startTheme } from '../state/device/theme.ts'
import { startKeyScopes } from '../ui/keyboard/key-scopes.ts'
import { App } from './app.tsx'
import { guardOf } from './guard.ts'
import { titleOf } from './title-of.ts'
import { applyLanguage, followLanguage } from './user-language.ts'
import { loadFirstScreen } from './screens.tsx'

/**
 * Starts the client inside an element: hands keys to the open scopes, renews the saved session, loads the language, starts
 * the router, and renders the first screen.
 */
export async function start(element: HTMLElement): Promise<void> {
  const { BaseURL: base, LoginPage, Theme } = config()
  startTheme(Theme)
  startKeyScopes(document)
  if (belowBase(location.pathname, base)?.startsWith('/share/')) return showShare(element)
  followOtherTabs()
  const token = savedToken()
  const firstScreen = loadFirstScreen(token === null && LoginPage)
  if (token !== null) requestFirstListing(base, token)
  // The saved token names the language of the user, so that the first screen need not wait for the session.
  const language = applyLanguage(userOfToken(token ?? '')?.locale ?? '')
  await Promise.all([renewSavedSession(), language, firstScreen])
  startRouter({ base, guardOf: (route) => guardOf(route, { origin: location.origin, base }) })
  session.subscribe(() => void onSession())
  await onSession()
  followTitle()
  followLanguage()
  createRoot(element).render(
    <StrictMode>
      <App onRetryStart={() => void renewSavedSession()} />
    </StrictMode>,
  )
}

const loadShare = () => import('./start-share.tsx')

/** Starts the page of a share, or says that the server could not be reached when its code cannot be loaded. */
async function showShare(element: HTMLElement): Promise<void> {
  try {
    const { startShare } = await loadShare().catch(loadShare)
    await startShare(element)
  } catch {
    createRoot(element).render(<App onRetryStart={() => location.reload()} />)
  }
}

/** Requests the folder or file of the address before the session is renewed, unless the address is another screen. */
function requestFirstListing(base: string, token: string): void {
  const route = routeOf(belowBase(location.pathname, base) ?? '/files/', '')
  const first = 'redirect' in route ? routeOf(route.redirect, '') : route
  if ('redirect' in first || first.screen !== 'files' || first.path === null) return
  requestEarlyListing({ path: first.path, isFolder: first.isFolder }, token)
}

/** Updates the title of the tab whenever the address or the language changes. */
function followTitle(): void {
  currentLocation.subscribe(showTitle)
  locale.subscribe(showTitle)
  showTitle()
}

const showTitle = (): void => setTitle({ text: titleOf(currentLocation.get()) })

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
async function onSession(): Promise<void> {
  const current = session.get()
  if (current.kind === 'starting' || current.kind === 'ended') return
  await applyLanguage(current.kind === 'user' ? current.user.locale : '')
  if (session.get() !== current) return
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
