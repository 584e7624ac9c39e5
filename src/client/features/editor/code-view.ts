import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, LanguageDescription, syntaxHighlighting } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { t } from '../../i18n/translate.ts'
import { codeTheme } from './code-theme.ts'

/** Above this length in characters, the colours of the syntax take longer than the user waits (ux 2.14). */
const maxColouredLength = 5_000_000
/** A line of more characters than this is neither coloured nor wrapped (ux 2.14). */
const maxLineLength = 100_000
/**
 * No line of a text is wrapped that has a longer word of other characters than ASCII. The time to wrap such a word grows with
 * the square of its length: 30 s for lines with 50,000 marks each.
 */
const maxWordLength = 5000
/**
 * Invisible characters are drawn as signs unless a line has more of them than this, because each sign is an element: lines of
 * 50,000 of them took 5 s.
 */
const maxSigns = 500

export type CodeViewOptions = {
  readonly parent: HTMLElement
  readonly name: string
  readonly text: string
  readonly isReadOnly: boolean
  readonly isWrapped: boolean
  readonly onToggleWrap: () => void
  /** Called after each change of the text or of the selection. */
  readonly onUpdate: (state: EditorState) => void
}

/** The editing area in the page. */
export type CodeView = {
  readonly view: EditorView
  readonly setWrapped: (isWrapped: boolean) => void
  readonly replaceText: (text: string) => void
  readonly openSearch: () => void
  readonly destroy: () => void
}

/**
 * Creates the editing area inside an element. It lives in a shadow root, because only there does the library add its
 * styles in a way that the content security policy allows.
 */
export function createCodeView(options: CodeViewOptions): CodeView {
  const { parent, text, isWrapped, name } = options
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const hasLongLine = hasLine(text, maxLineLength, () => true)
  const isColoured = text.length <= maxColouredLength && !hasLongLine
  const mayWrap = !hasLongLine && !hasLine(text, maxWordLength, hasSlowWord)
  const wrapping = new Compartment()
  const language = new Compartment()
  const wrapped = (on: boolean): Extension => (on && mayWrap ? EditorView.lineWrapping : [])
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [...extensionsOf(options), wrapping.of(wrapped(isWrapped)), language.of([])],
    }),
  })
  focusWithHost(parent, root, view)
  if (isColoured)
    void loadLanguage(name).then((found) => view.dispatch({ effects: language.reconfigure(found) }))
  return {
    view,
    setWrapped: (on) => view.dispatch({ effects: wrapping.reconfigure(wrapped(on)) }),
    replaceText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    openSearch: () => openSearchPanel(view),
    destroy: () => view.destroy(),
  }
}

/**
 * Makes `focus` of the element return the focus to the text or to the field of its search. Code outside of the shadow root
 * sees only this element as the focused one, for example a dialog that returns the focus when it closes.
 */
function focusWithHost(host: HTMLElement, root: ShadowRoot, view: EditorView): void {
  let last: EventTarget | null = null
  root.addEventListener('focusin', ({ target }) => {
    last = target
  })
  host.focus = (options) => {
    if (last instanceof HTMLElement && last !== view.contentDOM && root.contains(last)) last.focus(options)
    else view.focus()
  }
}

/** Returns true for a text with a line that is longer than `minLength` and that `matches`. */
function hasLine(text: string, minLength: number, matches: (line: string) => boolean): boolean {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    if (to - from > minLength && matches(text.slice(from, to))) return true
    from = to + 1
  }
  return false
}

/** The words of a line. Between two Chinese, Japanese or Korean letters, the line can be broken as after a space. */
const words = /[^\s\u3000-\u9FFF\uAC00-\uD7AF]+/g
const plainWord = /^[\x20-\x7E]*$/

const hasSlowWord = (line: string): boolean =>
  !plainWord.test(line) &&
  line.matchAll(words).some(([word]) => word.length > maxWordLength && !plainWord.test(word))

/** The characters that the library draws as signs. */
const invisible =
  /[\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028\u2029\u202D\u202E\u2066\u2067\u2069\uFEFF\uFFF9-\uFFFC]/g

const hasTooManySigns = (line: string): boolean => (line.match(invisible)?.length ?? 0) > maxSigns

function extensionsOf({ text, isReadOnly, onToggleWrap, onUpdate, name }: CodeViewOptions): Extension[] {
  return [
    // In a page from right to left, the punctuation of source code would otherwise be shown in another order.
    EditorView.editorAttributes.of({ dir: 'ltr' }),
    EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'false', autocapitalize: 'off' }),
    EditorState.readOnly.of(isReadOnly),
    EditorState.phrases.of(searchPhrases()),
    EditorState.allowMultipleSelections.of(true),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    hasLine(text, maxSigns, hasTooManySigns) ? [] : highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(classHighlighter, { fallback: true }),
    codeTheme,
    keymap.of([
      { key: 'Alt-z', preventDefault: true, run: () => (onToggleWrap(), true) },
      { key: 'Mod-h', preventDefault: true, run: openSearchPanel },
      ...searchKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged || selectionSet) onUpdate(state)
    }),
  ]
}

/** Loads the grammar for a file name. Returns no extension for an unknown name, and when the code cannot be loaded. */
async function loadLanguage(name: string): Promise<Extension> {
  const description = LanguageDescription.matchFilename(languages, name)
  if (description === null) return []
  return description.load().catch(() => [])
}

const searchPhrases = (): Readonly<Record<string, string>> => ({
  Find: t('editor.search.find'),
  Replace: t('editor.search.replaceWith'),
  next: t('editor.search.next'),
  previous: t('editor.search.previous'),
  all: t('editor.search.all'),
  'match case': t('editor.search.matchCase'),
  regexp: t('editor.search.regexp'),
  'by word': t('editor.search.byWord'),
  replace: t('editor.search.replace'),
  'replace all': t('editor.search.replaceAll'),
  close: t('buttons.close'),
})
