const title = { text: '', prefix: '' }

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

function show(): void {
  document.title = title.prefix === '' ? title.text : `${title.prefix} · ${title.text}`
}
