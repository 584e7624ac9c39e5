import { Fragment, useState } from 'react'
import { Download, ExternalLink, X } from 'lucide'
import { useQuery } from '../../api/use-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { downloadFile } from '../../operations/download.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useMay } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { directed } from '../../ui/icon.tsx'
import { useSettled } from '../../ui/measuring/use-settled.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { FileFrame } from '../../ui/file-frame/file-frame.tsx'
import { FileViewer } from '../viewers/file-viewer.tsx'
import { NoPreview } from '../viewers/frame/no-preview.tsx'
import { viewedFile } from '../viewers/viewed-file.ts'
import { FolderContent } from './folder-content.tsx'
import styles from './quick-look.module.css'

type QuickLookPanelProps = {
  /** The path of the entry on screen. */
  readonly path: Path
  readonly entry: ListedEntry
  /** Above the middle of the listing, or above the whole window. */
  readonly size: 'open' | 'full'
  readonly onClose: () => void
}

/**
 * Shows an entry above a list, which keeps the focus and its keys. The content of further entries is shown after the focus
 * has rested for a moment, so that a held arrow key loads nothing on its way.
 */
export function QuickLookPanel({ path, entry, size, onClose }: QuickLookPanelProps) {
  const [firstPath] = useState(path)
  const key = `${path} ${entry.modifiedMs} ${entry.sizeBytes}`
  const isResting = useSettled(key, { key, ms: restMs }) === key
  return (
    <section
      className={styles.panel}
      data-part="quick-look"
      data-size={size}
      aria-label={t('viewer.quickLook', { name: visibleName(entry.name) })}
    >
      <FileFrame
        file={entry}
        look="panel"
        facts={
          <>
            {!entry.isFolder && `${formatSize(entry.sizeBytes)} · `}
            <RelativeTime timeMs={entry.modifiedMs} />
          </>
        }
        end={
          <>
            <Button icon={directed(ExternalLink)} onClick={() => navigate(filesUrl(path, entry.isFolder))}>
              {t('action.open')}
            </Button>
            <IconButton
              icon={X}
              label={t('viewer.closeQuickLook')}
              hint={t('key.Escape')}
              onClick={onClose}
            />
          </>
        }
      >
        {(isResting || path === firstPath) && (
          <Fragment key={key}>
            {entry.isFolder ? <FolderContent path={path} /> : <FileContent path={path} entry={entry} />}
          </Fragment>
        )}
      </FileFrame>
    </section>
  )
}

/** The time that the focus rests on a row before its content is loaded, in milliseconds: longer than the repetition of keys. */
const restMs = 70

const noNeighbours = () => []

function FileContent({ path, entry }: { readonly path: Path; readonly entry: ListedEntry }) {
  const mayRead = useMay()('download')
  const subtitles = useSubtitlePaths(path, mayRead && entry.type === 'video')
  const renderFallback = (reason: string | null) => (
    <NoPreview file={entry} reason={reason}>
      {mayRead && (
        <Button icon={Download} onClick={() => void downloadFile(path)}>
          {t('action.download')}
        </Button>
      )}
    </NoPreview>
  )
  if (!mayRead) return renderFallback(t('file.noPermission'))
  return (
    <FileViewer
      path={path}
      file={viewedFile(path, entry, subtitles)}
      neighboursOf={noNeighbours}
      isQuick
      renderFallback={renderFallback}
    />
  )
}

/** Requests the description of a video and returns the paths of its subtitles, which a listing does not contain. */
function useSubtitlePaths(path: Path, isVideo: boolean): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['subtitles', path],
    queryFn: async ({ signal }) => {
      const description = await (await call('resources.get', { path, signal })).json()
      return 'subtitles' in description ? (description.subtitles ?? []) : []
    },
    enabled: isVideo,
    gcTime: 0,
  })
  return data
}

const RelativeTime = ({ timeMs }: { readonly timeMs: number }) => <>{useRelativeTime(timeMs)}</>
