import { RefreshCw } from 'lucide'
import { useQuery } from '../../api/use-query.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { Button } from '../../ui/button.tsx'
import { ViewerLoading } from '../viewers/frame/viewer-loading.tsx'
import { ViewerMessage } from '../viewers/frame/viewer-message.tsx'
import { type EditorProps, TextEditor } from './text-editor.tsx'
import { loadText } from './text-file.ts'

/** Loads a text and shows it in the editor. */
export function Editor({ path, file, takesFocus, onVersion, onUnsaved }: EditorProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['text', path],
    queryFn: ({ signal }) => loadText(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  if (error !== null)
    return (
      <ViewerMessage isAlert>
        <p>{reasonOf(error)}</p>
        <Button kind="primary" icon={RefreshCw} onClick={() => void refetch()}>
          {t('buttons.retry')}
        </Button>
      </ViewerMessage>
    )
  if (data === undefined) return <ViewerLoading />
  return (
    <TextEditor
      key={data.etag}
      path={path}
      file={file}
      loaded={data}
      takesFocus={takesFocus}
      onReload={() => void refetch()}
      onVersion={onVersion}
      onUnsaved={onUnsaved}
    />
  )
}
