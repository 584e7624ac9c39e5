const title = { text: '', prefix: '' }

/** What the tab is called. */
export function setTitle(text: string): void {
  title.text = text
  show()
}

/** Stands before the title while something runs (`↑ 42 %`); empty takes it away. */
export function setTitlePrefix(prefix: string): void {
  title.prefix = prefix
  show()
}

function show(): void {
  document.title = title.prefix === '' ? title.text : `${title.prefix} · ${title.text}`
}
