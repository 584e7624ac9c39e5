import { useEffect, useEffectEvent, useState } from 'react'
import type { FileResource } from '../../../shared/contract/resources.ts'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { basePath } from '../../router/router.ts'
import { openFileChanged } from '../../state/entry-changes.ts'
import { notify } from '../../state/notices.ts'
import { useMay, useUser } from '../../state/session.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { DraftBanner } from './draft-banner.tsx'
import { type Draft, latestDraft, removeDraft } from './drafts.ts'
import { type FileVersion, readVersion } from './text-file.ts'
import { wantedDraft } from './wanted-draft.ts'

type DocumentNotesProps = {
  readonly path: Path
  readonly file: FileResource
  /** The tag of the version that is shown, where it is known. */
  readonly etag: string | null
  /** Called with the version that others have saved. */
  readonly onVersion: (version: FileVersion) => void
  readonly onEdit: () => void
}

/** Renders the note about an unsaved draft above a document, and follows the changes that others make to the document. */
export function DocumentNotes({ path, file, etag, onVersion, onEdit }: DocumentNotesProps) {
  const mayModify = useMay()('modify')
  useVersionOfOthers(path, { etag, onVersion })
  return mayModify && file.type !== 'textImmutable' ? <DraftNote path={path} onEdit={onEdit} /> : null
}

function DraftNote({ path, onEdit }: Pick<DocumentNotesProps, 'path' | 'onEdit'>) {
  const userId = useUser()?.id ?? null
  const [draft, setDraft] = useState<Draft | null>(null)
  useEffect(() => {
    if (userId === null) return undefined
    let isStopped = false
    const find = async (): Promise<void> => {
      const found = await latestDraft({ base: basePath(), userId }, path)
      if (!isStopped) setDraft(found)
    }
    void find()
    return () => {
      isStopped = true
    }
  }, [path, userId])
  if (draft === null || userId === null) return null
  return (
    <DraftBanner
      draft={{
        savedAtMs: draft.savedAtMs,
        restore: () => {
          wantedDraft.set(path)
          onEdit()
        },
        discard: () => {
          void removeDraft({ base: basePath(), userId }, draft)
          setDraft(null)
        },
      }}
    />
  )
}

/** Reads the version of the file after others have changed it, and tells the user that the new one is shown. */
function useVersionOfOthers(
  path: Path,
  { etag, onVersion }: Pick<DocumentNotesProps, 'etag' | 'onVersion'>,
): void {
  const show = useEffectEvent((version: FileVersion): void => {
    if (version.etag === etag) return
    onVersion(version)
    notify(t('editor.reloaded', { name: visibleName(nameOf(path)) }))
  })
  useEffect(() => {
    const abort = new AbortController()
    const check = async (): Promise<void> => show(await readVersion(path, abort.signal))
    const stop = openFileChanged.subscribe((changed) => {
      // A file that cannot be read now keeps its document on screen.
      if (changed.path === path && !changed.isRemoved) check().catch(() => undefined)
    })
    return () => {
      stop()
      abort.abort()
    }
  }, [path])
}
