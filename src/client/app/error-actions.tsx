import { parentOf, root } from '../../shared/domain/path.ts'
import { config } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl, navigate } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { useUser } from '../state/session.ts'
import { Button } from '../ui/button.tsx'

/**
 * Renders the buttons of an error screen: retry, go to the parent folder, go to the user's files or go to the login.
 * There is no button for the root as the parent folder, because the button for the user's files leads there.
 */
export function ErrorActions({ retry }: { readonly retry?: (() => void) | undefined }) {
  const { screen, path } = useLocation()
  const isGuest = useUser() === null
  const parent = screen === 'files' && path !== null && path !== root ? parentOf(path) : null
  return (
    <>
      {retry && (
        <Button kind="primary" icon="refresh" onClick={retry}>
          {t('buttons.retry')}
        </Button>
      )}
      {parent !== null && parent !== root && (
        <Button icon="folder-up" onClick={() => navigate(filesUrl(parent, true))}>
          {t('errors.goUp')}
        </Button>
      )}
      {isGuest ? (
        !config().HideLoginButton && (
          <Button kind="primary" icon="log-in" onClick={() => navigate('/login')}>
            {t('sidebar.login')}
          </Button>
        )
      ) : (
        <Button icon="folder" onClick={() => navigate('/files/')}>
          {t('sidebar.myFiles')}
        </Button>
      )}
    </>
  )
}
