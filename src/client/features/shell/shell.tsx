import '../../i18n/shell-texts.ts'
import { useEffect } from 'react'
import { X } from 'lucide'
import { pageContextOf } from '../../actions/page-context.ts'
import { t } from '../../i18n/translate.ts'
import { useLocation } from '../../router/use-location.ts'
import { useMay } from '../../state/session.ts'
import { isShellOpen } from '../../state/panels/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { mobileQuery, useMedia } from '../../ui/measuring/use-media.ts'
import { ShellContent } from './shell-content.tsx'
import styles from './shell.module.css'

const hide = (): void => isShellOpen.set(false)

/** Renders the shell: a panel at the bottom of the page, and a dialog on phones. Commands run in the open folder. */
export function Shell() {
  const isPhone = useMedia(mobileQuery)
  const { folder } = pageContextOf(useLocation(), useMay())
  useRoomForPanel(!isPhone)
  if (isPhone)
    return (
      <Dialog
        title={t('command.title')}
        onClose={hide}
        width="wide"
        actions={<Button onClick={hide}>{t('buttons.close')}</Button>}
      >
        <ShellContent folder={folder} />
      </Dialog>
    )
  return (
    <section className={styles.panel} aria-label={t('command.title')} data-region>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('command.title')}</h2>
        <IconButton icon={X} label={t('command.hide')} onClick={hide} />
      </div>
      <ShellContent folder={folder} />
    </section>
  )
}

/** Makes the page above the panel shorter, so that the panel covers no rows. */
function useRoomForPanel(isPanel: boolean): void {
  useEffect(() => {
    const { style } = document.documentElement
    if (isPanel) style.setProperty('--bottom-panel', '40dvh')
    return () => void style.removeProperty('--bottom-panel')
  }, [isPanel])
}
