import { Folder, FolderUp } from 'lucide'
import { encodePath, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import type { FolderView } from '../../listing/rows/folder-loader.ts'
import type { LoadError } from '../../listing/rows/row-stream.ts'
import { basePath, filesUrl, navigate } from '../../router/router.ts'
import { useLocation } from '../../router/use-location.ts'
import { startDensity } from '../../state/device/density.ts'
import { detailsPane } from '../../state/device/details-pane.ts'
import { startFolderViews } from '../../state/device/folder-views.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { errorHeading, ErrorScreen } from '../../ui/error-screen.tsx'
import { Slot } from '../../ui/slot.tsx'
import { Breadcrumb } from './bars/breadcrumb.tsx'
import { NewMenu } from './bars/new-menu.tsx'
import { addressLoader } from './open-folder/address-loader.ts'
import { ListingScreen } from './listing-screen.tsx'
import { useUnreachablePath } from './use-unreachable-path.ts'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { useLiveFolder } from './open-folder/use-live-folder.ts'
import messageStyles from './bars/message.module.css'
import styles from './files-screen.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { filesAfterRows } from './parts/load-after-rows.ts'

/** The screen of a single file, whose code the listing does not need. */
const FileScreen = lazyPart(async () => (await import('./file-screen.tsx')).FileScreen)

/** The placeholders of a folder, which are shown only while the server takes a long time to respond. */
const LoadingListing = lazyPart(async () => (await import('./loading-listing.tsx')).LoadingListing)

/** The message in place of a folder that was deleted or moved while it was open. */
const GoneFolder = filesAfterRows.part((module) => module.GoneFolder)

// The style sheets know the chosen density, and the screen the view of each folder, before the first rows are rendered.
startDensity()
startFolderViews(basePath())

/** Renders the folder or file of the current address. */
export function FilesScreen() {
  const { path, isFolder } = useLocation()
  if (path === null) return <ErrorScreen status={404}>{<WayOutButtons path={root} />}</ErrorScreen>
  return <OpenAddress path={path} isFolder={isFolder} />
}

function OpenAddress({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  useLiveFolder()
  const view = useStore(addressLoader.view)
  const isWaiting = useStore(addressLoader.isWaiting)
  const isOn = useStore(detailsPane) === 'on'
  const hasDetails = isOn && (view.kind === 'folder' || view.kind === 'loading')
  return (
    <div className={styles.screen} aria-busy={isWaiting} data-details={hasDetails || undefined}>
      <Content path={path} isFolder={isFolder} view={view} />
    </div>
  )
}

type ContentProps = { readonly path: Path; readonly isFolder: boolean; readonly view: FolderView }

function Content({ path, isFolder, view }: ContentProps) {
  return (
    <>
      <div className={styles.bar}>
        <Breadcrumb key={encodePath(path)} path={path} isFolder={view.kind !== 'file'} />
        <Slot name="folder-actions" className={styles.actions} />
        {(view.kind === 'folder' || view.kind === 'loading') && <NewMenu path={path} />}
        <Slot name="selection" className={styles.selection} />
      </div>
      {contentOf({ path, isFolder, view })}
    </>
  )
}

/** Returns what is below the bar: the rows of a folder, an open file, an error, or placeholders. */
function contentOf({ path, isFolder, view }: ContentProps) {
  switch (view.kind) {
    case 'folder':
      return <ListingScreen key={encodePath(view.path)} view={view} folder={isFolder ? path : view.path} />
    case 'file':
      return <FileScreen path={view.path} file={view.file} />
    case 'failed':
      return (
        <div className={messageStyles.message}>
          {view.wasOpen === true ? (
            <GoneFolder path={view.path} />
          ) : (
            <LoadFailure path={view.path} error={view} />
          )}
        </div>
      )
    case 'loading':
      return <LoadingListing path={path} />
    default:
      return null
  }
}

function LoadFailure({ path, error }: { readonly path: Path; readonly error: LoadError }) {
  const { status, isBrokenLink, requestId } = error
  useKeyboard(false)
  useUnreachablePath(path, errorHeading(status))
  return (
    <ErrorScreen
      status={status}
      note={isBrokenLink && t('errors.brokenLink.next')}
      requestId={requestId}
      onRetry={status === 0 || status >= 500 ? addressLoader.reload : undefined}
    >
      <WayOutButtons path={path} />
    </ErrorScreen>
  )
}

function WayOutButtons({ path }: { readonly path: Path }) {
  const parent = parentOf(path)
  return (
    <>
      {parent !== root && (
        <Button icon={FolderUp} onClick={() => navigate(filesUrl(parent, true))}>
          {t('errors.goUp')}
        </Button>
      )}
      {path !== root && (
        <Button icon={Folder} onClick={() => navigate('/files/')}>
          {t('sidebar.myFiles')}
        </Button>
      )}
    </>
  )
}
