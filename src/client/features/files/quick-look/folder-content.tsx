import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { call } from '../../../api/call.ts'
import { offers } from '../../../api/config.ts'
import { formatRelative, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { readSummary, type RecentEntry, sizesFrom, summaryRequest } from './folder-summary.ts'
import styles from './quick-look.module.css'

/** Shows how much a folder contains, its size, and the entries in it that were changed last (ux 2.7). */
export function FolderContent({ path }: { readonly path: Path }) {
  const { data } = useQuery({
    queryKey: ['folder summary', path],
    queryFn: async ({ signal }) =>
      readSummary(await call('resources.get', { path, isFolder: true, ...summaryRequest, signal })),
    gcTime: 0,
  })
  const size = useFolderSize(path)
  return (
    <div className={styles.none}>
      <FilePicture name="" type="" isFolder size={96} />
      {data !== undefined && (
        <div>
          <output>{t('listing.foldersAndFiles', { folders: data.folders, files: data.files })}</output>
          {size !== null && <p>{size}</p>}
        </div>
      )}
      {data !== undefined && data.recent.length > 0 && <RecentEntries entries={data.recent} />}
    </div>
  )
}

const RecentEntries = ({ entries }: { readonly entries: readonly RecentEntry[] }) => (
  <section className={styles.recent}>
    <h2 className={styles.recentTitle}>{t('viewer.recent')}</h2>
    <ul>
      {entries.map(({ name, type, isFolder, modifiedMs }) => (
        <li key={name}>
          <FilePicture name={name} type={type} isFolder={isFolder} />
          <FileName name={name} />
          <span className={styles.time}>{formatRelative(modifiedMs)}</span>
        </li>
      ))}
    </ul>
  </section>
)

/**
 * The time in milliseconds that the quick look shows a folder before the server counts its size, because the server
 * reads every folder below it.
 */
const sizeAfterMs = 500

/** Returns the size of everything below a folder as a text, which grows while the server counts. Null without a size. */
function useFolderSize(path: Path): string | null {
  const [size, setSize] = useState<string | null>(null)
  useEffect(() => {
    if (!offers('du')) return undefined
    const abort = new AbortController()
    const count = async (): Promise<void> => {
      const response = await call('du.get', { path, signal: abort.signal })
      for await (const { sizeBytes, isComplete } of sizesFrom(response)) {
        const text = formatSize(sizeBytes)
        setSize(isComplete ? text : t('prompt.info.sizeSoFar', { size: text }))
      }
    }
    // Without an answer, the quick look shows no size.
    const timer = setTimeout(() => void count().catch(() => setSize(null)), sizeAfterMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [path])
  return size
}
