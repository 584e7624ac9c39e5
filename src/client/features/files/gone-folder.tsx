import { Folder, FolderUp } from 'lucide'
import { useQuery } from '../../api/use-query.ts'
import { nameOf, parentOf, type Path, root } from '../../../shared/domain/path.ts'
import { call, CallError } from '../../api/call.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import { subfoldersRequest } from '../../listing/rows/subfolders.ts'
import { PathLink } from '../../paths/path-link.tsx'
import { filesUrl, navigate } from '../../router/router.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { useUnreachablePath } from './use-unreachable-path.ts'

/**
 * Says that the open folder was deleted or moved by somebody else, and leads to the nearest folder above it that still
 * exists. The rows come back as soon as a folder with this path exists again.
 */
export function GoneFolder({ path }: { readonly path: Path }) {
  const heading = t('status.folderGone')
  useKeyboard(false)
  useUnreachablePath(path, heading)
  const nearest = useQuery(nearestFolderQuery(path)).data
  const isBelowRoot = nearest !== undefined && nearest !== root
  return (
    <EmptyState
      icon={Folder}
      text={heading}
      note={
        isBelowRoot ? (
          <RichText id="status.nearestFolder" values={{ path: <PathLink path={nearest} isFolder /> }} />
        ) : (
          t('status.folderGone.next')
        )
      }
      isHeading
    >
      {isBelowRoot && (
        <Button kind="primary" icon={FolderUp} onClick={() => navigate(filesUrl(nearest, true))}>
          {t('status.goToFolder', { name: visibleName(nameOf(nearest)) })}
        </Button>
      )}
      <Button icon={Folder} onClick={() => navigate('/files/')}>
        {t('sidebar.myFiles')}
      </Button>
    </EmptyState>
  )
}

/** The query for the nearest folder above a missing folder that still exists. */
const nearestFolderQuery = (missing: Path) => ({
  queryKey: ['nearest-folder', missing],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => nearestFolder(missing, signal),
  staleTime: 0,
  gcTime: 0,
})

async function nearestFolder(missing: Path, signal: AbortSignal): Promise<Path> {
  for (let path = parentOf(missing); path !== root; path = parentOf(path))
    if (await isReadable(path, signal)) return path
  return root
}

/** Returns true when the server opens a folder. Only the beginning of its listing is read. */
async function isReadable(path: Path, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await call('resources.get', { path, isFolder: true, ...subfoldersRequest, signal })
    await response.body?.cancel()
    return true
  } catch (thrown) {
    if (thrown instanceof CallError && (thrown.status === 403 || thrown.status === 404)) return false
    throw thrown
  }
}
