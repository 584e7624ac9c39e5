import { useEffect, useEffectEvent, useState } from 'react'
import { nameOf, type Path } from '../../../shared/domain/path.ts'
import { statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { openFileChanged } from '../../state/entry-changes.ts'
import { notify } from '../../state/notices.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { type FileVersion, readVersion } from './text-file.ts'

type OpenText = {
  readonly isDirty: boolean
  /** Returns the tag of the version on which the text is based. */
  readonly baseEtag: () => string
  /** Reads the file again. */
  readonly onReload: () => void
  /** Called with the version that others have saved. */
  readonly onVersion: (version: FileVersion) => void
}

/** A change that others have made to the file of an editor, until the user dismisses it. */
export type ChangesOfOthers = {
  readonly change: 'changed' | 'removed' | null
  readonly dismiss: () => void
}

/**
 * Follows what others do to the file of an editor (ux 2.14). A text without unsaved changes is read again. Otherwise the
 * result is `changed` or `removed`, until the user dismisses it.
 */
export function useChangesOfOthers(path: Path, open: OpenText): ChangesOfOthers {
  const [change, setChange] = useState<'changed' | 'removed' | null>(null)
  const onVersion = useEffectEvent((version: FileVersion): void => {
    open.onVersion(version)
    if (version.etag === open.baseEtag()) return setChange(null)
    if (open.isDirty) return setChange('changed')
    open.onReload()
    notify(t('editor.reloaded', { name: visibleName(nameOf(path)) }))
  })
  useEffect(() => {
    const abort = new AbortController()
    const check = async (): Promise<void> => onVersion(await readVersion(path, abort.signal))
    const stop = openFileChanged.subscribe((changed) => {
      if (changed.path !== path) return
      if (changed.isRemoved) setChange('removed')
      // A file that cannot be read now causes an error message when it is saved.
      else check().catch((thrown: unknown) => statusOf(thrown) === 404 && setChange('removed'))
    })
    return () => {
      stop()
      abort.abort()
    }
  }, [path])
  return { change, dismiss: () => setChange(null) }
}
