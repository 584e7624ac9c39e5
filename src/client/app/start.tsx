import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from '../api/config.ts'
import { startSession } from '../api/session.ts'
import { startLanguage } from '../i18n/languages.ts'
import { locale } from '../i18n/translate.ts'
import { checkGuards, location as place, navigate, startRouter } from '../router/router.ts'
import { followOtherTabs, savedToken, session } from '../state/session.ts'
import { setTitle } from '../state/page-title.ts'
import { startTheme } from '../state/theme.ts'
import { App } from './app.tsx'
import { guardOf } from './guard.ts'
import { titleOf } from './titles.ts'
import { fetchFiles, fetchFrame, fetchLogin } from './screens.tsx'

/** Starts the client in an element: who is here, in which language, at which place; then the first screen. */
export async function start(element: HTMLElement): Promise<void> {
  const { BaseURL: base, LoginPage, Theme } = config()
  startTheme(Theme)
  followOtherTabs()
  const firstScreen = fetchFirstScreen(savedToken() === null && LoginPage)
  await Promise.all([resume(), startLanguage(''), firstScreen])
  startRouter({ base, guardOf: (place) => guardOf(place, { origin: location.origin, base }) })
  session.subscribe(onSession)
  onSession()
  followTitle()
  createRoot(element).render(
    <StrictMode>
      <App onRetryStart={() => void resume()} />
    </StrictMode>,
  )
}

/** The tab is called after the place, in the language on screen. */
function followTitle(): void {
  place.subscribe(showTitle)
  locale.subscribe(showTitle)
  showTitle()
}

const showTitle = (): void => setTitle(titleOf(place.get()))

/** Without a server it stays unknown who is here; the page says so and offers a retry. */
const resume = (): Promise<void> => startSession().catch(() => undefined)

function onSession(): void {
  const now = session.get()
  if (now.kind === 'starting') return
  if (now.kind === 'user') void startLanguage(now.user.locale)
  if (now.kind === 'guest' && now.reason === 'logged-out') leave()
  else checkGuards()
}

/** To the login as a new place, so that Back comes to a page that asks for it too; or to the page that a proxy in front names. */
function leave(): void {
  const { LogoutPage } = config()
  if (LogoutPage === '/login' || LogoutPage === '') navigate('/login')
  else location.assign(LogoutPage)
}

/** The code of the screen that will be shown comes while the session is being renewed. */
const fetchFirstScreen = (isLogin: boolean): Promise<unknown> =>
  Promise.all((isLogin ? [fetchLogin] : [fetchFrame, fetchFiles]).map((fetch) => fetch()))
