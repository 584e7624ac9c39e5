import { useEffect, useEffectEvent } from 'react'
import { useQuery } from '../../api/use-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { offers } from '../../api/config.ts'
import { formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { useMeasurement } from '../../operations/folder-size/use-measurement.ts'
import { readSummary, summaryRequest } from './folder-summary.ts'
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

const RecentEntries = ({ entries }: { readonly entries: readonly ListedEntry[] }) => (
  <section className={styles.recent}>
    <h2 className={styles.recentTitle}>{t('viewer.recent')}</h2>
    <ul>
      {entries.map((entry) => (
        <RecentRow key={entry.name} entry={entry} />
      ))}
    </ul>
  </section>
)

const RecentRow = ({ entry: { name, type, isFolder, modifiedMs } }: { readonly entry: ListedEntry }) => (
  <li>
    <FilePicture name={name} type={type} isFolder={isFolder} />
    <FileName name={name} />
    <span className={styles.time}>{useRelativeTime(modifiedMs)}</span>
  </li>
)

/**
 * The time in milliseconds that the quick look shows a folder before the server counts its size, because the server
 * reads every folder below it.
 */
const sizeAfterMs = 500

/** Returns the size of everything below a folder as a text, which grows while the server counts. Null without a size. */
function useFolderSize(path: Path): string | null {
  const { measurement, start } = useMeasurement([path])
  const begin = useEffectEvent(start)
  useEffect(() => {
    if (!offers('du')) return undefined
    const timer = setTimeout(() => begin(), sizeAfterMs)
    return () => clearTimeout(timer)
  }, [])
  // Without an answer, the quick look shows no size.
  if (measurement.kind === 'idle' || measurement.kind === 'failed') return null
  const size = formatSize(measurement.totals.sizeBytes)
  return measurement.kind === 'complete' ? size : t('prompt.info.sizeSoFar', { size })
}
