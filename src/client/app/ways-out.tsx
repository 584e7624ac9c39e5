import { parentOf, root } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { filesAddress, navigate } from '../router/router.ts'
import { useLocation } from '../router/use-location.ts'
import { useUser } from '../state/session.ts'
import { Button } from '../ui/button.tsx'

/** Where one can go from a place that cannot be shown. */
export function WaysOut({ retry }: { readonly retry?: (() => void) | undefined }) {
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
        <Button icon="folder-up" onClick={() => navigate(filesAddress(parent, true))}>
          {t('errors.goUp')}
        </Button>
      )}
      {isGuest ? (
        <Button kind="primary" icon="log-in" onClick={() => navigate('/login')}>
          {t('sidebar.login')}
        </Button>
      ) : (
        <Button icon="folder" onClick={() => navigate('/files/')}>
          {t('sidebar.myFiles')}
        </Button>
      )}
    </>
  )
}
