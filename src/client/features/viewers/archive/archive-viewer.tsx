import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { offers } from '../../../api/config.ts'
import { callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { addIcons } from '../../../ui/icon.tsx'
import { lateIcons } from '../../../ui/icons/late-icons.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ViewedFile, ViewerProps } from '../viewer.ts'
import { ViewerLoading } from '../viewer-loading.tsx'
import { ArchiveBrowser } from './archive-browser.tsx'
import { treeOfMembers } from './archive-tree.ts'
import styles from './archive.module.css'

addIcons(lateIcons)

/** Shows the files and folders in an archive like a folder that cannot be changed. */
export function ArchiveViewer({ file, path, isQuick, onBroken }: ViewerProps) {
  const isListed = path !== null && offers('archive')
  useEffect(() => {
    if (!isListed) onBroken()
  }, [isListed, onBroken])
  return isListed ? <ListedArchive file={file} path={path} isQuick={isQuick} onBroken={onBroken} /> : null
}

type ListedArchiveProps = Pick<ViewerProps, 'isQuick' | 'onBroken'> & {
  readonly file: ViewedFile
  readonly path: Path
}

function ListedArchive({ file, path, isQuick, onBroken }: ListedArchiveProps) {
  const { data, error } = useQuery({
    queryKey: ['archive', path, file.versionKey],
    queryFn: async ({ signal }) => {
      const list = await callJson('archives.list', { path, signal })
      return { ...list, tree: treeOfMembers(list) }
    },
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    if (error !== null) onBroken()
  }, [error, onBroken])
  if (data === undefined) return <ViewerLoading />
  return (
    <div className={styles.viewer}>
      {data.isTruncated && (
        <Banner icon="info">{t('viewer.archive.cut', { count: data.members.length })}</Banner>
      )}
      {data.hidden > 0 && <Banner icon="info">{t('viewer.archive.hidden', { count: data.hidden })}</Banner>}
      <ArchiveBrowser file={file} path={path} tree={data.tree} isQuick={isQuick} />
    </div>
  )
}
