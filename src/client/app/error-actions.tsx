import { Folder, FolderUp, LogIn } from 'lucide'
import { parentOf, root } from '../../shared/domain/path.ts'
import { config } from '../api/config.ts'
import { t } from '../i18n/translate.ts'
import { filesUrl, navigate } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { useUser } from '../state/session.ts'
import { Button } from '../ui/button.tsx'
import { directed } from '../ui/icon.tsx'

/**
 * Renders the ways out of an error screen: to the parent folder, to the user's files, or to the login.
 * There is no button for the root as the parent folder, because the button for the user's files leads there.
 */
export function ErrorActions() {
  // As for the error screen, which is seldom rendered.
  'use no memo'
  const { screen, path } = useLocation()
  const isGuest = useUser() === null
  const parent = screen === 'files' && path !== null && path !== root ? parentOf(path) : null
  return (
    <>
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
