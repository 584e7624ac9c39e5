import type { EditorState } from '@codemirror/state'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { isAborted, statusOf } from '../../api/call.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { announce } from '../../state/announcements.ts'
import { notifyFailure } from '../../state/notices.ts'
import { nameOf } from '../../../shared/domain/path.ts'
import type { CodeView } from './code-view.ts'
import { type FileVersion, type LoadedText, readVersion, saveAgain, saveCopy, saveText } from './text-file.ts'
import { encodeText } from '../viewers/text/text-format.ts'

type SavingOptions = {
  readonly path: Path
  readonly loaded: LoadedText
  readonly code: RefObject<CodeView | null>
  /** Called with the stored version after the text was saved, unless the editor was closed meanwhile. */
  readonly onVersion: (version: FileVersion) => void
}

/** The reason why a text cannot be saved: somebody else has saved another version, or has deleted the file. */
export type SaveConflict = 'changed' | 'removed'

export type SaveControl = {
  /** True while the text differs from the saved version. */
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly state: 'unchanged' | 'saved'
  /** The decision that the user has to take before the text can be saved. */
  readonly conflict: SaveConflict | null
  /** Saves the text, and returns whether this succeeded. `isForced` overwrites the version of somebody else, and creates a deleted file again. */
  readonly save: (options?: { readonly isForced?: boolean }) => Promise<boolean>
  /** Saves the text as a new file. Returns its path, or null when this did not succeed. */
  readonly saveAsCopy: () => Promise<Path | null>
  readonly dismissChange: () => void
  /** Returns the tag of the version on which the text is based. */
  readonly baseEtag: () => string
  /** Sets the version on which the text is based. Called for a restored draft, which was written for that version. */
  readonly rebase: (version: string | null) => void
  /** Compares the text with the saved version. Call it after each change. */
  readonly noteChange: (state: EditorState) => void
}

/** The time in milliseconds after which the size and the time of a saved file are not waited for any longer. */
const maxVersionMs = 10_000

/** Saves the text of an editor, as long as the file still has the version that was read. */
export function useSaving({ path, loaded, code, onVersion }: SavingOptions): SaveControl {
  const reportVersion = useVersionReport(path, onVersion)
  const etag = useRef(loaded.etag)
  const [savedDoc, setSavedDoc] = useState<EditorState['doc'] | null>(null)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<SaveConflict | null>(null)
  const original = useRef<EditorState['doc'] | null>(null)

  const noteChange = (state: EditorState): void => {
    original.current ??= state.toText(loaded.text)
    setDirty(!state.doc.eq(savedDoc ?? original.current))
  }
  const attempt = async <T>(run: (body: BodyInit) => Promise<T>): Promise<T | null> => {
    const text = textToSave(code.current, loaded.format)
    if (text === null || isBusy) return null
    setBusy(true)
    try {
      const result = await run(text.body)
      setSavedDoc(text.doc)
      setDirty(code.current !== null && !code.current.view.state.doc.eq(text.doc))
      setConflict(null)
      return result
    } catch (thrown) {
      if (statusOf(thrown) === 412) setConflict('changed')
      else if (statusOf(thrown) === 404) setConflict('removed')
      else if (!isAborted(thrown))
        notifyFailure(sentences(t('editor.notSaved', { name: nameOf(path) }), reasonOf(thrown)))
      return null
    } finally {
      setBusy(false)
    }
  }
  return {
    isDirty,
    isBusy,
    state: savedDoc === null ? 'unchanged' : 'saved',
    conflict,
    save: async ({ isForced = false } = {}) => {
      const saved = await attempt((body) =>
        isForced && conflict === 'removed'
          ? saveAgain(path, body)
          : saveText(path, body, isForced ? null : etag.current),
      )
      if (saved === null) return false
      etag.current = saved
      reportVersion()
      announce(t('editor.saved'))
      return true
    },
    saveAsCopy: () => attempt((body) => saveCopy(path, body)),
    dismissChange: () => setConflict(null),
    baseEtag: () => etag.current,
    rebase: (version) => {
      if (version !== null) etag.current = version
    },
    noteChange,
  }
}

/** Returns the text of an editor and its bytes, or null after a notice when a character has no code in the file's encoding. */
function textToSave(
  code: CodeView | null,
  format: LoadedText['format'],
): { readonly doc: EditorState['doc']; readonly body: BodyInit } | null {
  const doc = code?.view.state.doc
  if (doc === undefined) return null
  const body = encodeText(doc.toString(), format)
  if (!('unknown' in body)) return { doc, body }
  notifyFailure(t('editor.unknownCharacter', { character: body.unknown, encoding: format.encoding }))
  return null
}

/**
 * Returns a function that reads the size and the time of the stored version. Without an answer, the header shows those of the
 * version before. An answer that comes after the editor was closed is dropped, because another file may be open by then.
 */
function useVersionReport(path: Path, onVersion: SavingOptions['onVersion']): () => void {
  const closing = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    closing.current = controller
    return () => controller.abort()
  }, [])
  return () => {
    const signal = AbortSignal.any([closing.current.signal, AbortSignal.timeout(maxVersionMs)])
    readVersion(path, signal).then(onVersion, () => undefined)
  }
}
