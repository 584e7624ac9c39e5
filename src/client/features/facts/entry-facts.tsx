import { useQuery } from '../../api/use-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { callJson } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useMay } from '../../state/session.ts'
import { formatWord } from '../../ui/kinds/format-word.ts'
import { CountFacts, Fact, ModifiedFact, PathFact, SizeFact } from './fact.tsx'
import { countsIn } from '../../operations/folder-size/folder-totals.ts'
import { CameraFacts } from './photo-facts.tsx'
import { TreeSizeFact } from './tree-size-fact.tsx'

/** Renders what is known about one selected entry. */
export function EntryFacts({ path, entry }: { readonly path: Path; readonly entry: ListedEntry }) {
  const { isFolder, isBroken, isUnreachable, sizeBytes, modifiedMs } = entry
  const may = useMay()
  const isFile = !isFolder && !isBroken && isUnreachable !== true
  return (
    <>
      <Fact label={t('prompt.info.type')}>{formatWord(entry)}</Fact>
      <PathFact path={path} isFolder={isFolder} />
      {isFolder ? <TreeSizeFact folders={[path]} /> : isFile && <SizeFact sizeBytes={sizeBytes} />}
      {isUnreachable !== true && <ModifiedFact modifiedMs={modifiedMs} />}
      {isFolder && <FolderCountFacts folder={path} />}
      {isFile && entry.type === 'image' && <ResolutionFact path={path} modifiedMs={modifiedMs} />}
      {isFile && entry.type === 'image' && may('download') && (
        <CameraFacts path={path} sizeBytes={sizeBytes} modifiedMs={modifiedMs} />
      )}
    </>
  )
}

/** Renders the numbers of files and folders in a selected folder, as soon as the server has sent them. */
function FolderCountFacts({ folder }: { readonly folder: Path }) {
  const { data } = useQuery({
    queryKey: ['folder counts', folder],
    queryFn: ({ signal }) => countsIn(folder, signal),
    staleTime: 0,
  })
  return data && <CountFacts {...data} isFolder />
}

/** Renders the width and height of an image. The server knows them for some image formats only. */
function ResolutionFact({ path, modifiedMs }: { readonly path: Path; readonly modifiedMs: number }) {
  const { data } = useQuery({
    queryKey: ['resolution', path, modifiedMs],
    queryFn: async ({ signal }) => {
      const resource = await callJson('resources.get', { path, signal })
      return ('resolution' in resource && resource.resolution) || null
    },
  })
  if (data === undefined || data === null) return null
  const { width, height } = data
  return <Fact label={t('prompt.info.resolution')}>{t('prompt.info.pixels', { width, height })}</Fact>
}
