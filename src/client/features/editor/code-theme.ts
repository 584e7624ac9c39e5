import { EditorView } from '@codemirror/view'

/** The colours and sizes of the editing area, from the tokens of the page. */
export const codeTheme = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--bg-surface)',
    color: 'var(--fg)',
    fontSize: 'var(--text-secondary)',
  },
  // Phones enlarge the page when a smaller text than this is edited. The page's rule for fields does not reach the shadow root.
  '@media (max-width: 736px), (pointer: coarse)': {
    '.cm-scroller, .cm-textfield': { fontSize: 'max(1rem, 16px)' },
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--fg)', paddingBlock: '0.5rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--fg)' },
  '.cm-gutters': { backgroundColor: 'var(--bg-surface)', color: 'var(--fg-muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--bg-selected)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-selected)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-bg)', outline: '1px solid var(--border-control)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-panels': { backgroundColor: 'var(--bg-raised)', color: 'var(--fg)', borderColor: 'var(--border)' },
  '.cm-panel.cm-search': { padding: '0.5rem 2.5rem 0.5rem 0.75rem', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-caption)' },
  '.cm-textfield, .cm-button': {
    minHeight: '1.75rem',
    border: '1px solid var(--border-control)',
    borderRadius: '6px',
    backgroundColor: 'var(--bg-surface)',
    backgroundImage: 'none',
    color: 'var(--fg)',
    font: 'inherit',
  },
  '.tok-keyword, .tok-operatorKeyword': { color: 'var(--code-keyword)' },
  '.tok-string, .tok-string2, .tok-inserted': { color: 'var(--code-string)' },
  '.tok-number, .tok-bool, .tok-literal, .tok-atom': { color: 'var(--code-number)' },
  '.tok-comment, .tok-meta': { color: 'var(--fg-muted)', fontStyle: 'italic' },
  '.tok-typeName, .tok-className, .tok-namespace': { color: 'var(--code-type)' },
  '.tok-definition, .tok-propertyName, .tok-attributeName': { color: 'var(--code-name)' },
  '.tok-heading': { fontWeight: '700' },
  '.tok-emphasis': { fontStyle: 'italic' },
  '.tok-strong': { fontWeight: '700' },
  '.tok-link, .tok-url': { color: 'var(--accent-fg)', textDecoration: 'underline' },
  '.tok-deleted, .tok-invalid': { color: 'var(--danger-fg)' },
})
