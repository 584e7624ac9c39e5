import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { useQuery } from '../../api/use-query.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { ViewerLoading } from '../viewers/frame/viewer-loading.tsx'
import { codeTheme } from './code-theme.ts'
import { loadText } from './text-file.ts'
import styles from './editor.module.css'

/**
 * The theme of the line that replaces lines which are the same in both versions. Many fonts lack the characters that
 * CodeMirror shows there.
 */
const sameLinesTheme = EditorView.theme({
  '.cm-collapsedLines': { background: 'var(--bg-sunken)', color: 'var(--fg-muted)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
})

/** Shows the version that others have saved beside the user's own text, with the differences marked. */
export function Comparison({ path, ownText }: { readonly path: Path; readonly ownText: string }) {
  const { data, error } = useQuery({
    queryKey: ['compared', path],
    queryFn: ({ signal }) => loadText(path, signal),
    gcTime: 0,
    retry: false,
  })
  if (error !== null) return <p role="alert">{reasonOf(error)}</p>
  if (data === undefined) return <ViewerLoading />
  return <SideBySide others={data.text} own={ownText} />
}

function SideBySide({ others, own }: { readonly others: string; readonly own: string }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    // Only in a shadow root does the library add its styles in a way that the content security policy allows.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const side = (doc: string, label: string) => ({
      doc,
      extensions: [
        lineNumbers(),
        codeTheme,
        sameLinesTheme,
        EditorState.phrases.of({ '$ unchanged lines': t('editor.changed.same') }),
        EditorView.lineWrapping,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.editorAttributes.of({ dir: 'ltr' }),
        EditorView.contentAttributes.of({ 'aria-label': label }),
      ],
    })
    const view = new MergeView({
      parent: root,
      root,
      a: side(others, t('editor.changed.theirs')),
      b: side(own, t('editor.changed.yours')),
      collapseUnchanged: { margin: 3 },
    })
    return () => view.destroy()
  }, [others, own])
  return (
    <ScrollArea label={t('editor.changed.compare')} className={styles.comparison}>
      <div className={styles.sides}>
        <span>{t('editor.changed.theirs')}</span>
        <span>{t('editor.changed.yours')}</span>
      </div>
      <div ref={host} data-part="comparison" />
    </ScrollArea>
  )
}
