import { encodePath, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { type FolderView } from '../../listing/rows/folder-view.ts'
import { filesAddress, navigate } from '../../router/router.ts'
import { useLocation } from '../../router/use-location.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorScreen } from '../../ui/error-screen.tsx'
import { parentOf, root } from '../../../shared/domain/path.ts'
import { Breadcrumb } from './bars/breadcrumb.tsx'
import { FileScreen } from './file-screen.tsx'
import { folderDesk } from './folder-desk.ts'
import { Listing } from './listing.tsx'
import { ListingSkeleton } from './listing-skeleton.tsx'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { useLiveFolder } from './use-live-folder.ts'
import { useOpenPlace } from './use-open-place.ts'
import styles from './files-screen.module.css'

/** The open folder or file. */
export function FilesScreen() {
  const { path, isFolder } = useLocation()
  if (path === null) return <ErrorScreen status={404}>{<WaysOn path={root} />}</ErrorScreen>
  return <FilesPlace path={path} isFolder={isFolder} />
}

function FilesPlace({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  useOpenPlace(path, isFolder)
  useLiveFolder()
  const view = useStore(folderDesk.view)
  const isWaiting = useStore(folderDesk.isWaiting)
  return (
    <div className={styles.screen} aria-busy={isWaiting}>
      <Content path={path} view={view} />
    </div>
  )
}

function Content({ path, view }: { readonly path: Path; readonly view: FolderView }) {
  const bar = (
    <div className={styles.bar}>
      <Breadcrumb path={path} isFolder={view.kind !== 'file'} />
    </div>
  )
  switch (view.kind) {
    case 'folder':
      return <Listing key={encodePath(view.path)} view={view} path={path} />
    case 'file':
      return (
        <>
          {bar}
          <FileScreen key={view.path} path={view.path} file={view.file} />
        </>
      )
    case 'failed':
      return (
        <>
          {bar}
          <Failed path={path} status={view.status} />
        </>
      )
    case 'loading':
      return (
        <>
          {bar}
          <ListingSkeleton />
        </>
      )
    default:
      return bar
  }
}

function Failed({ path, status }: { readonly path: Path; readonly status: number }) {
  useKeyboard(null)
  return (
    <ErrorScreen status={status}>
      {(status === 0 || status >= 500) && (
        <Button kind="primary" icon="refresh" onClick={folderDesk.reload}>
          {t('buttons.retry')}
        </Button>
      )}
      <WaysOn path={path} />
    </ErrorScreen>
  )
}

function WaysOn({ path }: { readonly path: Path }) {
  const parent = parentOf(path)
  return (
    <>
      {parent !== root && (
        <Button icon="folder-up" onClick={() => navigate(filesAddress(parent, true))}>
          {t('errors.goUp')}
        </Button>
      )}
      {path !== root && (
        <Button icon="folder" onClick={() => navigate('/files/')}>
          {t('sidebar.myFiles')}
        </Button>
      )}
    </>
  )
}
