import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { basePath } from '../../router/router.ts'
import { userSignal } from '../../state/personal.ts'
import { useUser } from '../../state/session.ts'
import type { CodeView } from './code-view.ts'
import { type Draft, type DraftOwner, latestDraft, putDraft, removeDraft } from './drafts.ts'
import { wantedDraft } from './wanted-draft.ts'

/** The time between two writes of a draft: at most this much typing is lost in a crash, in milliseconds (ux 2.14). */
const draftIntervalMs = 2000

type DraftOptions = {
  readonly path: Path
  readonly isReadOnly: boolean
  readonly isDirty: boolean
  /** Returns the tag of the version on which the text is based. */
  readonly baseEtag: () => string
  readonly code: RefObject<CodeView | null>
}

/** The unsaved text of an earlier visit that is offered to the user. */
export type DraftOffer = {
  readonly savedAtMs: number
  readonly restore: () => void
  readonly discard: () => void
}

type DraftWriter = { readonly write: () => void; readonly remove: () => void }

/**
 * Writes the unsaved text of an editor into the browser's database, removes it when the text is saved or given up, and
 * returns the text of an earlier visit that ended before it was saved, or null. `onRestore` gets the version on which
 * that text is based.
 */
export function useDraft(options: DraftOptions, onRestore: (etag: string | null) => void): DraftOffer | null {
  const { path, isReadOnly, isDirty, code } = options
  const userId = useUser()?.id ?? null
  const [found, setFound] = useState<Draft | null>(null)
  const readText = useEffectEvent(() => code.current?.view.state.doc.toString())
  const readDraft = useEffectEvent(() => {
    const text = readText()
    return text === undefined || !isDirty ? null : { text, etag: options.baseEtag() }
  })
  const restoreDraft = (owner: DraftOwner, draft: Draft): void => {
    onRestore(draft.etag)
    code.current?.replaceText(draft.text)
    void removeDraft(owner, draft)
    setFound(null)
    code.current?.view.focus()
  }
  const restoreWanted = useEffectEvent(restoreDraft)
  const writer = useRef<DraftWriter>({ write: () => undefined, remove: () => undefined })
  useEffect(() => {
    if (userId === null || isReadOnly) return undefined
    const owner = { base: basePath(), userId }
    const created = createDraftWriter(owner, path, () => readDraft())
    writer.current = created
    let isStopped = false
    const find = async (): Promise<void> => {
      const draft = await latestDraft(owner, path)
      const isWanted = wantedDraft.get() === path
      wantedDraft.set(null)
      if (isStopped || draft === null) return
      if (draft.text === readText()) void removeDraft(owner, draft)
      else if (isWanted) restoreWanted(owner, draft)
      else setFound(draft)
    }
    void find()
    const timer = setInterval(created.write, draftIntervalMs)
    const onHide = (): void => void (document.visibilityState === 'hidden' && created.write())
    document.addEventListener('visibilitychange', onHide)
    return () => {
      isStopped = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onHide)
    }
  }, [path, userId, isReadOnly])
  useEffect(() => {
    if (!isDirty) return undefined
    // The text was saved, or the user has left it after a question.
    return () => writer.current.remove()
  }, [isDirty])
  if (found === null || userId === null) return null
  const owner = { base: basePath(), userId }
  return {
    savedAtMs: found.savedAtMs,
    restore: () => restoreDraft(owner, found),
    discard: () => {
      void removeDraft(owner, found)
      setFound(null)
      code.current?.view.focus()
    },
  }
}

/** Creates the functions that write and remove the draft of a text. `read` returns null while there is nothing to write. */
function createDraftWriter(
  owner: DraftOwner,
  path: Path,
  read: () => Pick<Draft, 'text' | 'etag'> | null,
): DraftWriter {
  const untilLogout = userSignal()
  const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  let written: string | null = null
  // One operation at a time, so that a late write cannot bring back a removed draft.
  let lastOperation: Promise<unknown> = Promise.resolve()
  const enqueue = (operation: () => Promise<unknown>): void => {
    lastOperation = lastOperation.then(() => (untilLogout.aborted ? undefined : operation()))
  }
  return {
    write: () => {
      const draft = read()
      if (draft === null || draft.text === written) return
      written = draft.text
      enqueue(() => putDraft(owner, { ...draft, path, id, savedAtMs: Date.now() }))
    },
    remove: () => {
      if (written === null) return
      written = null
      enqueue(() => removeDraft(owner, { path, id }))
    },
  }
}
