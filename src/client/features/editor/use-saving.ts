import type { EditorState } from '@codemirror/state'
import { type RefObject, useRef, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { isAborted, statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { announce } from '../../state/announcements.ts'
import { tellFailure } from '../../state/notices.ts'
import { nameOf } from '../../../shared/domain/path.ts'
import type { CodeView } from './code-view.ts'
import { type LoadedText, saveCopy, saveText } from './text-file.ts'
import { encodeText } from '../viewers/text/text-format.ts'

type SavingOptions = {
  readonly path: Path
  readonly loaded: LoadedText
  readonly code: RefObject<CodeView | null>
}

export type Saving = {
  /** True while the text differs from the saved version. */
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly state: 'unchanged' | 'saved'
  /** True while the user has to decide about a version that somebody else has saved meanwhile. */
  readonly isChanged: boolean
  /** Saves the text, and returns whether this succeeded. `isForced` overwrites the version of somebody else. */
  readonly save: (options?: { readonly isForced?: boolean }) => Promise<boolean>
  /** Saves the text as a new file. Returns its path, or null when this did not succeed. */
  readonly saveAsCopy: () => Promise<Path | null>
  readonly dismissChange: () => void
  /** Returns the tag of the version on which the text is based. */
  readonly baseEtag: () => string
  /** Bases the text on another version, because it was written for that one. */
  readonly rebase: (version: string | null) => void
  /** Compares the text with the saved version. Call it after each change. */
  readonly noteChange: (state: EditorState) => void
}

/** Saves the text of an editor, as long as the file still has the version that was read. */
export function useSaving({ path, loaded, code }: SavingOptions): Saving {
  const etag = useRef(loaded.etag)
  const [savedDoc, setSavedDoc] = useState<EditorState['doc'] | null>(null)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const original = useRef<EditorState['doc'] | null>(null)

  const noteChange = (state: EditorState): void => {
    original.current ??= state.toText(loaded.text)
    setDirty(!state.doc.eq(savedDoc ?? original.current))
  }
  const bytesToSave = (): { readonly doc: EditorState['doc']; readonly body: BodyInit } | null => {
    const doc = code.current?.view.state.doc
    if (doc === undefined) return null
    const body = encodeText(doc.toString(), loaded.format)
    if (!('unknown' in body)) return { doc, body }
    tellFailure(t('editor.unknownCharacter', { character: body.unknown, encoding: loaded.format.encoding }))
    return null
  }
  const attempt = async <T>(run: (body: BodyInit) => Promise<T>): Promise<T | null> => {
    const text = bytesToSave()
    if (text === null || isBusy) return null
    setBusy(true)
    try {
      const result = await run(text.body)
      setSavedDoc(text.doc)
      setDirty(code.current !== null && !code.current.view.state.doc.eq(text.doc))
      setChanged(false)
      return result
    } catch (thrown) {
      if (statusOf(thrown) === 412) setChanged(true)
      else if (!isAborted(thrown))
        tellFailure(`${t('editor.notSaved', { name: nameOf(path) })} ${reasonOf(thrown)}`)
      return null
    } finally {
      setBusy(false)
    }
  }
  return {
    isDirty,
    isBusy,
    state: savedDoc === null ? 'unchanged' : 'saved',
    isChanged,
    save: async ({ isForced = false } = {}) => {
      const saved = await attempt((body) => saveText(path, body, isForced ? null : etag.current))
      if (saved === null) return false
      etag.current = saved
      announce(t('editor.saved'))
      return true
    },
    saveAsCopy: () => attempt((body) => saveCopy(path, body)),
    dismissChange: () => setChanged(false),
    baseEtag: () => etag.current,
    rebase: (version) => {
      if (version !== null) etag.current = version
    },
    noteChange,
  }
}
