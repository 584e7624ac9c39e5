import { Folder, FolderUp, LogIn, RefreshCw } from 'lucide'
import { parentOf, root } from '../../shared/domain/path.ts'
import { config } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl, navigate } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { useUser } from '../state/session.ts'
import { Button } from '../ui/button.tsx'
import { directed } from '../ui/icon.tsx'

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
        <Button kind="primary" icon={RefreshCw} onClick={retry}>
          {t('buttons.retry')}
        </Button>
      )}
      {parent !== null && parent !== root && (
        <Button icon={FolderUp} onClick={() => navigate(filesUrl(parent, true))}>
          {t('errors.goUp')}
        </Button>
      )}
      {isGuest ? (
        !config().HideLoginButton && (
          <Button kind="primary" icon={directed(LogIn)} onClick={() => navigate('/login')}>
            {t('sidebar.login')}
          </Button>
        )
      ) : (
        <Button icon={Folder} onClick={() => navigate('/files/')}>
          {t('sidebar.myFiles')}
        </Button>
      )}
    </>
  )
}
