import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FileResource } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { useMay } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { textRenderingOf } from '../viewers/text-renderings.ts'
import { type CodeView, createCodeView } from './code-view.ts'
import { EditorBanners } from './editor-banners.tsx'
import { EditorDialogs } from './editor-dialogs.tsx'
import { EditorFrame } from './editor-frame.tsx'
import { RenderingPane, renderingVisibility, useLiveText } from './rendering-pane.tsx'
import { StatusLine } from './status-line.tsx'
import type { FileVersion, LoadedText } from './text-file.ts'
import { useChangesOfOthers } from './use-changes-of-others.ts'
import { useDraft } from './use-draft.ts'
import { useLeaveGuard } from '../../router/use-leave-guard.ts'
import { useSaveKey } from './use-save-key.ts'
import { useSaving } from './use-saving.ts'
import styles from './editor.module.css'

/** The file to edit: its path, and its description in the API. */
export type EditorProps = {
  readonly path: Path
  readonly file: FileResource
  /**
   * Tells whether the text gets the focus as soon as it is shown, so that the user can type at once: always, only while no button or
   * field has the focus, or never.
   */
  readonly takesFocus: 'always' | 'if-free' | 'never'
  /** Called with each version of the file that is loaded, saved, or found on the server. The function must not change. */
  readonly onVersion: (version: FileVersion) => void
  /** Called when the text gets its first unsaved change, and when all changes are saved. The function must not change. */
  readonly onUnsaved: (isUnsaved: boolean) => void
}

type TextEditorProps = EditorProps & {
  readonly loaded: LoadedText
  /** Reads the file again, and gives up the changes. */
  readonly onReload: () => void
}

const atStart = { line: 1, column: 1, selected: 0 }

/** Edits a text. Nothing is lost silently: the user is asked before a version that somebody else has saved meanwhile is overwritten. */
export function TextEditor({
  path,
  file,
  loaded,
  takesFocus,
  onReload,
  onVersion,
  onUnsaved,
}: TextEditorProps) {
  const mayModify = useMay()('modify')
  const isReadOnly = !mayModify || file.type === 'textImmutable'
  const [place, setPlace] = useState(atStart)
  const [isWrapped, setWrapped] = useState(true)
  const host = useRef<HTMLDivElement>(null)
  const code = useRef<CodeView | null>(null)
  const saving = useSaving({
    path,
    loaded,
    code,
    onVersion,
  })
  const ownRendering = textRenderingOf(file.name)
  const rendering =
    ownRendering !== undefined && loaded.text.length <= ownRendering.maxLength ? ownRendering : undefined
  const isRenderingShown = useStore(renderingVisibility) === 'shown' && rendering !== undefined
  const live = useLiveText(loaded.text)
  const guard = useLeaveGuard(saving.isDirty)
  const { isDirty, baseEtag } = saving
  const others = useChangesOfOthers(path, { isDirty, baseEtag, onReload, onVersion })
  const draft = useDraft(
    { path, isReadOnly, isDirty: saving.isDirty, baseEtag: saving.baseEtag, code },
    saving.rebase,
  )

  useEffect(() => onVersion(loaded), [loaded, onVersion])
  useEffect(() => {
    onUnsaved(isDirty)
    return () => onUnsaved(false)
  }, [isDirty, onUnsaved])

  const noteChange = useEffectEvent(saving.noteChange)
  useSaveKey(isReadOnly ? null : saving.save)
  useEffect(() => {
    const parent = host.current
    if (parent === null) return undefined
    const created = createCodeView({
      parent,
      name: visibleName(file.name),
      text: loaded.text,
      isReadOnly,
      isWrapped: true,
      onToggleWrap: () => setWrapped((now) => !now),
      onUpdate: (state) => {
        const { head } = state.selection.main
        const line = state.doc.lineAt(head)
        const selected = state.selection.ranges.reduce((sum, { from, to }) => sum + to - from, 0)
        setPlace({ line: line.number, column: head - line.from + 1, selected })
        noteChange(state)
        live.follow(state)
      },
    })
    code.current = created
    return () => {
      code.current = null
      created.destroy()
    }
  }, [file.name, loaded.text, isReadOnly, live])
  useEffect(() => code.current?.setWrapped(isWrapped), [isWrapped])
  useEffect(() => {
    // A text that arrives late or is read again does not take the focus from a button that the user has reached meanwhile.
    const isFree = document.activeElement?.matches('body, main') ?? true
    if (takesFocus === 'always' || (takesFocus === 'if-free' && isFree)) code.current?.view.focus()
  }, [takesFocus])
  useKeysInside(host)

  return (
    <>
      <EditorBanners draft={draft} others={others} isReadOnly={isReadOnly} />
      <EditorFrame
        save={
          isReadOnly
            ? null
            : {
                isBusy: saving.isBusy,
                isDirty,
                run: () => {
                  // The button is disabled after the save, so the focus goes to the text.
                  code.current?.view.focus()
                  void saving.save()
                },
              }
        }
        onSearch={() => code.current?.openSearch()}
        isWrapped={isWrapped}
        onWrap={() => setWrapped(!isWrapped)}
        rendering={rendering}
        isRenderingShown={isRenderingShown}
        onRendering={() => renderingVisibility.set(isRenderingShown ? 'hidden' : 'shown')}
      >
        <div className={styles.panes} data-rendering={isRenderingShown || undefined}>
          <div ref={host} className={styles.host} data-part="editor" />
          {isRenderingShown && (
            <RenderingPane rendering={rendering} name={file.name} path={path} live={live} />
          )}
        </div>
        <StatusLine place={place} format={loaded.format} state={saving.isDirty ? 'unsaved' : saving.state} />
        <EditorDialogs
          path={path}
          name={file.name}
          saving={saving}
          guard={guard}
          code={code}
          onReload={onReload}
        />
      </EditorFrame>
    </>
  )
}

/**
 * Keeps the keys that type and move inside the editor, also those of the buttons in its search panel. Combinations with Ctrl or
 * Alt and function keys go on to the page, whose scopes get those that the editor has not used.
 */
function useKeysInside(host: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const element = host.current
    const onKey = (event: KeyboardEvent): void => {
      const isCombination = event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key)
      if (!isCombination) event.stopPropagation()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [host])
}
