const title = { text: '', prefix: '', mark: '' }

/** Sets the title of the tab. */
export function setTitle(text: string): void {
  title.text = text
  show()
}

/** Sets a text before the title, such as the progress of uploads (`↑ 42 %`). An empty text removes it. */
export function setTitlePrefix(prefix: string): void {
  title.prefix = prefix
  show()
}

/** Shows a dot at the beginning of the title while the open text has unsaved changes. */
export function setTitleUnsaved(isUnsaved: boolean): void {
  title.mark = isUnsaved ? '● ' : ''
  show()
}

function show(): void {
  document.title = title.mark + (title.prefix === '' ? title.text : `${title.prefix} · ${title.text}`)
}
