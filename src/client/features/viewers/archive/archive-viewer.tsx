import { encodingQuery, type ChosenEncoding } from '../../../../shared/domain/name-encodings.ts'
import { encodingOptions } from '../../../operations/archiving/encoding-options.ts'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Info, TriangleAlert } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { offers } from '../../../api/config.ts'
import { CallError, callJson } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ViewedFile, ViewerProps } from '../viewer.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import { ArchiveBrowser } from './archive-browser.tsx'
import { treeOfMembers } from './archive-tree.ts'
import styles from './archive.module.css'

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
  const [encoding, setEncoding] = useState<ChosenEncoding>('')
  const { data, error } = useQuery({
    queryKey: ['archive', path, file.versionKey, encoding],
    queryFn: async ({ signal }) => {
      const list = await callJson('archives.list', { path, query: encodingQuery(encoding), signal })
      return { ...list, tree: treeOfMembers(list) }
    },
    gcTime: 0,
    // The list stays until that in another encoding has arrived.
    placeholderData: keepPreviousData,
    retry: false,
  })
  useEffect(() => {
    if (error !== null) onBroken(isDamagedArchive(error) ? damagedArchiveReason() : undefined)
  }, [error, onBroken])
  if (data === undefined) return <ViewerLoading />
  return (
    <ViewerFrame
      look="document"
      fillsWidth="always"
      banners={
        <>
          {data.isTruncated && (
            <Banner icon={Info}>{t('viewer.archive.cut', { count: data.members.length })}</Banner>
          )}
          {data.hidden > 0 && (
            <Banner icon={Info}>{t('viewer.archive.hidden', { count: data.hidden })}</Banner>
          )}
          {data.isCutOff === true && (
            <Banner kind="warning" icon={TriangleAlert}>
              {t('viewer.archive.cutOff')}
            </Banner>
          )}
          {data.encoding !== undefined && !isQuick && (
            <SelectField
              className={styles.encoding}
              label={t('encoding.label')}
              options={encodingOptions(encoding === '' ? data.encoding : null)}
              value={encoding}
              onChange={(event) => setEncoding(event.target.value as ChosenEncoding)}
            />
          )}
        </>
      }
    >
      <ArchiveBrowser
        key={encoding}
        file={file}
        path={path}
        tree={data.tree}
        encoding={encoding}
        isQuick={isQuick}
      />
    </ViewerFrame>
  )
}

const isDamagedArchive = (error: unknown): boolean =>
  error instanceof CallError && (error.code === 'undecodable' || error.code === 'cut-off')

const damagedArchiveReason = (): string => `${t('file.noPreview')}\n${t('viewer.archive.damaged')}`
